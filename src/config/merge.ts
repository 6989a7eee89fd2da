import { joinKey } from "./known-keys.ts";
import { type Layer, partOf } from "./layer.ts";
import type { GroupOption, LeafOption, ListOption, Option, RecordOption } from "./option.ts";
import type { Origin } from "./origin.ts";

export interface MergedOptions {
  readonly value: Readonly<Record<string, unknown>>;
  /** By key relative to the group that was merged. */
  readonly origins: ReadonlyMap<string, Origin>;
}

export interface MergeRules {
  /** Gives a value that was set, or a default, its final form; `baseDir` is null for a default. */
  finish(option: LeafOption, value: unknown, baseDir: string | null): unknown;
  /** Stands in for an option that no layer sets; null leaves the default. */
  standIn(option: LeafOption): { readonly value: unknown; readonly origin: Origin } | null;
}

/** Joins layers field by field: for each option the last layer that sets it wins, else its default. */
export function mergeLayers(
  options: GroupOption,
  layers: readonly Layer[],
  rules: MergeRules,
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
    if (option.kind === "group")
      return mergeGroup(
        option,
        setting.map((part) => partOf(part, name)),
        key,
      );
    if (option.kind === "record")
      return mergeRecord(
        option,
        setting.map((part) => partOf(part, name)),
        key,
      );
    if (option.kind === "list" && option.union) return mergeUnion(option, setting, name, key);
    const winner = setting.at(-1);
    if (option.kind === "items") {
      origins.set(key, winner?.originOf(name) ?? { from: "default" });
      return winner?.values[name] ?? [];
    }
    if (winner !== undefined) {
      origins.set(key, winner.originOf(name));
      return rules.finish(option, winner.values[name], winner.baseDir);
    }
    const standIn = rules.standIn(option);
    origins.set(key, standIn?.origin ?? { from: "default" });
    return standIn === null ? rules.finish(option, defaultOf(option), null) : standIn.value;
  }

  function mergeRecord(option: RecordOption, parts: readonly Layer[], key: string): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const part of parts) {
      for (const [name, value] of Object.entries(part.values)) {
        values[name] = rules.finish(option.item, value, part.baseDir);
        origins.set(joinKey(key, name), part.originOf(name));
      }
    }
    if (Object.keys(values).length === 0) origins.set(key, { from: "default" });
    return values;
  }

  function mergeUnion(option: ListOption, setting: readonly Layer[], name: string, key: string): unknown[] {
    const lists = setting.map((part) => rules.finish(option, part.values[name], part.baseDir) as unknown[]);
    const [first, ...more] = setting.map((part) => part.originOf(name));
    if (first === undefined) origins.set(key, { from: "default" });
    else origins.set(key, more.length === 0 ? first : { from: "union", of: [first, ...more] });
    return setting.length === 0 ? [...option.default] : [...new Set(lists.flat())];
  }

  return { value: mergeGroup(options, layers, ""), origins };
}

function defaultOf(option: LeafOption): unknown {
  return option.kind === "secret" || option.kind === "record" ? undefined : option.default;
}
