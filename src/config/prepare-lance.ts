import { availableParallelism } from "node:os";

/**
 * LanceDB's native code reads these from the environment when it is loaded, so they are set before. What somebody has
 * set stays.
 *
 * - It writes warnings about ordinary things to standard error, which belongs to our own messages.
 * - Where it has few threads, making a full-text index can wait for itself without end: those who make parts of it hold
 *   all threads, and those who would take the parts over get none. It has by default two fewer than the machine has
 *   processors, and as many makers as threads.
 */
export function prepareLance(env: Record<string, string | undefined> = process.env): void {
  env["LANCEDB_LOG"] ??= "error";
  env["LANCE_CPU_THREADS"] ??= `${Math.max(4, availableParallelism())}`;
  env["LANCE_FTS_NUM_SHARDS"] ??= "1";
}
