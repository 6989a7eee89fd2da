import { join, resolve } from "node:path";
import type { Settings } from "../config/settings.ts";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { replaceFileSync } from "../files.ts";
import { readTextFile } from "../paths.ts";
import { parseJson } from "../text/parse-json.ts";

/** The location of an agent's index for display: a path, or an address without secrets. */
export interface IndexLocation {
  readonly driver: Settings["memorySearch"]["store"]["driver"];
  readonly place: string;
}

/** Non-default locations where an index of this agent was opened from this state folder. */
export function readIndexLocations(settings: LocationSettings): readonly IndexLocation[] {
  const locations = parseJson(readTextFile(indexLocationsFile(settings)) ?? "");
  return Array.isArray(locations) ? locations.filter(isLocation) : [];
}

export function createIndexLocation(driver: IndexLocation["driver"], location: string): IndexLocation {
  return { driver, place: location.includes("://") ? location : resolve(location) };
}

/** Default locations of an index. */
export function defaultIndexLocations({ stateDir, agentId }: LocationSettings): readonly IndexLocation[] {
  const file = join(stateDir, "memory", `${agentId}.longhand`);
  return [createIndexLocation("sqlite", `${file}.sqlite`), createIndexLocation("lancedb", `${file}.lance`)];
}

/**
 * Records a new non-default location, so that a later forget purges that index too. If that fails, the index is used
 * anyway.
 */
export async function rememberIndexLocation(
  settings: LocationSettings,
  location: IndexLocation,
  withLock: (file: string, work: () => void) => Promise<void>,
): Promise<void> {
  const isIn = (known: readonly IndexLocation[]): boolean =>
    known.some((each) => isSameLocation(each, location));
  if (isIn(defaultIndexLocations(settings)) || isIn(readIndexLocations(settings))) return;
  const file = indexLocationsFile(settings);
  try {
    await withLock(file, () => {
      const known = readIndexLocations(settings);
      if (!isIn(known)) replaceFileSync(file, `${JSON.stringify([...known, location], null, 2)}\n`);
    });
  } catch (error) {
    if (systemErrorCode(error) === undefined && !(error instanceof LonghandError)) throw error;
  }
}

export function isSameLocation(one: IndexLocation, other: IndexLocation): boolean {
  return one.driver === other.driver && one.place === other.place;
}

type LocationSettings = Pick<Settings, "stateDir" | "agentId">;

/** Next to the agent's sessions, wherever its index is. */
export function indexLocationsFile({ stateDir, agentId }: LocationSettings): string {
  return join(stateDir, "agents", agentId, "index-places.json");
}

function isLocation(value: unknown): value is IndexLocation {
  const { driver, place } = (value ?? {}) as Partial<IndexLocation>;
  return (driver === "sqlite" || driver === "lancedb" || driver === "postgres") && typeof place === "string";
}
