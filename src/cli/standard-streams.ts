import { fstatSync, read, writeSync } from "node:fs";
import { promisify } from "node:util";
import { isColourForced } from "../config/variables.ts";
import { systemErrorCode } from "../errors.ts";
import { once } from "../text/once.ts";
import type { CommandContext } from "./command.ts";
import { isHookCall } from "./is-hook-call.ts";

/** The part of a stream that printing needs. */
export interface TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  /** Known to be neither a terminal nor coloured. */
  readonly isPlain?: boolean;
}

/** The Node streams that were used. */
const opened = new Set<NodeJS.WriteStream>();

/** Node's own stream for stdout. A reader that stops early (`| head -1`) is no error. */
export const openStdout = once((): NodeJS.WriteStream => {
  opened.add(process.stdout);
  return process.stdout.on("error", endUnwritten);
});

/** Node's own stream for stderr. If its reader has gone, there is nowhere to report that. */
const openStderr = once((): NodeJS.WriteStream => {
  opened.add(process.stderr);
  return process.stderr.on("error", () => {});
});

/** Whether all output has left this process. */
export function isAllWritten(): boolean {
  return [...opened].every(({ writableLength, errored }) => writableLength === 0 && errored === null);
}

/** Where to print: Node's streams for terminals; for pipes and files, a lightweight stream that loads faster. */
export const standardStreams = once(() => ({
  stdout: printsPlainly(1) ? createPlainStream(1, openStdout, endUnwritten) : openStdout(),
  stderr: printsPlainly(2) ? createPlainStream(2, openStderr, () => {}) : openStderr(),
}));

function endUnwritten(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  standardStreams().stderr.write(`error: The output could not be written: ${error.message}\n`);
  process.exit(isHookCall(process.argv.slice(2)) ? 0 : 1);
}

function printsPlainly(descriptor: number): boolean {
  return !isColourForced() && isPlainDescriptor(descriptor);
}

/** For a pipe, Node's streams load the network modules, which takes as long as the whole configuration. */
export function isPlainDescriptor(descriptor: number): boolean {
  if (process.platform === "win32") return false;
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket() || stats.isFile();
  } catch (error) {
    // A closed descriptor, for example; Node's stream handles it.
    if (systemErrorCode(error) !== undefined) return false;
    throw error;
  }
}

/** Writes synchronously, like Node's streams on pipes and files. Once a pipe is full, Node's stream takes over. */
export function createPlainStream(
  descriptor: number,
  openStream: () => { write(bytes: string | Uint8Array): unknown },
  onError: (error: NodeJS.ErrnoException) => void,
): TextStream {
  let rest: ReturnType<typeof openStream> | undefined;
  return {
    isPlain: true,
    write(text) {
      if (rest !== undefined) {
        rest.write(text);
        return;
      }
      const bytes = Buffer.from(text);
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      } catch (error) {
        const code = systemErrorCode(error);
        if (code === undefined) throw error;
        if (code !== "EAGAIN") {
          onError(error as NodeJS.ErrnoException);
          return;
        }
        rest = openStream();
        // As bytes: a character may have been split.
        rest.write(bytes.subarray(written));
      }
    },
  };
}

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
