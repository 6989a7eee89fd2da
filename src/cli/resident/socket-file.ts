import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { connect, type Server } from "node:net";
import { join } from "node:path";
import { isPrivateFolder } from "../../config/private-folder.ts";
import { residentSocketIn } from "../../config/resident-socket.ts";

export interface Publication {
  /** Whether callers find this server, and not one that has taken its place. */
  isFound(): boolean;
  unpublish(): void;
}

/**
 * Makes the server reachable as the resident of this state folder; null if it cannot be, for example because another
 * process is.
 */
export async function publish(
  server: Server,
  stateDir: string,
  { replacesLiving }: { readonly replacesLiving: boolean },
): Promise<Publication | null> {
  const { folder, socket } = residentSocketIn(stateDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isPrivateFolder(folder) || (!replacesLiving && (await isAlive(socket)))) return null;
  // Renaming replaces the socket of a process that was killed. If two processes do so at once, the last one is found.
  const draft = join(folder, `${process.pid}-${Math.random().toString(36).slice(2, 8)}`);
  await listen(server, draft);
  chmodSync(draft, 0o600);
  const own = nameOfFile(draft);
  renameSync(draft, socket);
  const isFound = () => nameOfFile(socket) === own;
  return {
    isFound,
    unpublish() {
      if (isFound()) rmSync(socket, { force: true });
    },
  };
}

/** File systems use the number of a file that was removed for the next one. */
function nameOfFile(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.mtimeMs}` : null;
}

async function isAlive(path: string): Promise<boolean> {
  if (!lstatSync(path, { throwIfNoEntry: false })) return false;
  return await new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
