import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { Fallback, FallbackChain } from "../embedders/fallback-chain.ts";
import { LonghandError } from "../errors.ts";
import type { Notes } from "../notes/notes.ts";
import { countSessions } from "../sessions/transcripts/transcript-state.ts";
import type { OpenedEngine } from "./choose-parts.ts";
import type { DescribedMemory, EmbedderChoice } from "./status.ts";

interface DescribedParts {
  /** Opens the index, or rejects. */
  readonly openEngine: () => Promise<OpenedEngine>;
  readonly settings: Settings;
  readonly embedder: Embedder | undefined;
  readonly literals: readonly string[];
  readonly notes: Notes;
  readonly now: () => Date;
}

/** The status of a memory, also while the server of its index is unavailable. */
export async function describeMemory(parts: DescribedParts): Promise<DescribedMemory> {
  try {
    return await describe(parts);
  } catch (error) {
    if (!(error instanceof LonghandError && isUnavailable(error))) throw error;
    return await describeUnavailable(error, parts);
  }
}

async function describe({ openEngine, settings }: DescribedParts): Promise<DescribedMemory> {
  const { engine, store, queryEmbedder, ...embedders } = await openEngine();
  const [{ describeStatus }, { findQuarantined }] = await Promise.all([
    import("./status.ts"),
    import("../upkeep/state-files.ts"),
  ]);
  const sessions = countSessions(await store.versions("sessions"));
  const status = await engine.status();
  const quarantined = findQuarantined(status.dbPath);
  const { note: meanwhile } = await queryEmbedder(status.statistics.chunks);
  const chosen = await describeInUse(embedders.chosen, embedders.chain);
  const parts = { chosen, sessions, quarantined, meanwhile: chosen.fallback ? null : meanwhile };
  return await describeStatus(status, settings, parts);
}

async function describeUnavailable(
  error: LonghandError,
  { settings, embedder, literals, notes, now }: DescribedParts,
): Promise<DescribedMemory> {
  const [{ describeWithoutIndex }, { describeChoice }] = await Promise.all([
    import("./status.ts"),
    import("./choose-parts.ts"),
  ]);
  const chosen = await describeChoice(settings, { embedder, literals, now });
  const place = `${settings.memorySearch.store.url ?? settings.memorySearch.store.path}`;
  return await describeWithoutIndex(error, settings, { chosen, notes: await notes.scan(), place });
}

function isUnavailable({ code }: LonghandError): boolean {
  return code === "store-unreachable" || code === "store-refused";
}

/** The active fallback: for a provider that could not be opened, for one that failed later, or for both. */
export async function currentFallback(
  { fallback: atOpening }: EmbedderChoice,
  chain: FallbackChain | undefined,
): Promise<Fallback | null> {
  const since = (await chain?.describe()) ?? null;
  if (since === null || atOpening === undefined) return since ?? atOpening ?? null;
  const reason = `${atOpening.reason} ${since.from} neither: ${since.reason}`;
  return { ...since, from: atOpening.from, since: atOpening.since, reason };
}

/** The embedder in use: while the chosen provider fails, its fallback. */
async function describeInUse(
  chosen: EmbedderChoice,
  chain: FallbackChain | undefined,
): Promise<EmbedderChoice> {
  const fallback = await currentFallback(chosen, chain);
  if (fallback === null || fallback === chosen.fallback) return chosen;
  const inUse = await chain!.inUse();
  const { model: _, ...choice } = chosen;
  return {
    ...choice,
    provider: fallback.to,
    ...(inUse && { model: inUse.model }),
    why: inUse === null ? `${fallback.from} fails, and so does everything else` : `${fallback.from} fails`,
    fallback,
  };
}
