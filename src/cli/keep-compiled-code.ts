import { isPrivateFolder } from "../config/private-folder.ts";

/**
 * Enables the compile cache. Code is executed from it, so its folder must be writable only by this user: in Node's
 * default folder, another user of the machine could have planted a cache.
 */
export function keepCompiledCode(): void {
  try {
    // Not imported, because an outdated Node, which also loads this, may lack some of it.
    const { existsSync, mkdirSync } = process.getBuiltinModule("node:fs");
    const { enableCompileCache } = process.getBuiltinModule("node:module");
    const { tmpdir } = process.getBuiltinModule("node:os");
    const { join } = process.getBuiltinModule("node:path");
    const dir = join(tmpdir(), `longhand-compile-cache-${process.getuid?.() ?? "user"}`);
    if (!existsSync(dir)) mkdirSync(dir, { mode: 0o700 });
    if (isPrivateFolder(dir)) enableCompileCache(dir);
  } catch {
    // Without the cache everything works, only slower.
  }
}
