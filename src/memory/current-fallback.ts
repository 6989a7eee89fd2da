import type { Fallback, FallbackChain } from "../embedders/fallback-chain.ts";
import type { EmbedderChoice } from "./status.ts";

/** Who stands in for whom now: for a provider that could not be opened, for one that fails since, or for both. */
export async function currentFallback(
  { fallback: atOpening }: EmbedderChoice,
  chain: FallbackChain | undefined,
): Promise<Fallback | null> {
  const since = (await chain?.describe()) ?? null;
  if (since === null || atOpening === undefined) return since ?? atOpening ?? null;
  const reason = `${atOpening.reason} ${since.from} neither: ${since.reason}`;
  return { ...since, from: atOpening.from, since: atOpening.since, reason };
}

/** The choice as it is now: while a provider fails, the one that stands in for it. */
export async function describeInUse(
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
