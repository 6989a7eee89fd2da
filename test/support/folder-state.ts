import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every file below a folder with its bytes and timestamps: equal only if nothing was changed, created or removed. */
export function folderState(folder: string): Record<string, string> {
  const state: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeNs, size, mode } = lstatSync(path, { bigint: true });
    const hash = entry.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
    state[path] = `${mode}:${entry.isDirectory() ? "" : size}:${mtimeNs}:${hash}`;
  }
  return state;
}
