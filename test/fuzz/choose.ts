import { createRandom } from "../../src/eval/compare.ts";

export interface Chooser {
  below(limit: number): number;
  one<T>(from: readonly T[]): T;
  chance(share: number): boolean;
  /** Any UTF-16 code unit, including lone surrogates. */
  character(): string;
  text(maxLength: number): string;
}

/** Seeded random choices. fast-check would be slower, and its shrinking is not needed for a million cases. */
export function createChooser(seed: number): Chooser {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const ranges = [0x20, 0x7f, 0x100, 0x600, 0x2100, 0x3100, 0xa000, 0x10000];
  const character = (): string => String.fromCharCode(below(ranges[below(ranges.length)]!));
  return {
    below,
    one: (from) => from[below(from.length)]!,
    chance: (share) => random() < share,
    character,
    text: (maxLength) => Array.from({ length: below(maxLength + 1) }, character).join(""),
  };
}
