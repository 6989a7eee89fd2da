import { pieces, readEveryWay } from "./markdown.ts";
import { createTally, type FuzzSuite } from "./suite.ts";

const sizeChars = 1_000_000;

/**
 * A megabyte of each repeated piece, and of pairs of them: code with more than linear time does not finish. `count` is
 * the number of texts to try, the single pieces first.
 */
export const fuzzMegabytes: FuzzSuite = async ({ seed, count }) => {
  const units = [...new Set(pieces)].filter((piece) => piece !== "");
  const pairs = units.flatMap((first, index) =>
    units.map((_, step) => first + units[(index + step * seed + 1) % units.length]),
  );
  const all = [...units, ...units.map((piece) => `x${piece}`), ...pairs];
  const tally = createTally();
  let slowest = { ms: 0, unit: "" };
  for (const unit of all.slice(0, count)) {
    const startedAt = performance.now();
    try {
      const problem = await readEveryWay(unit.repeat(Math.ceil(sizeChars / unit.length)), [1, 2, 1000]);
      if (problem !== null) tally.fail(`${JSON.stringify(unit)}: ${problem}`);
    } catch (error) {
      tally.fail(`${JSON.stringify(unit)} failed with ${(error as Error).stack}`);
    }
    const ms = performance.now() - startedAt;
    if (ms > slowest.ms) slowest = { ms, unit };
  }
  const cases = Math.min(count, all.length);
  return tally.report(cases, `slowest ${Math.round(slowest.ms)} ms for ${JSON.stringify(slowest.unit)}`);
};
