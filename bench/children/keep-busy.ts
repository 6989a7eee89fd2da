import { writeSync } from "node:fs";
import { inTemporaryFolder } from "../measure.ts";

/** Never yields to signal handlers, like a part that fills an index. For the test of `run-module.ts`. */
export function measure(): Promise<never> {
  return inTemporaryFolder(async (folder) => {
    await new Promise(setImmediate);
    writeSync(2, `${JSON.stringify({ pid: process.pid, folder })}\n`);
    for (;;) await null;
  });
}
