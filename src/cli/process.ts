import { asLonghandError, renderFailure } from "./failure.ts";
import { main } from "./main.ts";
import { meansHook } from "./means-hook.ts";
import { isAllWritten, standardStreams } from "./standard-streams.ts";
import { useProxy } from "./use-proxy.ts";

/** The process around one command line: faults nobody caught, and the exit code. */
export async function runProcess(): Promise<void> {
  const { stderr } = standardStreams();
  process.on("uncaughtException", (thrown) => {
    const debug = process.argv.includes("--debug");
    stderr.write(`${renderFailure(asLonghandError(thrown), { paint: (_, text) => text, debug })}\n`);
    process.exit(meansHook(process.argv.slice(2)) ? 0 : 1);
  });
  useProxy();
  process.exitCode = await main(process.argv.slice(2));
  // Everything is closed. The process would end by itself, but Node would first free its memory piece by piece.
  if (isAllWritten()) process.exit();
}
