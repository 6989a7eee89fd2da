import { readFileSync } from "node:fs";
import { LonghandError } from "../errors.ts";
import { commands } from "./commands.ts";
import { asLonghandError, exitCodeOf, renderFailure } from "./failure.ts";
import { globalOptions } from "./global-options.ts";
import { createOutput } from "./output.ts";
import { parseCommandLine } from "./program.ts";
import { watchSignals } from "./signals.ts";

/** Runs one command line and gives its exit code. The process ends by itself once everything is written. */
export async function main(argv: readonly string[]): Promise<number> {
  // The command line may be what is wrong, so how to report that is read from it by hand.
  const words = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const output = createOutput({
    json: words.includes("--json"),
    quiet: words.includes("--quiet"),
    color: !words.includes("--no-color"),
  });
  const debug = words.includes("--debug");
  const signals = watchSignals();
  try {
    const version = readVersion();
    if (debug)
      process.stderr.write(`longhand ${version}, Node ${process.versions.node}, ${process.platform}\n`);
    const table = { version, commands, globalOptions };
    const invocation = parseCommandLine(argv, table, output.view.paint);
    if (invocation.kind === "text") {
      if (!invocation.asked && output.json) throw noCommand();
      (invocation.asked ? process.stdout : process.stderr).write(invocation.text);
      return invocation.asked ? 0 : 2;
    }
    const run = await invocation.command.load();
    await run(
      {
        globals: invocation.globals,
        output,
        // Looking at standard input opens it, which only one command needs.
        get input() {
          return process.stdin;
        },
        currentDir: process.cwd(),
        now: new Date(),
        signal: signals.signal,
      },
      invocation.input as never,
    );
    return signals.exitCode ?? 0;
  } catch (thrown) {
    const error = asLonghandError(thrown);
    if (output.json) process.stdout.write(`${JSON.stringify({ error })}\n`);
    if (signals.exitCode !== undefined && error.code === "aborted") return signals.exitCode;
    if (!output.json || debug)
      process.stderr.write(`${renderFailure(error, { paint: output.paintNote, debug })}\n`);
    return exitCodeOf(error);
  } finally {
    signals.stop();
  }
}

function noCommand(): LonghandError {
  return new LonghandError("usage", "No command was given.", {
    hint: "See the commands with `longhand --help`.",
  });
}

/** The same relative place in the sources and in the built package. */
function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return (manifest as { version: string }).version;
}
