import type { Embedder, EmbedderUsage } from "../embedders/embedder.ts";
import type { Store, VectorStore } from "../stores/store.ts";

/** Texts that have no vector because the embedder refused them; only the latest ones. */
export type RefusedTexts = readonly { readonly hash: string; readonly reason: string; readonly at: string }[];

const fact = "embedding_refused";
const maxRefused = 100;

interface Kept {
  readonly embedder: string;
  readonly refused: RefusedTexts;
}

/**
 * Adds the usage of each call of an embedder to what the index has cost so far. It is written after every call, because
 * a process that is killed has paid, too.
 */
export function createUsageMeter(store: VectorStore, embedder: Embedder): (texts: number) => Promise<void> {
  if (embedder.usage === undefined) return async () => {};
  let before = embedder.usage();
  return async (texts) => {
    const after = embedder.usage!();
    const spent = difference(after, before);
    // A service that cannot be reached costs nothing, and every search would write a record of it.
    if (texts === 0 && spent.tokens === 0) return;
    before = after;
    await store.addUsage?.(embedder.id, { ...spent, texts });
  };
}

export async function recordRefused(
  store: Store,
  embedderId: string,
  { texts, at }: { readonly texts: readonly { hash: string; reason: string }[]; readonly at: Date },
): Promise<void> {
  if (texts.length === 0) return;
  const earlier = await readRefused(store, embedderId);
  const refused = texts.map((text) => ({ ...text, at: at.toISOString() }));
  const next: Kept = { embedder: embedderId, refused: [...earlier, ...refused].slice(-maxRefused) };
  await store.writeFact(fact, JSON.stringify(next));
}

/** Which providers fail and why, for all processes of an index; see `embedders/fallback-chain.ts`. */
export const failureFact = "embedder_failures";

/** For text that is to be forgotten: the error of a service may quote it. */
export async function clearRefused(store: Pick<Store, "readFact" | "writeFact">): Promise<void> {
  for (const name of [failureFact, problemFact]) {
    if ((await store.readFact(name)) !== null) await store.writeFact(name, "{}");
  }
  const json = await store.readFact(fact);
  if (json === null) return;
  const { embedder } = JSON.parse(json) as Kept;
  const none: Kept = { embedder, refused: [] };
  await store.writeFact(fact, JSON.stringify(none));
}

export async function readRefused(store: Store, embedderId: string): Promise<RefusedTexts> {
  const kept = JSON.parse((await store.readFact(fact)) ?? "null") as Kept | null;
  return kept?.embedder === embedderId ? kept.refused : [];
}

const problemFact = "embedding_problem";

/** Remembers why texts have no vectors, for other processes; null when they have them. */
export async function recordProblem(store: Store, embedderId: string, problem: string | null): Promise<void> {
  const [before] = await readProblems(store, embedderId);
  if ((before ?? null) === problem) return;
  // The report has it, too. A read-only index must not hide the reason.
  await store.writeFact(problemFact, JSON.stringify({ embedder: embedderId, problem })).catch(() => {});
}

/** Why the last sync of any process left texts without vectors: one reason at most. */
export async function readProblems(store: Store, embedderId: string): Promise<readonly string[]> {
  const json = (await store.readFact(problemFact)) ?? "{}";
  const kept = JSON.parse(json) as { embedder?: string; problem?: string | null };
  return kept.embedder === embedderId && kept.problem ? [kept.problem] : [];
}

/** A cost that is not known makes the difference unknown. */
function difference(after: EmbedderUsage, before: EmbedderUsage): EmbedderUsage {
  return {
    requests: after.requests - before.requests,
    tokens: after.tokens - before.tokens,
    costUsd: after.costUsd === null || before.costUsd === null ? null : after.costUsd - before.costUsd,
  };
}
