import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Settings } from "../config/settings.ts";
import { systemErrorCode } from "../errors.ts";
import { renameFileSync } from "../rename-file.ts";

/** The location of an agent's index for display: a path, or an address without secrets. */
export interface IndexPlace {
  readonly driver: Settings["memorySearch"]["store"]["driver"];
  readonly place: string;
}

/** Non-default places where an index of this agent was opened from this state folder. */
export function readPlaces(settings: Settings): readonly IndexPlace[] {
  try {
    const places: unknown = JSON.parse(readFileSync(placesFile(settings), "utf8"));
    return Array.isArray(places) ? places.filter(isPlace) : [];
  } catch (error) {
    if (systemErrorCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return [];
  }
}

export function createPlace(driver: IndexPlace["driver"], place: string): IndexPlace {
  return { driver, place: place.includes("://") ? place : resolve(place) };
}

/** Default locations of an index. */
export function defaultPlaces({ stateDir, agentId }: PlaceSettings): readonly IndexPlace[] {
  const file = join(stateDir, "memory", `${agentId}.longhand`);
  return [createPlace("sqlite", `${file}.sqlite`), createPlace("lancedb", `${file}.lance`)];
}

/** Records a new non-default place. If that fails, the index is used anyway. */
export function rememberPlace(settings: Settings, place: IndexPlace): void {
  if (defaultPlaces(settings).some((each) => isSamePlace(each, place))) return;
  const known = readPlaces(settings);
  if (known.some((each) => isSamePlace(each, place))) return;
  const file = placesFile(settings);
  const draft = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify([...known, place], null, 2)}\n`, { mode: 0o600 });
    renameFileSync(draft, file);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

export function isSamePlace(one: IndexPlace, other: IndexPlace): boolean {
  return one.driver === other.driver && one.place === other.place;
}

type PlaceSettings = Pick<Settings, "stateDir" | "agentId">;

/** Next to the agent's sessions, wherever its index is. */
export function placesFile({ stateDir, agentId }: PlaceSettings): string {
  return join(stateDir, "agents", agentId, "index-places.json");
}

function isPlace(value: unknown): value is IndexPlace {
  const { driver, place } = (value ?? {}) as Partial<IndexPlace>;
  return (driver === "sqlite" || driver === "lancedb" || driver === "postgres") && typeof place === "string";
}
