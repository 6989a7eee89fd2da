/** What makes a sentence worth keeping. */
export type MemoryKind = "decision" | "preference" | "identity" | "deadline" | "identifier";

/** Which sentences a cue is tried on: those with an English word, other Latin ones, Chinese and Japanese, or all. */
export type CueLanguage = "english" | "european" | "east-asian" | "any";

export interface Cue {
  readonly kind: MemoryKind;
  /** 3 is enough alone; a smaller weight needs other cues. */
  readonly weight: number;
  readonly language: CueLanguage;
  /** Applied to lower case with straight apostrophes, or to the original sentence if capitals mark a name. */
  readonly pattern: RegExp;
  readonly isCased?: true;
}

/** Lowers the rating of a sentence: considerations, questions, and remarks about the work in progress. */
export interface Doubt {
  readonly weight: number;
  /** Applies to this kind only. */
  readonly kind?: MemoryKind;
  readonly by?: "assistant";
  readonly pattern: RegExp;
}

/**
 * Whole words in Latin script, because `\b` does not know letters with accents. Each part matches in one pass, without
 * nested repetition.
 */
export function words(...parts: readonly string[]): RegExp {
  return new RegExp(`${start}(?:${parts.join("|")})${end}`, "u");
}

/** Whole words at the start of a sentence, after up to two introductory words. */
export function opening(...parts: readonly string[]): RegExp {
  return new RegExp(`^${leadIn}(?:${parts.join("|")})${end}`, "u");
}

const start = String.raw`(?<![\p{L}\p{N}_])`;
const end = String.raw`(?![\p{L}\p{N}_])`;
const leadIn = `(?:(?:ok|okay|so|and|but|also|please|just|well|btw|ah|oh|yes|no|then|right|anyway|alright|great|perfect|fine|remember|note|fyi|hey|bitte|und|also|por favor|y|et|alors)[,:]? |(?:by the way|to be clear|for the record|just so you know|from here on)[,:]? ){0,2}`;
