import { useProxy } from "../config/proxy.ts";
import { LonghandError } from "../errors.ts";
import { readVersion } from "../version.ts";
import { type Caller, ownCaller } from "./caller.ts";
import { asLonghandError, exitCodeOf, renderFailure } from "./failure.ts";
import { isHookCall } from "./is-hook-call.ts";
import { createOutput, type Output, widthOf } from "./output.ts";
import { type Invocation, parseCommandLine } from "./parse-command-line.ts";
import { isAllWritten, standardStreams } from "./standard-streams.ts";
import { wrapText } from "./text-width.ts";

/** The process around one command line: uncaught errors and the exit code. */
export async function runProcess(taken?: Caller["input"]): Promise<void> {
  const { stderr } = standardStreams();
  process.on("uncaughtException", (thrown) => {
    const debug = process.argv.includes("--debug");
    stderr.write(`${renderFailure(asLonghandError(thrown), { paint: (_, text) => text, debug })}\n`);
    process.exit(isHookCall(process.argv.slice(2)) ? 0 : 1);
  });
  useProxy();
  const argv = process.argv.slice(2);
  process.exitCode = await runCommandLine(argv, ownCaller(argv, taken));
  // Everything is closed. The process would exit by itself, but Node would first free its memory object by object.
  if (isAllWritten()) process.exit();
}

/** Runs one command line and returns its exit code. */
export async function runCommandLine(argv: readonly string[], caller: Caller): Promise<number> {
  const exitCode = await runCommand(argv, caller);
  return isHookCall(argv) ? 0 : exitCode;
}

async function runCommand(argv: readonly string[], caller: Caller): Promise<number> {
  // The command line itself may be invalid, so the options for reporting errors are read by hand.
  const words = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const { stdout, stderr, signals } = caller;
  const output = createOutput(
    {
      json: words.includes("--json"),
      quiet: words.includes("--quiet"),
      color: !words.includes("--no-color"),
    },
    caller,
  );
  const debug = words.includes("--debug");
  let exitCode = 0;
  try {
    if (debug) {
      stderr.write(`longhand ${readVersion()}, Node ${process.versions.node}, ${process.platform}\n`);
      if (caller.answeredBy !== undefined) stderr.write(`answered by ${caller.answeredBy}\n`);
    }
    const invocation = parseCommandLine(argv);
    if (invocation.kind === "version") {
      stdout.write(`${readVersion()}\n`);
      return 0;
    }
    if (invocation.kind === "help") return await showHelp(invocation, output, caller);
    const run = await invocation.command.load();
    await run(
      {
        globals: invocation.globals,
        output,
        get input() {
          return caller.input;
        },
        get currentDir() {
          return caller.currentDir;
        },
        caller,
        now: new Date(),
        markFailed: () => {
          exitCode = 1;
        },
        signal: signals.signal,
      },
      invocation.input as never,
    );
    return signals.exitCode ?? exitCode;
  } catch (thrown) {
    const error = asLonghandError(thrown);
    if (output.json) stdout.write(`${JSON.stringify({ error })}\n`);
    if (signals.exitCode !== undefined && error.code === "aborted") return signals.exitCode;
    if (!output.json || debug) {
      const text = renderFailure(error, { paint: output.paintNote, debug });
      // A wrapped line could not be pasted.
      const isWhole = debug || error.code === "host-config-unusable";
      stderr.write(`${isWhole ? text : wrapText(text, widthOf(stderr))}\n`);
    }
    return exitCodeOf(error);
  } finally {
    signals.stop();
  }
}

async function showHelp(
  { command, asked }: Invocation & { kind: "help" },
  output: Output,
  { stdout, stderr }: Caller,
): Promise<number> {
  if (!asked && output.json) {
    throw new LonghandError("usage", "No command was given.", {
      hint: "See the commands with `longhand --help`.",
    });
  }
  const { renderCommandHelp, renderOverview } = await import("./help.ts");
  const style = asked
    ? { paint: output.view.paint, width: stdout.columns || 80 }
    : { paint: output.paintNote, width: stderr.columns || 80 };
  const text = command === null ? renderOverview(style) : renderCommandHelp(command, style);
  (asked ? stdout : stderr).write(text);
  return asked ? 0 : 2;
}
