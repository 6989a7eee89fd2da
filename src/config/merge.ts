import { fieldsOf } from "../text/fields.ts";
import { resolveFormat } from "./formats.ts";
import { joinKey } from "./known-keys.ts";
import type { GroupOption, LeafOption, ListOption, Option } from "./option.ts";
import type { Origin } from "./origin.ts";
import { Secret } from "./secret.ts";
import { type Environment, readVariable } from "./variables.ts";

/**
 * Validated values from one source (the file, or the caller), or a part of them. Later layers override earlier ones.
 */
export interface Layer {
  /** Only the values that were set there. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The base of its relative paths. */
  readonly baseDir: string;
  /** `key` is relative to this part. */
  originOf(key: string): Origin;
  /** Settings of another program's configuration that could not be imported. */
  readonly left?: readonly { readonly key: string; readonly reason: string }[];
}

/** The part of a layer under one key; empty if nothing is set there. */
function partOf(layer: Layer, name: string): Layer {
  return {
    values: fieldsOf(layer.values[name]),
    baseDir: layer.baseDir,
    originOf: (key) => layer.originOf(joinKeys(name, key)),
  };
}

/** What a layer says about one agent: the defaults, then the entries of `ids`, later ones overriding earlier ones. */
export function agentLayers(layer: Layer, ...ids: readonly string[]): Layer[] {
  const entries = agentEntries(layer);
  const own = ids.flatMap((id) => entries.find((entry) => entry.id === id)?.layer ?? []);
  return [partOf(partOf(layer, "agents"), "defaults"), ...own];
}

interface AgentEntry {
  readonly id: string;
  readonly layer: Layer;
}

/** The agents that a layer lists, in its order. */
export function agentEntries(layer: Layer): AgentEntry[] {
  const agents = partOf(layer, "agents");
  const list = Array.isArray(agents.values["list"]) ? agents.values["list"] : [];
  return list.map((entry, index) => {
    const values = fieldsOf(entry);
    const originOf = (key: string) => agents.originOf(joinKeys(`list[${index}]`, key));
    return { id: String(values["id"]), layer: { values, baseDir: layer.baseDir, originOf } };
  });
}

function joinKeys(first: string, rest: string): string {
  return rest === "" ? first : `${first}.${rest}`;
}

interface MergedOptions {
  readonly value: Readonly<Record<string, unknown>>;
  /** By key, relative to the merged group. */
  readonly origins: ReadonlyMap<string, Origin>;
}

/** What final values depend on: the bases of paths, and the environment for keys that are not set. */
interface MergeContext {
  readonly home: string;
  readonly stateDir: string;
  readonly workspaceDir: string;
  readonly agentId: string;
  readonly env: Environment;
}

/** Merges layers field by field: for each option, the last layer that sets it wins, otherwise its default. */
export function mergeLayers(
  options: GroupOption,
  layers: readonly Layer[],
  { home, stateDir, workspaceDir, agentId, env }: MergeContext,
): MergedOptions {
  const origins = new Map<string, Origin>();

  function mergeGroup(group: GroupOption, parts: readonly Layer[], key: string): Record<string, unknown> {
    const entries = Object.entries(group.options).map(([name, option]) => [
      name,
      mergeOption(option, parts, name, joinKey(key, name)),
    ]);
    return Object.fromEntries(entries);
  }

  function mergeOption(option: Option, parts: readonly Layer[], name: string, key: string): unknown {
    const setting = parts.filter((part) => part.values[name] !== undefined);
    if (option.kind === "group" || option.kind === "record") {
      const inner = setting.map((part) => partOf(part, name));
      return option.kind === "group" ? mergeGroup(option, inner, key) : mergeRecord(inner, key);
    }
    if (option.kind === "list" && option.union) return mergeUnion(option, setting, name, key);
    const winner = setting.at(-1);
    if (option.kind === "items") {
      origins.set(key, winner?.originOf(name) ?? { from: "default" });
      return winner?.values[name] ?? [];
    }
    if (winner !== undefined) {
      origins.set(key, winner.originOf(name));
      return finish(option, winner.values[name], winner.baseDir);
    }
    const given = fromEnvironment(option);
    origins.set(key, given?.origin ?? { from: "default" });
    return given === null ? finish(option, defaultOf(option), null) : given.value;
  }

  function mergeRecord(parts: readonly Layer[], key: string): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const part of parts) {
      for (const [name, value] of Object.entries(part.values)) {
        values[name] = value;
        origins.set(joinKey(key, name), part.originOf(name));
      }
    }
    if (Object.keys(values).length === 0) origins.set(key, { from: "default" });
    return values;
  }

  function mergeUnion(option: ListOption, setting: readonly Layer[], name: string, key: string): unknown[] {
    const lists = setting.map((part) => finish(option, part.values[name], part.baseDir) as unknown[]);
    const [first, ...more] = setting.map((part) => part.originOf(name));
    if (first === undefined) origins.set(key, { from: "default" });
    else origins.set(key, more.length === 0 ? first : { from: "union", of: [first, ...more] });
    return setting.length === 0 ? [...option.default] : [...new Set(lists.flat())];
  }

  /** The final form of a value that was set, or of a default, for which `baseDir` is null. */
  function finish(option: LeafOption, value: unknown, baseDir: string | null): unknown {
    if (option.kind === "list") {
      const finished = (value as readonly unknown[]).map((item) => finish(option.item, item, baseDir));
      return [...new Set(finished)];
    }
    if (option.kind !== "text" || typeof value !== "string") return value;
    const start = option.relativeTo === "workspace" ? workspaceDir : (baseDir ?? stateDir);
    return resolveFormat(option.format, value, { home, stateDir, agentId, baseDir: start });
  }

  /** The value of a key that no layer sets; null if there is none. */
  function fromEnvironment(option: LeafOption): { value: Secret; origin: Origin } | null {
    if (option.kind !== "secret") return null;
    for (const variable of option.variables) {
      // A line break copied from a file would end the header that carries the key.
      const text = readVariable(env, variable)?.trim() ?? "";
      if (text !== "") return { value: new Secret(text), origin: { from: "environment", variable } };
    }
    return null;
  }

  return { value: mergeGroup(options, layers, ""), origins };
}

function defaultOf(option: LeafOption): unknown {
  return option.kind === "secret" || option.kind === "record" ? undefined : option.default;
}
