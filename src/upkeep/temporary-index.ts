import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { temporaryPrefix } from "./state-files.ts";

/** Lends the path of an index that is not there yet, and removes whatever has come to stand there. */
export async function withTemporaryIndex<T>(dbPath: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = makeFolder(dbPath);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    return await work(join(folder, "index.sqlite"));
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Beside the index, where as much room and privacy is to be had; elsewhere when nothing can be written there. */
function makeFolder(dbPath: string): string {
  const prefix = temporaryPrefix(dbPath);
  try {
    return mkdtempSync(join(dirname(dbPath), prefix));
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return mkdtempSync(join(tmpdir(), "longhand-verify-"));
  }
}
