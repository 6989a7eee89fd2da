import { settleWithin } from "../timing.ts";
import type { VectorReport } from "./sync.ts";

/** Fewer texts than this fill only a request or two. */
const enoughTexts = 64;

/**
 * Embeds what is indexed already while other notes are still being indexed, and the rest at the end: embedding waits for
 * a service, indexing needs the CPU, and both can run at once. Most syncs end before the first pause and embed once.
 */
export async function embedAlongside(
  words: Promise<unknown>,
  embed: () => Promise<VectorReport>,
  { pauseMs = 250 } = {},
): Promise<VectorReport> {
  let state: "running" | "done" | "failed" = "running";
  const over = words.then(
    () => {
      state = "done";
    },
    () => {
      state = "failed";
    },
  );
  let sum: VectorReport = { embedded: 0, reused: 0, problem: null, waiting: 0, refused: [], durationMs: 0 };
  let isPausing = true;
  for (;;) {
    if (isPausing) await settleWithin(pauseMs, over);
    // Read before embedding begins: only a run that starts after the last write sees every text.
    const before = state as "running" | "done" | "failed";
    if (before === "failed") return sum;
    const report = await embed();
    sum = {
      embedded: sum.embedded + report.embedded,
      reused: sum.reused + report.reused,
      problem: report.problem,
      waiting: report.waiting,
      refused: [...sum.refused, ...report.refused],
      durationMs: sum.durationMs + (before === "done" ? report.durationMs : 0),
    };
    if (before === "done" || report.problem !== null) return sum;
    isPausing = report.embedded < enoughTexts;
  }
}
