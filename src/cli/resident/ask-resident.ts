import { connect, type Socket } from "node:net";
import { isatty } from "node:tty";
import { optionIn } from "../../config/resident-socket.ts";
import { copyEnvironment } from "../../config/whole-environment.ts";
import { isHookCall } from "../is-hook-call.ts";
import { type SignalWatch, watchSignals } from "../watch-signals.ts";
import { describeProcess } from "./describe-process.ts";
import { type CallRequest, type FromResident, receive, send } from "./messages.ts";

/** A process that is busy for longer would not be faster than a new one. */
const acceptMs = 100;
/** More than any hook takes by itself, and what the resident may take to say that it gives up. */
const hookSeconds = 10;
const lateMs = 250;
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
  const printer = createPrinter();
  let signals: SignalWatch | undefined;
  let exitCode: number | undefined;
  /** Why this process does the work itself, for `--debug`. */
  let why = `it did not accept within ${acceptMs} ms`;
  let timer = setTimeout(() => socket.destroy(), acceptMs);
  socket.on("connect", () => send(socket, { kind: "request", request }));
  // The connection closes next.
  socket.on("error", (error) => {
    why = error.message;
  });
  socket.on("close", () => {
    clearTimeout(timer);
    signals?.stop();
    if (signals === undefined && isDebug(argv))
      printer.print("stderr", `not answered by a process: ${why}\n`);
    const code = exitCode ?? signals?.exitCode ?? (signals && giveUp(argv, printer));
    printer.whenWritten(() => resolve(code ?? null));
  });
  receive<FromResident>(socket, {
    maxChars,
    onMessage(message) {
      if (message.kind === "accepted" && signals === undefined) {
        clearTimeout(timer);
        signals = watchSignals((name) => send(socket, { kind: "signal", name }));
        send(socket, { kind: "go" });
        if (!isHookCall(argv)) return;
        const seconds = Number(optionIn(argv, "--within")) || hookSeconds;
        timer = setTimeout(() => socket.destroy(), seconds * 1000 - request.elapsedMs + lateMs);
        if (!request.isInputTerminal) passInputOn(socket);
      } else if (message.kind === "stdout" || message.kind === "stderr") {
        printer.print(message.kind, message.text);
      } else {
        if (message.kind === "exit") exitCode = message.code;
        if (message.kind === "refused") why = message.why;
        socket.destroy();
      }
    },
  });
  return await promise;
}

function isDebug(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes("--debug");
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

/** The process that answered was killed or hangs. A search can be repeated; a hook may have done its work. */
function giveUp(argv: readonly string[], printer: Printer): number | null {
  const isHook = isHookCall(argv);
  if (!printer.hasPrinted() && !isHook) return null;
  const problem = "The longhand process that answered did not finish.";
  const hint = "Run the same command again; with LONGHAND_RESIDENT=0 it asks no other process.";
  printer.print("stderr", isHook ? `longhand hook: ${problem}\n` : `error: ${problem}\nhint: ${hint}\n`);
  return isHook ? 0 : 1;
}

type Printer = ReturnType<typeof createPrinter>;

/** As a command prints by itself: a reader that stops early (`| head -1`) is no error, and a slow one gets everything. */
function createPrinter() {
  const opened = new Map<"stdout" | "stderr", NodeJS.WriteStream>();
  const open = (to: "stdout" | "stderr"): NodeJS.WriteStream => {
    const stream = process[to];
    opened.set(to, stream);
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (to === "stderr") return;
      if (error.code === "EPIPE") process.exit(0);
      print("stderr", `error: The output could not be written: ${error.message}\n`);
      process.exit(isHookCall(process.argv.slice(2)) ? 0 : 1);
    });
    return stream;
  };
  const print = (to: "stdout" | "stderr", text: string): void => {
    (opened.get(to) ?? open(to)).write(text);
  };
  return {
    print,
    hasPrinted: () => opened.size > 0,
    whenWritten(callBack: () => void): void {
      const [stdout, stderr] = [opened.get("stdout"), opened.get("stderr")];
      const afterStdout = () => (stderr ? stderr.write("", callBack) : callBack());
      if (stdout) stdout.write("", afterStdout);
      else afterStdout();
    },
  };
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
