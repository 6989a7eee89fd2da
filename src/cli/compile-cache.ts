import { lstatSync, mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * Keeps compiled code between starts. Code is run from the folder, so it must be one that only this user can write to:
 * in the folder that Node would choose, another user of the machine could have put a cache of their own.
 */
export function keepCompiledCode(): void {
  try {
    const { uid } = userInfo();
    const dir = join(tmpdir(), `longhand-compile-cache-${uid}`);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const found = lstatSync(dir);
    const isOurs = found.isDirectory() && (uid === -1 || (found.uid === uid && (found.mode & 0o077) === 0));
    if (isOurs) enableCompileCache(dir);
  } catch {
    // Without the cache everything works, a little later.
  }
}
