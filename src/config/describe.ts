import { joinKey, refuseUnknownKey } from "./known-keys.ts";
import { describeOrigin, writtenKey } from "./origin.ts";
import { Secret, showAddress } from "./secret.ts";
import type { Settings } from "./settings.ts";

/** One effective value as `longhand config` shows it. */
export interface DescribedSetting {
  /** As in the file, but an agent's values come without `agents.defaults.`, wherever they were set. */
  readonly key: string;
  /** null if it is not set; secrets are masked. */
  readonly value: unknown;
  readonly origin: string;
}

/** All effective values, in the order of the documentation. */
export function describeSettings(settings: Settings): DescribedSetting[] {
  const { origins, agentId, stateDir, configPath, workspaceDir, userTimezone } = settings;
  const { notes, layers, memorySearch, compaction, memory, consolidation, tools, plugins, models } = settings;

  function describe(value: unknown, key: string): DescribedSetting[] {
    const origin = origins.get(key);
    if (origin !== undefined) return [{ key, value: showValue(value), origin: describeOrigin(origin) }];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([name, inner]) => describe(inner, joinKey(key, name)));
  }

  const places = { agentId, stateDir, configPath, workspace: workspaceDir, userTimezone };
  const groups = { notes, layers, memorySearch, compaction, memory, consolidation, tools, plugins, models };
  return describe({ ...places, ...groups }, "");
}

interface SelectedSettings {
  /** Whether the key names a single value, not a group. */
  readonly exact: boolean;
  readonly settings: readonly DescribedSetting[];
}

/** The value of a key, or all values of a group. Keys may also be written as in the file. */
export function selectSettings(settings: Settings, key: string): SelectedSettings {
  const all = describeSettings(settings);
  const namesOf = (setting: DescribedSetting) => [setting.key, writtenKey(setting.key, undefined)];
  const exact = all.filter((setting) => namesOf(setting).includes(key));
  if (exact.length > 0) return { exact: true, settings: exact };
  const isInside = (name: string) => name.startsWith(`${key}.`) || name.startsWith(`${key}[`);
  const inside = all.filter((setting) => namesOf(setting).some(isInside));
  if (inside.length > 0) return { exact: false, settings: inside };
  const known = all.map((setting) => setting.key);
  const groups = known.flatMap((name) =>
    name.split(".").map((_, index, parts) => parts.slice(0, index).join(".")),
  );
  throw refuseUnknownKey(
    key,
    [...known, ...new Set(groups)].filter((name) => name !== ""),
  );
}

function showValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Secret) return value.toString();
  // Keys may also be part of a URL.
  return typeof value === "string" && /^https?:/i.test(value) ? showAddress(value) : value;
}
