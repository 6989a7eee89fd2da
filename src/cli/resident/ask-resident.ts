import { connect, type Socket } from "node:net";
import { isatty } from "node:tty";
import { optionIn } from "../../config/resident-socket.ts";
import { copyEnvironment } from "../../config/whole-environment.ts";
import type { CommandContext } from "../command.ts";
import { isHookCall } from "../is-hook-call.ts";
import { type SignalWatch, watchSignals } from "../watch-signals.ts";
import { describeProcess } from "./describe-process.ts";
import { type CallRequest, type FromResident, receive, send } from "./messages.ts";

type Input = CommandContext["input"];

/** A process that is busy for longer would not be faster than a new one. */
const acceptMs = 100;
/** More than any hook takes by itself, and what the resident may take to say that it gives up. */
const hookSeconds = 10;
const lateMs = 250;
/** Longer than any answer. */
const maxChars = 256 * 1024 * 1024;

/** More than a hook reads. Then it cannot be repeated. */
const maxKeptBytes = 16 * 1024 * 1024;

/**
 * Lets a running process answer this command line, and resolves with the exit code. If this process has to do it itself,
 * it resolves with null, or with the input if some of that was read already.
 */
export async function askResident(path: string, argv: readonly string[]): Promise<number | Input | null> {
  const request = describeCall(argv);
  const { promise, resolve } = Promise.withResolvers<number | Input | null>();
  const socket = connect(path);
  const printer = createPrinter();
  let signals: SignalWatch | undefined;
  let takeBack: (() => Input | null) | undefined;
  let exitCode: number | undefined;
  let isLate = false;
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
    const code = exitCode ?? signals?.exitCode;
    if (code !== undefined) return printer.whenWritten(() => resolve(code));
    // A search or a hook that was cut off before its first word is repeated: what a hook writes, it writes once.
    const mayRepeat = signals === undefined || (!printer.hasPrinted() && !isLate);
    const input = takeBack?.() ?? null;
    if (!mayRepeat || (takeBack !== undefined && input === null)) {
      const failed = giveUp(argv, printer);
      return printer.whenWritten(() => resolve(failed));
    }
    if (isDebug(argv)) printer.print("stderr", `not answered by a process: ${signals ? cutOff : why}\n`);
    printer.whenWritten(() => resolve(input));
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
        const endLate = (): void => {
          isLate = true;
          socket.destroy();
        };
        timer = setTimeout(endLate, seconds * 1000 - request.elapsedMs + lateMs);
        if (!request.isInputTerminal) takeBack = passInputOn(socket);
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
    pid: process.pid,
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

const cutOff = "it did not finish";

/** The process that answered was killed or hangs, and what it has printed cannot be taken back. */
function giveUp(argv: readonly string[], printer: Printer): number {
  const isHook = isHookCall(argv);
  const problem = "The longhand process that answered did not finish.";
  const hint = "Run the same command again; with LONGHAND_RESIDENT=0 it asks no other process.";
  printer.print("stderr", isHook ? `longhand hook: ${problem}\n` : `error: ${problem}\nhint: ${hint}\n`);
  return isHook ? 0 : 1;
}

type Printer = ReturnType<typeof createPrinter>;

/** As a command prints by itself: a reader that stops early (`| head -1`) is no error, and a slow one gets everything. */
function createPrinter() {
  const opened = new Map<"stdout" | "stderr", NodeJS.WriteStream>();
  let failure: Error | undefined;
  const open = (to: "stdout" | "stderr"): NodeJS.WriteStream => {
    const stream = process[to];
    opened.set(to, stream);
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (to === "stderr") return;
      if (error.code === "EPIPE") process.exit(0);
      // Reported at the end: what belongs on stderr comes before it.
      failure ??= error;
    });
    return stream;
  };
  const print = (to: "stdout" | "stderr", text: string): void => {
    (opened.get(to) ?? open(to)).write(text);
  };
  return {
    print,
    hasPrinted: () => opened.has("stdout") || (opened.has("stderr") && !isHookCall(process.argv.slice(2))),
    whenWritten(callBack: () => void): void {
      if (failure !== undefined) {
        print("stderr", `error: The output could not be written: ${failure.message}\n`);
        process.exit(isHookCall(process.argv.slice(2)) ? 0 : 1);
      }
      const [stdout, stderr] = [opened.get("stdout"), opened.get("stderr")];
      const afterStdout = () => (stderr ? stderr.write("", callBack) : callBack());
      if (stdout) stdout.write("", afterStdout);
      else afterStdout();
    },
  };
}

/** The returned function ends that, and gives all of the input; null if it was too much to keep. */
function passInputOn(socket: Socket): () => Input | null {
  const { stdin } = process;
  const parts: Buffer[] = [];
  let keptBytes = 0;
  let isEnded = false;
  const onData = (bytes: Buffer): void => {
    keptBytes += bytes.byteLength;
    if (keptBytes <= maxKeptBytes) parts.push(bytes);
    else parts.length = 0;
    const isFlowing = send(socket, { kind: "input", bytes: bytes.toString("base64") });
    if (isFlowing) return;
    stdin.pause();
    socket.once("drain", () => stdin.resume());
  };
  const end = (error?: Error): void => {
    isEnded = true;
    send(socket, { kind: "input-end", ...(error && { problem: error.message }) });
  };
  stdin.on("data", onData);
  stdin.on("end", () => end()).on("error", end);
  return () => {
    stdin.off("data", onData).pause();
    if (keptBytes > maxKeptBytes) return null;
    return {
      isTTY: false,
      async *[Symbol.asyncIterator]() {
        yield* parts;
        if (!isEnded) yield* stdin;
      },
      destroy: () => void stdin.destroy(),
    };
  };
}
