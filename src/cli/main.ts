import { useProxy } from "../config/proxy.ts";
import { LonghandError } from "../errors.ts";
import { readVersion } from "../version.ts";
import { commandGroups, commands } from "./commands.ts";
import { asLonghandError, exitCodeOf, renderFailure } from "./failure.ts";
import { globalOptions } from "./global-options.ts";
import { isHookCall } from "./is-hook-call.ts";
import { createOutput, fit, type Output } from "./output.ts";
import { type CommandTable, type Invocation, parseCommandLine } from "./parse-command-line.ts";
import { openPlainInput } from "./plain-input.ts";
import { isAllWritten, isPlainDescriptor, standardStreams } from "./standard-streams.ts";

/** The process around one command line: uncaught errors and the exit code. */
export async function runProcess(): Promise<void> {
  const { stderr } = standardStreams();
  process.on("uncaughtException", (thrown) => {
    const debug = process.argv.includes("--debug");
    stderr.write(`${renderFailure(asLonghandError(thrown), { paint: (_, text) => text, debug })}\n`);
    process.exit(isHookCall(process.argv.slice(2)) ? 0 : 1);
  });
  useProxy();
  process.exitCode = await main(process.argv.slice(2));
  // Everything is closed. The process would exit by itself, but Node would first free its memory object by object.
  if (isAllWritten()) process.exit();
}

const table: CommandTable = { commands, globalOptions };

/** Runs one command line and returns its exit code. The process exits by itself once all output is written. */
async function main(argv: readonly string[]): Promise<number> {
  // The command line itself may be invalid, so the options for reporting errors are read by hand.
  const words = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const { stdout, stderr } = standardStreams();
  const output = createOutput({
    json: words.includes("--json"),
    quiet: words.includes("--quiet"),
    color: !words.includes("--no-color"),
  });
  const debug = words.includes("--debug");
  const signals = watchSignals();
  let exitCode = 0;
  try {
    if (debug)
      stderr.write(`longhand ${readVersion()}, Node ${process.versions.node}, ${process.platform}\n`);
    const invocation = parseCommandLine(argv, table);
    if (invocation.kind === "version") {
      stdout.write(`${readVersion()}\n`);
      return 0;
    }
    if (invocation.kind === "help") return await showHelp(invocation, output);
    const run = await invocation.command.load();
    await run(
      {
        globals: invocation.globals,
        output,
        // Accessing standard input opens it, and only one command needs it.
        get input() {
          const isPlain = isHookCall(argv) && isPlainDescriptor(0);
          return isPlain ? openPlainInput(() => process.stdin) : process.stdin;
        },
        // The folder may have been deleted, which the configuration reports.
        get currentDir() {
          return process.cwd();
        },
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
      stderr.write(`${isWhole ? text : fit(text, stderr)}\n`);
    }
    return isHookCall(argv) ? 0 : exitCodeOf(error);
  } finally {
    signals.stop();
  }
}

async function showHelp({ command, asked }: Invocation & { kind: "help" }, output: Output): Promise<number> {
  if (!asked && output.json) {
    throw new LonghandError("usage", "No command was given.", {
      hint: "See the commands with `longhand --help`.",
    });
  }
  const { stdout, stderr } = standardStreams();
  const { renderCommandHelp, renderOverview } = await import("./help.ts");
  const style = asked
    ? { paint: output.view.paint, width: output.view.width ?? 80 }
    : { paint: output.paintNote, width: stderr.columns ?? 80 };
  const text =
    command === null
      ? renderOverview(commandGroups, globalOptions, style)
      : renderCommandHelp(command, table, style);
  (asked ? stdout : stderr).write(text);
  return asked ? 0 : 2;
}

interface SignalWatch {
  readonly signal: AbortSignal;
  /** 130 after SIGINT and 143 after SIGTERM, by shell convention. */
  readonly exitCode: number | undefined;
  stop(): void;
}

/** How long a cancelled command may take to close its files before the process is ended. */
const graceMs = 1500;

/** The first signal asks the command to stop; a second one, or the end of the grace period, ends the process. */
function watchSignals(): SignalWatch {
  const controller = new AbortController();
  let exitCode: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (name: "SIGINT" | "SIGTERM") => {
    // Unlike process.exit, dying of the signal itself cannot be delayed by a busy thread.
    const die = () => {
      process.removeAllListeners(name);
      process.kill(process.pid, name);
    };
    if (exitCode !== undefined) die();
    exitCode = name === "SIGINT" ? 130 : 143;
    timer = setTimeout(die, graceMs);
    controller.abort(new Error(`Received ${name}.`));
  };
  // Sent by Ctrl-Break on Windows; other systems do not have it.
  const onBreak = () => onSignal("SIGINT");
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  if (process.platform === "win32") process.on("SIGBREAK", onBreak);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    stop() {
      clearTimeout(timer);
      // On Windows the process is aborted if another Ctrl-C arrives while the first one's listener is removed.
      if (exitCode !== undefined) return;
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
      process.off("SIGBREAK", onBreak);
    },
  };
}
