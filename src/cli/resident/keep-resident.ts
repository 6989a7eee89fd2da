import { type ChildProcess, fork } from "node:child_process";
import { createServer } from "node:net";
import { findLocations } from "../../config/locations.ts";
import { programFile } from "../../package-files.ts";
import type { GlobalOptions } from "../command.ts";
import { locationsOf } from "../with-memory.ts";
import { type FromCaller, type FromResident, maxMessageChars, receive, requestMs, send } from "./messages.ts";
import { publish } from "./socket-file.ts";

/** The resident of another process may have ended. */
const retryMs = 60_000;

/**
 * While this process runs, others with the same settings have a resident: a process of its own, so that it can take the
 * place of its callers, and started for the first of them, which is not answered yet. Nothing requires it, so a failure
 * only means that there is none.
 */
export function keepResident(globals: GlobalOptions): Disposable {
  const { stateDir, configPath } = findLocations(locationsOf(globals));
  let resident: ChildProcess | undefined;
  let stopWaiting: (() => void) | undefined;
  let isOver = false;

  const start = (): void => {
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
      stopWaiting?.();
    });
    started.once("error", end).once("exit", () => {
      resident = undefined;
      // One that cannot start would not start for the next caller either.
      if (isReady) void wait();
      else end();
    });
    started.unref();
    started.channel?.unref();
  };
  const wait = async (): Promise<void> => {
    if (isOver || stopWaiting !== undefined || resident !== undefined) return;
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
    stopWaiting = () => {
      stopWaiting = undefined;
      server.close();
    };
    try {
      const unpublish = await publish(server, stateDir, { replacesLiving: false });
      if (unpublish === null) return stopWaiting?.();
      server.unref();
      stopWaiting = () => {
        stopWaiting = undefined;
        unpublish();
        server.close();
      };
      if (isOver) stopWaiting();
    } catch {
      end();
    }
  };
  const retry = setInterval(() => void wait(), retryMs).unref();
  void wait();

  function end(): void {
    isOver = true;
    clearInterval(retry);
    stopWaiting?.();
    if (resident?.connected) resident.disconnect();
  }
  return { [Symbol.dispose]: end };
}
