import { LonghandError } from "../errors.ts";
import { parseDecimal } from "../text/value-rule.ts";
import { checkConfig } from "./check.ts";
import { allKeys, refuseUnknownKey } from "./known-keys.ts";
import type { GroupOption, LeafOption, Option } from "./option.ts";
import { agentOptions, configOptions } from "./options.ts";

/** A setting that can be written into the configuration file. */
export interface FoundOption {
  /** As `longhand config` shows it: an agent's values without `agents.defaults.`. */
  readonly key: string;
  readonly path: readonly string[];
  readonly option: LeafOption;
  /** Whether each agent may have its own value; otherwise there is one for all. */
  readonly isPerAgent: boolean;
}

const { agents: _, ...hostOptions } = configOptions.options;
const hostGroup: GroupOption = { ...configOptions, options: hostOptions };

/** Every key that can be set, in the order of the documentation. */
export function settableKeys(): string[] {
  return [agentOptions, hostGroup].flatMap((root) =>
    allKeys(root, "").filter((key) => isLeaf(walk(root, key.split(".")))),
  );
}

/** The values of every setting with a fixed set of choices. */
export function keyChoices(): Record<string, readonly string[]> {
  const entries = settableKeys().flatMap((key): [string, readonly string[]][] => {
    const { option } = findOption(key);
    if (option.kind === "flag") return [[key, ["true", "false"]]];
    return option.kind === "choice" ? [[key, option.choices]] : [];
  });
  return Object.fromEntries(entries);
}

/** Finds a setting by its key; the error for an unknown key suggests the nearest. */
export function findOption(written: string): FoundOption {
  const key = written.replace(/^agents\.defaults\./, "");
  const path = key.split(".");
  for (const [root, isPerAgent] of [[agentOptions, true] as const, [hostGroup, false] as const]) {
    const found = walk(root, path);
    if (isLeaf(found)) return { key, path, option: found, isPerAgent };
    if (found?.kind === "group" && key !== "") throw refuseGroup(key, found);
    // The name of a header may contain dots.
    const header = findRecord(root, path);
    if (header !== null) return { key, path: header.path, option: header.option, isPerAgent };
  }
  throw refuseUnknownKey(written, settableKeys());
}

/** Parses a command-line argument as the value of a setting; if that fails, it stays a string and is refused later. */
export async function readValue({ option }: FoundOption, text: string): Promise<unknown> {
  if (option.kind === "flag") return text === "true" ? true : text === "false" ? false : text;
  if (option.kind === "number") return parseDecimal(text) ?? text;
  if (option.kind !== "list" || !text.trimStart().startsWith("["))
    return option.kind === "list" ? [text] : text;
  const { default: json5 } = await import("json5");
  try {
    return json5.parse(text);
  } catch {
    return text;
  }
}

/** Refuses an invalid value before anything is written. */
export function checkValue({ key, path, isPerAgent }: FoundOption, value: unknown): void {
  const tree = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const { problems } = checkConfig({
    options: isPerAgent ? agentOptions : hostGroup,
    value: tree,
    env: null,
  });
  const [problem] = problems;
  if (problem === undefined) return;
  const hint = problem.hint ?? `Nothing was changed. See it with: longhand config get ${key}`;
  throw new LonghandError("usage", `${key} ${problem.message.replace(/[.?]?$/, ".")}`, { hint });
}

function walk(root: GroupOption, path: readonly string[]): Option | undefined {
  return path.reduce<Option | undefined>((option, name) => {
    if (option?.kind !== "group") return undefined;
    return Object.hasOwn(option.options, name) ? option.options[name] : undefined;
  }, root);
}

function findRecord(root: GroupOption, path: readonly string[]) {
  for (let length = 1; length < path.length; length++) {
    const option = walk(root, path.slice(0, length));
    if (option?.kind !== "record") continue;
    return { option: option.item, path: [...path.slice(0, length), path.slice(length).join(".")] };
  }
  return null;
}

function isLeaf(option: Option | undefined): option is LeafOption {
  return option !== undefined && option.kind !== "group" && option.kind !== "items";
}

function refuseGroup(key: string, group: GroupOption): LonghandError {
  const names = Object.keys(group.options).map((name) => `${key}.${name}`);
  return new LonghandError("usage", `${key} is a group of settings.`, {
    hint: `Name one of them: ${names.join(", ")}.`,
  });
}
