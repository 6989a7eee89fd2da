import { countDenials, unitsOf } from "../extract/coverage.ts";
import { stemWord } from "../text/words/stems/stem.ts";

/**
 * Whether a text says something that an entry does not, however alike they are: to a small model "tea over coffee" and
 * "coffee over tea" are the same. A fact that is stored twice is a nuisance, one that is not stored is lost.
 */
export function tellsOtherwise(text: string, entry: string): boolean {
  const [said, known] = [unitsOf(text), unitsOf(entry)];
  if (countDenials(said) !== countDenials(known)) return true;
  if (signsOf(text) !== signsOf(entry)) return true;
  const [wanted, there] = [tellingOf(said), tellingOf(known)];
  // Nothing in it can be compared.
  if (wanted.length === 0) return true;
  const places = wanted.map((unit) => there.indexOf(unit));
  if (places.includes(-1)) return true;
  const isTurned = places.some((place, at) => at > 0 && place < places[at - 1]!);
  return isTurned && hasDirection(said);
}

/** What words leave out and yet may make the difference: 5 and -5, € and $, C++ and C#, plan A and B, pictures. */
function signsOf(text: string): string {
  return Array.from(text.matchAll(sign), ([found]) => found).join("");
}

const sign = /(?<![\p{L}\p{N}])[-\u2212](?=\d)|(?<=\S)#|[%\p{S}]|(?<=\S\s)\p{Lu}(?![\p{L}\p{N}])/gu;

function tellingOf(units: readonly string[]): string[] {
  return units.filter((unit) => !fillers.has(unit)).map((unit) => (/\d/.test(unit) ? unit : stemWord(unit)));
}

function hasDirection(units: readonly string[]): boolean {
  return units.some((unit) => directions.has(unit));
}

/** Who is meant is clear in a list of facts about a user, and these add nothing to it. */
const fillers = new Set("user users really very quite also please generally usually".split(" "));

/** Between two things they say which is which. */
const directions = new Set(
  "over than before after from to into instead rather under above below until since replaces beats als statt vor nach antes después avant après que".split(
    " ",
  ),
);
