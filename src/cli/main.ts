import { LonghandError } from "../errors.ts";
import { readVersion } from "../version.ts";
import { commands } from "./commands.ts";
import { asLonghandError, exitCodeOf, renderFailure } from "./failure.ts";
import { globalOptions } from "./global-options.ts";
import { meansHook } from "./means-hook.ts";
import { createOutput, fit, type Output } from "./output.ts";
import { type CommandTable, type Invocation, parseCommandLine } from "./parse-command-line.ts";
import { watchSignals } from "./signals.ts";
import { standardStreams } from "./standard-streams.ts";

const table: CommandTable = { commands, globalOptions };

/** Runs one command line and gives its exit code. The process ends by itself once everything is written. */
export async function main(argv: readonly string[]): Promise<number> {
  // The command line may be what is wrong, so how to report that is read from it by hand.
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
        // Looking at standard input opens it, which only one command needs.
        get input() {
          return process.stdin;
        },
        // The folder may be gone, which is for the settings to say.
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
      stderr.write(`${debug ? text : fit(text, stderr)}\n`);
    }
    return meansHook(argv) ? 0 : exitCodeOf(error);
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
  const look = asked
    ? { paint: output.view.paint, width: output.view.width ?? 80 }
    : { paint: output.paintNote, width: stderr.columns ?? 80 };
  const text = command === null ? renderOverview(table, look) : renderCommandHelp(command, table, look);
  (asked ? stdout : stderr).write(text);
  return asked ? 0 : 2;
}
