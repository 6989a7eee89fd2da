import { statSync } from "node:fs";
import { lanceAccess } from "../config/lance-access.ts";
import { withStore } from "../config/other-store.ts";
import type { Settings } from "../config/settings.ts";
import type { Edited, Purge } from "../engines/engine.ts";
import { LonghandError } from "../errors.ts";
import { removeTemporaryIndexes } from "../upkeep/temporary-index.ts";
import {
  createIndexLocation,
  defaultIndexLocations,
  type IndexLocation,
  indexLocationsFile,
  isSameLocation,
  readIndexLocations,
} from "./index-locations.ts";

interface CopyParts {
  readonly settings: Settings;
  /** The index in use. */
  readonly current: IndexLocation;
  /** Opens the index of other settings and purges it. */
  readonly purgeOther: (settings: Settings, edited: Edited) => ReturnType<Purge>;
}

/**
 * A purge that also covers what the engine does not know: temporary indexes of a killed `verify`, and indexes of the
 * same agent in stores used before.
 */
export function preparePurgeOfCopies(purge: Purge, parts: CopyParts): Purge {
  return async (edited) => {
    const outcome = await purge(edited);
    const { deleted, inUse } = removeTemporaryIndexes(parts.settings.memorySearch.store.path);
    const problems = inUse.map(
      (folder) =>
        `A running \`longhand verify\` has built an index in ${folder}. It is deleted when that ends; then forget again.`,
    );
    const alsoPurged: string[] = [];
    for (const location of findEarlier(parts)) {
      const problem = await purgeEarlier(location, parts, edited);
      if (problem === null) alsoPurged.push(location.place);
      else if (problem !== "foreign") problems.push(problem);
    }
    return {
      ...outcome,
      deletedFiles: [...outcome.deletedFiles, ...deleted],
      alsoPurged,
      problems: [...(outcome.problems ?? []), ...problems],
    };
  };
}

/** Indexes that are known to have been used or are at default locations, if they still exist. */
function findEarlier({ settings, current }: CopyParts): IndexLocation[] {
  const candidates: IndexLocation[] = [
    ...readIndexLocations(settings),
    ...defaultIndexLocations(settings),
    createIndexLocation("sqlite", settings.memorySearch.store.path),
    createIndexLocation("lancedb", lanceAccess(withStore(settings, { driver: "lancedb" })).location),
  ];
  const others = candidates.filter(
    (location, index) =>
      !isSameLocation(location, current) &&
      candidates.findIndex((each) => isSameLocation(each, location)) === index,
  );
  return others.filter(({ driver, place }) => {
    if (place.includes("://")) return true;
    const stats = statSync(place, { throwIfNoEntry: false });
    return driver === "sqlite" ? stats?.isFile() : stats?.isDirectory();
  });
}

/** Null on success, otherwise the reason. */
async function purgeEarlier(
  location: IndexLocation,
  { settings, purgeOther }: CopyParts,
  edited: Edited,
): Promise<string | "foreign" | null> {
  const tell = (why: string): string =>
    `The index ${location.place}, used before, may still hold the text. ${why}`;
  const entry = `If it is gone, remove its entry from ${indexLocationsFile(settings)}.`;
  if (location.place.includes("://"))
    return tell(`It is not in use, so longhand does not reach it. ${entry}`);
  try {
    const outcome = await purgeOther(settingsFor(location, settings), edited);
    const [problem = null] = outcome.problems ?? [];
    if (problem !== null) return tell(problem);
    const isLeft = outcome.rawSearch === "found" || outcome.rawSearch === "not-searched";
    return isLeft ? tell(`${outcome.detail}. Delete it if you do not need it.`) : null;
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    if (error.code === "index-foreign") return "foreign";
    return tell(`${error.message} Delete it if you do not need it.`);
  }
}

function settingsFor({ driver, place }: IndexLocation, settings: Settings): Settings {
  if (driver === "lancedb") return withStore(settings, { driver, url: place });
  const there = withStore(settings, { driver: "sqlite" });
  const { memorySearch } = there;
  return { ...there, memorySearch: { ...memorySearch, store: { ...memorySearch.store, path: place } } };
}
