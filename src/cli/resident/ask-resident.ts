import { connect, type Socket } from "node:net";
import { isatty } from "node:tty";
import { copyEnvironment } from "../../config/whole-environment.ts";
import { isHookCall } from "../is-hook-call.ts";
import { type SignalWatch, watchSignals } from "../watch-signals.ts";
import { describeProcess } from "./describe-process.ts";
import { type CallRequest, type FromResident, receive, send } from "./messages.ts";

/** A process that is busy for longer would not be faster than a new one. */
const acceptMs = 100;
/** Longer than any answer. */
const maxChars = 256 * 1024 * 1024;

/**
 * Lets a running process answer this command line, and resolves with the exit code; or with null if this process has to
 * do it itself.
 */
export async function askResident(path: string, argv: readonly string[]): Promise<number | null> {
  const request = describeCall(argv);
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const socket = connect(path);
  let signals: SignalWatch | undefined;
  let hasPrinted = false;
  const timer = setTimeout(() => socket.destroy(), acceptMs);
  socket.on("connect", () => send(socket, { kind: "request", request }));
  // The connection closes next.
  socket.on("error", () => {});
  socket.on("close", () => {
    clearTimeout(timer);
    signals?.stop();
    if (signals === undefined) resolve(null);
    else resolve(giveUp(argv, hasPrinted));
  });
  receive<FromResident>(socket, {
    maxChars,
    onMessage(message) {
      if (message.kind === "accepted" && signals === undefined) {
        clearTimeout(timer);
        signals = watchSignals((name) => send(socket, { kind: "signal", name }));
        send(socket, { kind: "go" });
        if (isHookCall(argv) && !request.isInputTerminal) passInputOn(socket);
      } else if (message.kind === "stdout" || message.kind === "stderr") {
        hasPrinted = true;
        print(message.kind, message.text);
      } else if (message.kind === "exit") {
        resolve(message.code);
        socket.destroy();
      } else if (message.kind === "refused") {
        socket.destroy();
      }
    },
  });
  return await promise;
}

function describeCall(argv: readonly string[]): CallRequest {
  const env = copyEnvironment();
  return {
    process: describeProcess(env),
    argv,
    cwd: process.cwd(),
    env,
    umask: process.umask(),
    elapsedMs: process.uptime() * 1000,
    isInputTerminal: isatty(0),
    stdoutColumns: isatty(1) ? (process.stdout.columns ?? 0) : null,
    stderrColumns: isatty(2) ? (process.stderr.columns ?? 0) : null,
  };
}

/** The process that answered has been killed. A search can be repeated; a hook may have done its work. */
function giveUp(argv: readonly string[], hasPrinted: boolean): number | null {
  const isHook = isHookCall(argv);
  if (!hasPrinted && !isHook) return null;
  const problem = "The longhand process that answered was ended before it had finished.";
  const text = isHook
    ? `longhand hook: ${problem}`
    : `error: ${problem}\nhint: Run the same command again; LONGHAND_RESIDENT=0 keeps it from asking another process.`;
  print("stderr", `${text}\n`);
  return isHook ? 0 : 1;
}

/** As a command prints by itself: a reader that stops early (`| head -1`) is no error. */
function print(to: "stdout" | "stderr", text: string): void {
  const stream = process[to];
  if (stream.listenerCount("error") === 0) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (to === "stderr") return;
      if (error.code !== "EPIPE")
        print("stderr", `error: The output could not be written: ${error.message}\n`);
      process.exit(error.code === "EPIPE" ? 0 : 1);
    });
  }
  stream.write(text);
}

function passInputOn(socket: Socket): void {
  const { stdin } = process;
  stdin.on("data", (bytes: Buffer) => {
    const isFlowing = send(socket, { kind: "input", bytes: bytes.toString("base64") });
    if (isFlowing) return;
    stdin.pause();
    socket.once("drain", () => stdin.resume());
  });
  const end = () => void send(socket, { kind: "input-end" });
  stdin.on("end", end).on("error", end);
}
