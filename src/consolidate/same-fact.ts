import { tellsOtherwise } from "../entries/tells-otherwise.ts";
import { unitsOf } from "../extract/coverage.ts";
import { stemWord } from "../text/words/stems/stem.ts";
import type { Statement } from "./statements.ts";

export interface SupersededPair {
  readonly older: Statement;
  readonly newer: Statement;
}

/** How two statements are compared. */
export interface FactComparison {
  /** Statements with different keys never say the same. */
  keyOf(said: string): string;
  saysSame(one: string, other: string): boolean;
  /** Pairs of which the newer one says something else about the same thing. */
  findSuperseded(statements: readonly Statement[]): Iterable<SupersededPair>;
}

export const compareByWords: FactComparison = {
  keyOf(said) {
    const stems = unitsOf(said).map((unit) => (/\d/.test(unit) ? unit : stemWord(unit)));
    return [...new Set(stems)].sort().join(" ");
  },
  saysSame: (one, other) => !tellsOtherwise(one, other) && !tellsOtherwise(other, one),
  findSuperseded: () => [],
};
