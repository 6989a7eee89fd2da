import { once } from "node:events";
import type { TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { isWindows } from "./platform.ts";

/**
 * Opens a file for itself alone, as a virus scanner or a backup does on Windows, and lets go after some time or when the
 * test ends. Elsewhere no program can keep others out, and nothing is done.
 */
export async function holdFile(t: TestContext, file: string, holdMs: number): Promise<void> {
  if (!isWindows) return;
  const holder = new Worker(source, { eval: true, workerData: { file, flags, holdMs } });
  t.after(() => holder.terminate());
  await once(holder, "message");
}

/** Read, with libuv's flag for a file that nobody else may open. */
const flags = 0x10000000;

/** In a thread of its own, because the calls that meet the file are synchronous. */
const source = `
const { closeSync, openSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
const fd = openSync(workerData.file, workerData.flags);
parentPort.postMessage("held");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.holdMs);
closeSync(fd);
`;
