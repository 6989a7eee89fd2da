import { read } from "node:fs";
import { promisify } from "node:util";
import { systemErrorCode } from "../errors.ts";
import type { CommandContext } from "./command.ts";

const bytesAtOnce = 65_536;

/**
 * Standard input from a pipe, a socket or a file. Node's own stream loads the network modules for that, which takes a
 * twentieth of a hook's CPU time.
 */
export function openPlainInput(openStream: () => CommandContext["input"]): CommandContext["input"] {
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {});
  let isReading = false;
  let stream: CommandContext["input"] | undefined;
  // Node waits for a reading thread, and so would never exit while the writer keeps its end open.
  process.once("exit", (code) => {
    if (isReading) process.execve?.(process.execPath, [process.execPath, "-e", `process.exit(${code})`], {});
  });

  async function* readParts(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const part = new Uint8Array(bytesAtOnce);
      let bytesRead: number;
      isReading = true;
      try {
        ({ bytesRead } = await Promise.race([readBytes(0, part, 0, bytesAtOnce, null), stopped.promise]));
      } catch (error) {
        // The writer has made the pipe non-blocking, which Node's stream can handle.
        if (systemErrorCode(error) !== "EAGAIN") throw error;
        isReading = false;
        stream = openStream();
        yield* stream;
        return;
      }
      isReading = false;
      if (bytesRead === 0) return;
      yield part.subarray(0, bytesRead);
    }
  }

  return {
    isTTY: false,
    [Symbol.asyncIterator]: readParts,
    destroy() {
      stream?.destroy();
      stopped.reject(new Error("Standard input was closed."));
    },
  };
}

const readBytes = promisify(read);
