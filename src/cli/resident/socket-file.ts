import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { connect, type Server } from "node:net";
import { join } from "node:path";
import { isPrivateFolder } from "../../config/private-folder.ts";
import { residentSocketIn } from "../../config/resident-socket.ts";

/**
 * Makes the server reachable as the resident of this state folder, and returns how to end that; null if it cannot be,
 * for example because another process is.
 */
export async function publish(
  server: Server,
  stateDir: string,
  { replacesLiving }: { readonly replacesLiving: boolean },
): Promise<(() => void) | null> {
  const { folder, socket } = residentSocketIn(stateDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isPrivateFolder(folder) || (!replacesLiving && (await isAlive(socket)))) return null;
  // Renaming replaces the socket of a process that was killed. If two processes do so at once, the last one is found.
  const draft = join(folder, `${process.pid}-${Math.random().toString(36).slice(2, 8)}`);
  await listen(server, draft);
  chmodSync(draft, 0o600);
  const { ino } = lstatSync(draft);
  renameSync(draft, socket);
  return () => {
    if (lstatSync(socket, { throwIfNoEntry: false })?.ino === ino) rmSync(socket, { force: true });
  };
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
