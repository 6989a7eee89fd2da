import { type FactToken, isSameToken } from "./fact-tokens.ts";

/** A token and its index in its sentence. */
export interface PlacedToken {
  readonly token: FactToken;
  readonly at: number;
}

export interface Alignment {
  readonly shared: readonly FactToken[];
  /** What only one of the sentences has. */
  readonly left: readonly PlacedToken[];
  readonly right: readonly PlacedToken[];
}

/** The longest common subsequence of the tokens of two sentences, and what remains of each. */
export function alignTokens(left: readonly FactToken[], right: readonly FactToken[]): Alignment {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] = isSameToken(left[i]!, right[j]!)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const shared: FactToken[] = [];
  const [onlyLeft, onlyRight]: [PlacedToken[], PlacedToken[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && isSameToken(left[i]!, right[j]!)) {
      shared.push(left[i++]!);
      j++;
    } else if (
      j >= right.length ||
      (i < left.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      onlyLeft.push({ token: left[i]!, at: i++ });
    } else onlyRight.push({ token: right[j]!, at: j++ });
  }
  return { shared, left: onlyLeft, right: onlyRight };
}

/** Nothing shared is between them. There is at least one. */
export function isOneBlock(placed: readonly PlacedToken[]): boolean {
  return placed.at(-1)!.at - placed[0]!.at === placed.length - 1;
}
