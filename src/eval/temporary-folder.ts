import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Lends a folder to some work and removes it afterwards, also when the work fails or the process ends early. */
export async function withTemporaryFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "longhand-eval-"));
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    return await work(dir);
  } finally {
    process.off("exit", remove);
    remove();
  }
}
