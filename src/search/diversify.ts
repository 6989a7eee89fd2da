import { clamp } from "./clamp.ts";

/**
 * Maximal marginal relevance: picks again and again what is good and unlike what was picked. `lambda` 1 looks at the
 * score alone, 0 at the difference alone. Likeness is the share of common tokens (Jaccard).
 */
export function diversify<T extends { readonly score: number }>(
  items: readonly T[],
  { lambda, tokensOf }: { lambda: number; tokensOf: (item: T) => ReadonlySet<string> },
): T[] {
  const relevance = clamp(lambda, 0, 1);
  const rest = items.map((item) => ({ item, tokens: tokensOf(item), likeness: 0 }));
  const picked: T[] = [];
  while (rest.length > 0) {
    let best = 0;
    const worth = (index: number): number =>
      relevance * rest[index]!.item.score - (1 - relevance) * rest[index]!.likeness;
    for (let i = 1; i < rest.length; i++) if (worth(i) > worth(best)) best = i;
    const [next] = rest.splice(best, 1);
    picked.push(next!.item);
    for (const other of rest) other.likeness = Math.max(other.likeness, jaccard(next!.tokens, other.tokens));
  }
  return picked;
}

function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const token of left) if (right.has(token)) shared++;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}
