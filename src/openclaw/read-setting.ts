import type { HostConfig } from "./host-api.ts";

/** The value at a path of keys, or undefined where the configuration has none. */
export function readSetting(config: HostConfig | undefined, ...keys: readonly string[]): unknown {
  let value: unknown = config;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as HostConfig)[key];
  }
  return value;
}

/**
 * A setting of memory search, for one agent where it has its own. Current versions keep it under `memory.search` and
 * `agents.entries`, older ones under `memorySearch` and `agents.list`.
 */
export function readSearchSetting(config: HostConfig, agentId: string, ...keys: readonly string[]): unknown {
  const list = readSetting(config, "agents", "list");
  const listed = Array.isArray(list) ? list.find((each) => each?.id === agentId) : undefined;
  const own = readSetting(config, "agents", "entries", agentId) as HostConfig | undefined;
  return (
    readSetting(own, "memory", "search", ...keys) ??
    readSetting(own ?? listed, "memorySearch", ...keys) ??
    readSetting(config, "memory", "search", ...keys) ??
    readSetting(config, "agents", "defaults", "memorySearch", ...keys)
  );
}

export function readText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function readCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined;
}
