import type { Origin } from "./origin.ts";

/**
 * Checked values from one place (the file, or the caller), or a part of them. Later layers win over
 * earlier ones.
 */
export interface Layer {
  /** Only what was set there. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What relative paths in it start from. */
  readonly baseDir: string;
  /** `key` is relative to this part. */
  originOf(key: string): Origin;
  /** Settings of another program's configuration that could not be taken over. */
  readonly left?: readonly { readonly key: string; readonly reason: string }[];
}

/** The part of a layer under one key; empty when nothing is set there. */
export function partOf(layer: Layer, name: string): Layer {
  return {
    values: asValues(layer.values[name]),
    baseDir: layer.baseDir,
    originOf: (key) => layer.originOf(joinKeys(name, key)),
  };
}

/** What a layer says about one agent: the defaults, then those of `ids` that have an entry, the later ones winning. */
export function agentLayers(layer: Layer, ...ids: readonly string[]): Layer[] {
  const entries = agentEntries(layer);
  const own = ids.flatMap((id) => entries.find((entry) => entry.id === id)?.layer ?? []);
  return [partOf(partOf(layer, "agents"), "defaults"), ...own];
}

export interface AgentEntry {
  readonly id: string;
  readonly layer: Layer;
}

/** The agents that a layer lists, in its order. */
export function agentEntries(layer: Layer): AgentEntry[] {
  const agents = partOf(layer, "agents");
  const list = Array.isArray(agents.values["list"]) ? agents.values["list"] : [];
  return list.map((entry, index) => {
    const values = asValues(entry);
    const originOf = (key: string) => agents.originOf(joinKeys(`list[${index}]`, key));
    return { id: String(values["id"]), layer: { values, baseDir: layer.baseDir, originOf } };
  });
}

function asValues(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function joinKeys(first: string, rest: string): string {
  return rest === "" ? first : `${first}.${rest}`;
}
