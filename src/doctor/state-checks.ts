import { statSync } from "node:fs";
import { dirname } from "node:path";
import { LonghandError } from "../errors.ts";
import { findLoose, stateFilesOf } from "../upkeep/state-files.ts";
import { type Check, type CheckGroup, unwell, well } from "./check.ts";
import { whyUnwritable } from "./why-unwritable.ts";

/** The state folder, and the files of the index in it. */
export const checkState: CheckGroup = ({ settings }) => {
  if (settings instanceof LonghandError) return [];
  const { stateDir, memorySearch } = settings;
  const folder = dirname(memorySearch.store.path);
  return [checkWritable(stateDir), checkPrivacy(folder, memorySearch.store.path)];
};

function checkWritable(folder: string): Check {
  const name = "state folder";
  const there = nearestThere(folder);
  const detail = there === folder ? folder : `${folder} is made when it is needed`;
  const why = whyUnwritable(there);
  if (why !== null) {
    const fix = `Make ${there} writable, or name another folder with --state-dir or LONGHAND_STATE_DIR.`;
    return unwell(name, `${there} cannot be written to (${why})`, fix);
  }
  if (statSync(there).isDirectory()) return well(name, detail);
  return unwell(name, `${there} is not a folder`, "Move it away, or name another folder with --state-dir.");
}

function checkPrivacy(folder: string, dbPath: string): Check {
  const loose = findLoose(stateFilesOf(dbPath));
  const [first] = loose;
  if (first === undefined) return well("privacy", "only you can read the index");
  const more = loose.length > 1 ? ` and ${loose.length - 1} more` : "";
  const mode = first.mode.toString(8);
  return unwell(
    "privacy",
    `other users may open ${first.path} (mode ${mode})${more}`,
    `Run \`longhand status --fix\`, which closes the files in ${folder} to others.`,
  );
}

function nearestThere(folder: string): string {
  const isThere = statSync(folder, { throwIfNoEntry: false }) !== undefined;
  return isThere || dirname(folder) === folder ? folder : nearestThere(dirname(folder));
}
