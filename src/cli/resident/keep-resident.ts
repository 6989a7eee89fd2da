import { type ChildProcess, fork } from "node:child_process";
import { type FSWatcher, watch } from "node:fs";
import { createServer, type Server } from "node:net";
import { basename } from "node:path";
import { findLocations } from "../../config/locations.ts";
import { residentSocketIn } from "../../config/resident-socket.ts";
import { programFile } from "../../package-files.ts";
import type { GlobalOptions } from "../command.ts";
import { locationsOf } from "../with-memory.ts";
import { type FromCaller, type FromResident, maxMessageChars, receive, requestMs, send } from "./messages.ts";
import { type Publication, publish } from "./socket-file.ts";

/** The resident of another process may have ended without a trace in its folder. */
const retryMs = 60_000;
/** After this many failed starts in a row, a resident is given up. */
const maxFailures = 3;

/**
 * While this process runs, others with the same settings have a resident: a process of its own, so that it can take the
 * place of its callers, and started for the first of them, which is not answered yet. Nothing requires it, so a failure
 * only means that there is none.
 */
export function keepResident(globals: GlobalOptions): Disposable {
  const { stateDir, configPath } = findLocations(locationsOf(globals));
  let resident: ChildProcess | undefined;
  /** A server that waits for the first caller; `publication` is set once callers can find it. */
  let waiting: { readonly server: Server; publication?: Publication } | undefined;
  let watcher: FSWatcher | undefined;
  let failures = 0;
  /** A change while this process is looking makes it look again. */
  let hasChanged = false;
  let isOver = false;

  function start(): void {
    if (isOver || resident !== undefined) return;
    const started = fork(programFile("cli/resident/process"), [stateDir, configPath], {
      cwd: "/",
      // Keys typed at our terminal, and signals for our process group, are not meant for it.
      detached: true,
      execArgv: [],
      windowsHide: true,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    resident = started;
    let isReady = false;
    started.once("message", () => {
      isReady = true;
      failures = 0;
      stopWaiting();
    });
    const onEnd = (): void => {
      if (resident !== started) return;
      resident = undefined;
      if (!isReady) failures++;
      if (failures < maxFailures) void wait();
      else end();
    };
    started.once("error", onEnd).once("exit", onEnd);
    started.unref();
    started.channel?.unref();
  }

  async function wait(): Promise<void> {
    hasChanged = true;
    if (isOver || resident !== undefined) return;
    // A resident that was killed at its start, or another process, may have taken its place.
    if (waiting?.publication?.isFound() === false) stopWaiting();
    if (waiting !== undefined) return;
    hasChanged = false;
    const server = createServer((socket) => {
      socket.on("error", () => {}).setTimeout(requestMs, () => socket.destroy());
      receive<FromCaller>(socket, {
        maxChars: maxMessageChars,
        onMessage() {
          send<FromResident>(socket, { kind: "refused", why: "it is just being started" });
          socket.end();
          start();
        },
      });
    });
    waiting = { server };
    try {
      const publication = await publish(server, stateDir, { replacesLiving: false });
      const isNewlyWatching = follow();
      if (publication !== null) {
        server.unref();
        waiting.publication = publication;
      }
      if (publication === null || isOver) stopWaiting();
      if (hasChanged || isNewlyWatching) void wait();
    } catch {
      stopWaiting();
      end();
    }
  }

  function stopWaiting(): void {
    waiting?.publication?.unpublish();
    waiting?.server.close();
    waiting = undefined;
  }

  /** Looks again when the resident of another process ends. True if that may have been missed until now. */
  function follow(): boolean {
    if (isOver || watcher !== undefined) return false;
    const { folder, socket } = residentSocketIn(stateDir);
    try {
      watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === basename(socket)) void wait();
      });
      watcher.on("error", stopFollowing);
      return true;
    } catch {
      // Then it looks again after a while.
      return false;
    }
  }

  function stopFollowing(): void {
    watcher?.close();
    watcher = undefined;
  }

  function end(): void {
    isOver = true;
    clearInterval(retry);
    // If it is being published, that stops it.
    if (waiting?.publication !== undefined) stopWaiting();
    stopFollowing();
    if (resident?.connected) resident.disconnect();
  }

  const retry = setInterval(() => void wait(), retryMs).unref();
  void wait();
  return { [Symbol.dispose]: end };
}
