import { LonghandError } from "../../errors.ts";
import { isHeld, removeFileSync, renameFileSync } from "../../files.ts";
import { listQuarantined, planQuarantine } from "../quarantined.ts";

/** Files that belong to a database; the last one only outside WAL mode. */
export const sidecars = ["-wal", "-shm", "-journal"] as const;

/**
 * Renames a damaged index, with its sidecars, to `<name>.corrupt-<n>` and returns the new name. The database goes
 * first: if the process dies in between, only sidecars without a database remain, which the next opening deletes.
 */
export function quarantine(path: string): string {
  const { target, outdated } = planQuarantine(path);
  try {
    renameFileSync(path, target);
  } catch (error) {
    throw isHeld(error) ? heldError(path, error) : error;
  }
  for (const suffix of sidecars) moveIfPresent(path + suffix, target + suffix);
  for (const file of outdated) removeWithSidecars(file);
  return target;
}

/** Deletes all quarantined files, because they contain old text; returns their names. */
export function removeQuarantined(path: string): string[] {
  const files = listQuarantined(path);
  for (const file of files) removeWithSidecars(file);
  return files;
}

/** Windows does not rename a database that another process has open. */
function heldError(path: string, cause: unknown): LonghandError {
  const why = "it is damaged, and cannot be quarantined while another process has it open";
  return new LonghandError("index-busy", `Could not open the index ${path}: ${why}.`, {
    hint: "End the other processes that use longhand, such as agent hosts and `longhand serve`, and try again. The notes are not affected.",
    retryable: true,
    cause,
  });
}

function removeWithSidecars(file: string): void {
  for (const suffix of ["", ...sidecars]) removeFileSync(file + suffix);
}

function moveIfPresent(from: string, to: string): void {
  try {
    renameFileSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
