import type { Secret } from "./secret.ts";

/*
 * Options are plain data. A schema library would do the same, but the usual one takes about 100 ms to
 * load, which is more than a whole search.
 */

/** The format of a string; `formats.ts` defines each. */
export type TextFormat =
  | "plain"
  | "prompt"
  | "path"
  | "model"
  | "name-or-path"
  | "url"
  | "timezone"
  | "duration"
  | "agent-id"
  | "daily-pattern";

/** Types only, never a value: what may be written (`Input`) and what the program gets (`Value`), for inference. */
declare const types: unique symbol;
export interface Typed<In, Out> {
  readonly [types]?: { readonly input: In; readonly value: Out };
}

/**
 * Whether the setting belongs to a workspace rather than to the user: `longhand config set` writes it for that
 * workspace only.
 */
interface Positioned {
  readonly isPerProject?: boolean;
}

export interface FlagOption {
  readonly kind: "flag";
  readonly about: string;
  readonly default: boolean;
}

export interface NumberOption {
  readonly kind: "number";
  readonly about: string;
  readonly default: number | undefined;
  /** Inclusive. */
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

export interface ChoiceOption extends Positioned {
  readonly kind: "choice";
  readonly about: string;
  readonly default: string;
  readonly choices: readonly string[];
}

export interface TextOption extends Positioned {
  readonly kind: "text";
  readonly about: string;
  readonly default: string | undefined;
  readonly format: TextFormat;
  /** The base of a relative path; by default the folder of the file that contains it. */
  readonly relativeTo?: "workspace";
  readonly required?: boolean;
}

export interface SecretOption {
  readonly kind: "secret";
  readonly about: string;
  /** The value may be shown without user, password and query. */
  readonly shownAs: "secret" | "address";
  /** An empty string means none, and prevents a fallback to other sources. */
  readonly mayBeEmpty: boolean;
  /** Environment variables that apply if the configuration does not set it; the first one that is set wins. */
  readonly variables: readonly string[];
}

export interface ListOption extends Positioned {
  readonly kind: "list";
  readonly about: string;
  readonly default: readonly string[];
  readonly item: TextOption | ChoiceOption;
  readonly minItems: number;
  /** Lists from all sources are concatenated; otherwise the last source that sets the list wins. */
  readonly union: boolean;
}

/** Named secrets, such as the headers of a request. Sources are merged name by name. */
export interface RecordOption {
  readonly kind: "record";
  readonly about: string;
  readonly item: SecretOption;
}

/** A list of groups, some with an `id` of their own. */
export interface ItemsOption {
  readonly kind: "items";
  readonly about: string;
  readonly item: GroupOption;
}

export interface GroupOption<G extends OptionsByName = OptionsByName> {
  readonly kind: "group";
  readonly about: string;
  readonly options: G;
  /** Common misnomers of this key. */
  readonly alsoCalled?: readonly string[];
  /** Shown in the table of its parent group, instead of one of its own. */
  readonly inline?: boolean;
}

export type LeafOption =
  | FlagOption
  | NumberOption
  | ChoiceOption
  | TextOption
  | SecretOption
  | ListOption
  | RecordOption;
export type Option = LeafOption | ItemsOption | GroupOption;
export interface OptionsByName {
  readonly [name: string]: Option;
}

/** The resolved configuration: every key, with defaults filled in. */
export type Value<O> =
  O extends GroupOption<infer G>
    ? { readonly [K in keyof G]: Value<G[K]> }
    : O extends { readonly kind: "items"; readonly item: infer Item }
      ? readonly Input<Item>[]
      : O extends Typed<infer _In, infer Out>
        ? Out
        : never;

/** What may be written: any subset. */
export type Input<O> =
  O extends GroupOption<infer G>
    ? { readonly [K in keyof G]?: Input<G[K]> | undefined }
    : O extends { readonly kind: "items"; readonly item: infer Item }
      ? readonly Input<Item>[]
      : O extends Typed<infer In, infer _Out>
        ? In
        : never;

type OrUnset<D, V> = undefined extends D ? V | undefined : V;

export function flag(spec: { default: boolean; about: string }): FlagOption & Typed<boolean, boolean> {
  return { kind: "flag", ...spec };
}

interface NumberSpec<D> {
  readonly default?: D;
  readonly min: number;
  readonly max: number;
  readonly about: string;
}

export function number<D extends number | undefined = undefined>(
  spec: NumberSpec<D>,
): NumberOption & Typed<number, OrUnset<D, number>> {
  return { kind: "number", whole: false, ...spec, default: spec.default };
}

export function wholeNumber<D extends number | undefined = undefined>(
  spec: NumberSpec<D>,
): NumberOption & Typed<number, OrUnset<D, number>> {
  return { kind: "number", whole: true, ...spec, default: spec.default };
}

export function choice<const C extends readonly string[]>(
  choices: C,
  spec: { default: C[number]; about: string } & Positioned,
): ChoiceOption & Typed<C[number], C[number]> {
  return { kind: "choice", choices, ...spec };
}

interface TextSpec<D> extends Positioned {
  readonly default?: D;
  readonly about: string;
  readonly format?: TextFormat;
  readonly relativeTo?: "workspace";
  readonly required?: boolean;
}

export function text<D extends string | undefined = undefined>(
  spec: TextSpec<D>,
): TextOption & Typed<string, OrUnset<D, string>> {
  return { kind: "text", ...spec, format: spec.format ?? "plain", default: spec.default };
}

export function secret(spec: {
  about: string;
  shownAs?: "secret" | "address";
  mayBeEmpty?: boolean;
  variables?: readonly string[];
}): SecretOption & Typed<string | Secret, Secret | undefined> {
  const { about, shownAs = "secret", mayBeEmpty = false, variables = [] } = spec;
  return { kind: "secret", about, shownAs, mayBeEmpty, variables };
}

type ItemValue<I> = I extends Typed<infer In, infer _Out> ? In : never;

export function list<I extends TextOption | ChoiceOption>(
  item: I,
  spec: {
    default: readonly ItemValue<I>[] & readonly string[];
    about: string;
    minItems?: number;
    union?: boolean;
  } & Positioned,
): ListOption & Typed<readonly ItemValue<I>[], readonly ItemValue<I>[]> {
  return { kind: "list", item, minItems: 0, union: false, ...spec };
}

/** The headers of a request. */
export function headers(spec: {
  about: string;
}): RecordOption & Typed<Readonly<Record<string, string | Secret>>, Readonly<Record<string, Secret>>> {
  return { kind: "record", item: secret({ about: "The value of a header." }), ...spec };
}

export function items<G extends GroupOption>(
  item: G,
  spec: { about: string },
): Omit<ItemsOption, "item"> & { readonly item: G } {
  return { kind: "items", item, ...spec };
}

export function group<G extends OptionsByName>(
  options: G,
  spec: { about: string; alsoCalled?: readonly string[]; inline?: boolean },
): GroupOption<G> {
  return { kind: "group", options, ...spec };
}
