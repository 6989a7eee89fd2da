import { once } from "node:events";
import type { TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { isWindows } from "./platform.ts";

/**
 * Opens a file exclusively, as a virus scanner or a backup does on Windows, and closes it after some time or when the
 * test ends. Does nothing on other systems, where no program can lock others out.
 */
export async function holdFile(t: TestContext, file: string, holdMs: number): Promise<void> {
  if (!isWindows) return;
  const holder = new Worker(source, { eval: true, workerData: { file, flags, holdMs } });
  t.after(() => holder.terminate());
  await once(holder, "message");
}

/** Read access, with libuv's flag for exclusive use. */
const flags = 0x10000000;

/** In a worker thread, because the calls that use the file are synchronous. */
const source = `
const { closeSync, openSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
const fd = openSync(workerData.file, workerData.flags);
parentPort.postMessage("held");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.holdMs);
closeSync(fd);
`;
