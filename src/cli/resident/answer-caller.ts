import type { Socket } from "node:net";
import { runCommandLine } from "../main.ts";
import { createCancelling } from "../watch-signals.ts";
import {
  type CallRequest,
  type FromCaller,
  type FromResident,
  maxMessageChars,
  receive,
  requestMs,
  send,
} from "./messages.ts";
import { createRemoteCaller, type RemoteCaller } from "./remote-caller.ts";

/** A caller that does not read its answer must not keep it in memory for longer. */
const readMs = 5000;

export interface Desk {
  /** Takes the place of the caller, or says why not. Only one caller at a time is accepted. */
  accept(request: CallRequest): string | null;
  /** After each caller that was accepted. */
  release(): void;
  /** Ends this process after its last words: a command was given up while it was running. */
  abandon(): void;
}

/** One connection: a request, whether it is accepted, and what its command line prints. */
export function answerCaller(socket: Socket, desk: Desk): void {
  const reply = (message: FromResident) => void send(socket, message);
  // A command that ignores this for too long would end its own process as well.
  const cancelling = createCancelling(() => desk.abandon());
  const unread = setTimeout(() => socket.destroy(), requestMs);
  let caller: RemoteCaller | undefined;
  let request: CallRequest | undefined;
  let isAccepted = false;
  let isRunning = false;
  let isOver = false;

  const finish = (code: number): void => {
    if (isOver) return;
    isOver = true;
    reply({ kind: "exit", code });
    socket.end();
    setTimeout(() => socket.destroy(), readMs).unref();
  };

  socket.on("error", () => {});
  socket.on("close", () => {
    clearTimeout(unread);
    if (isAccepted && !isRunning) desk.release();
    if (isRunning && !isOver && cancelling.exitCode === undefined) cancelling.cancel("SIGTERM");
  });
  receive<FromCaller>(socket, {
    maxChars: maxMessageChars,
    onMessage(message) {
      if (message.kind === "request" && request === undefined) {
        request = message.request;
        const why = desk.accept(request);
        isAccepted = why === null;
        reply(why === null ? { kind: "accepted" } : { kind: "refused", why });
        if (why !== null) socket.end();
      } else if (message.kind === "go" && request !== undefined && isAccepted && !isRunning) {
        clearTimeout(unread);
        isRunning = true;
        caller = createRemoteCaller(socket, request, {
          signals: cancelling,
          exit: (code) => {
            finish(code);
            desk.abandon();
          },
        });
        void runCommandLine(request.argv, caller)
          .then(finish)
          .finally(() => desk.release());
      } else if (message.kind === "signal" && isRunning && !isOver) cancelling.cancel(message.name);
      else caller?.onMessage(message);
    },
  });
}
