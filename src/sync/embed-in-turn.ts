import { type Embedded, type EmbedMissingOptions, type EmbedParts, embedMissing } from "./embed.ts";
import type { SyncLocks, SyncOptions } from "./sync.ts";
import { takeTurn } from "./turn.ts";

/**
 * Embeds what is missing, unless another process does so at the moment: vectors can cost time and money, and nobody
 * should pay twice. Such a process also takes what came later, or the next pass does.
 */
export async function embedInTurn(
  { locks, ...parts }: EmbedParts & { locks: SyncLocks | undefined },
  { whenBusy, progress }: SyncOptions,
  { signal, onEmbedded }: EmbedMissingOptions,
): Promise<Embedded> {
  const { store, embedder } = parts;
  const isNeeded = locks !== undefined && (await store.missingVectors(embedder.id, 1)).length > 0;
  if (!isNeeded) return await embedMissing(parts, { signal, onEmbedded });
  const turn = await takeTurn(locks.vectors, {
    doing: "embedding",
    waits: whenBusy !== "leave",
    progress,
    signal,
    silentLimitMs: locks.silentLimitMs,
  });
  if (turn.kind === "busy") return { embedded: 0, reused: 0, problem: null, waiting: 0, refused: [] };
  await using work = turn.kind === "held" ? turn.work : null;
  return await embedMissing(parts, {
    signal,
    onEmbedded: (state) => {
      work?.report(`${state.label ?? "embedding"}, ${state.completed} of ${state.total} texts done`);
      onEmbedded(state);
    },
  });
}
