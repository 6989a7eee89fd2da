import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { fileSystemKind } from "../file-system-kind.ts";
import type { WithLock } from "../notes/notes.ts";
import { realPath } from "../real-path.ts";
import { withFileLock } from "../stores/lock.ts";
import { withShareLock } from "../stores/share-lock.ts";
import { sha256 } from "../text/hash.ts";

/** One lock per workspace for all agents that write to it, and a second one on a share that other machines write to. */
export function chooseNotesLock({ stateDir, workspaceDir }: Settings): WithLock {
  return async (work, { signal }) => {
    const name = `notes-${sha256(realPath(workspaceDir)).slice(0, 16)}.lock`;
    const under = join(stateDir, "locks", name);
    return await withFileLock(under, { signal }, () => {
      // Asked each time: a share may be mounted while a server runs.
      const folder = [workspaceDir, join(workspaceDir, "memory")].find(
        (each) => fileSystemKind(each) === "remote",
      );
      return folder === undefined ? work() : withShareLock(folder, { signal, under }, work);
    });
  };
}
