import { asLonghandError, renderFailure } from "./failure.ts";
import { main } from "./main.ts";

/** The process around one command line: broken pipes, faults nobody caught, and the exit code. */
export async function runProcess(): Promise<void> {
  // A reader that has seen enough (`| head -1`) is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`error: The output could not be written: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on("error", () => {});
  process.on("uncaughtException", (thrown) => {
    const debug = process.argv.includes("--debug");
    process.stderr.write(`${renderFailure(asLonghandError(thrown), { paint: (_, text) => text, debug })}\n`);
    process.exit(1);
  });
  process.exitCode = await main(process.argv.slice(2));
}
