import type { Embedder } from "../embedders/embedder.ts";
import { type ChainLink, type FallbackChain, failureOf } from "../embedders/fallback-chain.ts";
import { throwIfAborted } from "../errors.ts";
import { settleWithin } from "../timing.ts";
import type { VectorReport } from "./sync.ts";

export interface EmbedRun {
  readonly embedder: Embedder;
  /** The chosen embedder fails, and this one embeds into a set of its own meanwhile. */
  readonly isStandIn: boolean;
}

/**
 * Embeds missing vectors with the first link of the chain that works. Each link has a set of vectors of its own: one
 * that failed resumes as soon as it answers again, and embeds only what its set lacks.
 */
export async function embedThroughChain(chain: FallbackChain, run: Run): Promise<VectorReport> {
  const [first] = chain.links;
  await first?.open();
  await chain.learn();
  let last: VectorReport | null = null;
  let isFreeDone = false;
  for (const link of chain.usable("documents")) {
    const embedder = await link.open();
    if (embedder === null) continue;
    if (link !== first) {
      // A slow fallback may need hours for all notes. The free model needs seconds, and serves searches until then.
      if (embedder.isSlow) await embedByFree(chain, run);
      isFreeDone = true;
    }
    last = await embedBy(chain, { link, embedder, run });
    if (last.failure === undefined) break;
  }
  // Queries may fail while no note needs a vector.
  if (chain.isFailing() && !isFreeDone) {
    const report = await embedByFree(chain, run);
    if (last?.failure !== undefined || last === null) last = report ?? last;
  }
  return last ?? { ...nothing, problem: (await chain.describe())?.reason ?? null };
}

/** Prepares the free model as the fallback, whatever the others do; null when there is none. */
export async function embedByFree(chain: FallbackChain, run: Run): Promise<VectorReport | null> {
  for (const link of chain.links.slice(1)) {
    const embedder = await link.open();
    if (embedder !== null && !embedder.isSlow) return await embedBy(chain, { link, embedder, run });
  }
  return null;
}

/** Where no text needed a vector, embeds one word with a failing embedder, to find out whether it works again. */
export async function probeFailing(chain: FallbackChain, signal: AbortSignal | undefined): Promise<void> {
  const [first] = chain.links;
  if (first === undefined || (await chain.describe()) === null) return;
  if (!chain.usable("documents").includes(first)) return;
  const embedder = await first.open();
  if (embedder === null) return;
  try {
    await embedder.embedQuery("memory", signal ? { signal } : {});
    await chain.answered(first, "query");
  } catch (error) {
    throwIfAborted(signal);
    await chain.failed(first, failureOf(error));
  }
}

type Run = (by: EmbedRun) => Promise<VectorReport>;

async function embedBy(
  chain: FallbackChain,
  { link, embedder, run }: { link: ChainLink; embedder: Embedder; run: Run },
): Promise<VectorReport> {
  const report = await run({ embedder, isStandIn: link !== chain.links[0] });
  if (report.failure !== undefined) await chain.failed(link, report.failure);
  else if (report.embedded > 0) await chain.answered(link, "documents");
  return report;
}

const nothing: VectorReport = {
  embedded: 0,
  reused: 0,
  problem: null,
  waiting: 0,
  refused: [],
  durationMs: 0,
};

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
  let sum = nothing;
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
