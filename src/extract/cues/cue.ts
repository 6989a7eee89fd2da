/** What makes a sentence worth keeping. */
export type MemoryKind = "decision" | "preference" | "identity" | "deadline" | "identifier";

/** Which sentences a cue is tried on: those with an English word, other Latin ones, Chinese and Japanese, or all. */
export type CueLanguage = "english" | "european" | "east-asian" | "any";

export interface Cue {
  readonly kind: MemoryKind;
  /** 3 is enough on its own; less needs company. */
  readonly weight: number;
  readonly language: CueLanguage;
  /** Tried on small letters with straight apostrophes, or on the sentence as it was written where case tells a name. */
  readonly pattern: RegExp;
  readonly isCased?: true;
}

/** Takes away from a sentence: what is only thought about, asked, or part of doing the work. */
export interface Doubt {
  readonly weight: number;
  /** Of this kind only. */
  readonly kind?: MemoryKind;
  readonly by?: "assistant";
  readonly pattern: RegExp;
}

/** Whole words of Latin script: `\b` does not know letters with accents. Each part is one pass without nested repetition. */
export function words(...parts: readonly string[]): RegExp {
  return new RegExp(`${start}(?:${parts.join("|")})${end}`, "u");
}

/** Whole words with which a sentence begins, behind a word or two that only lead up to it. */
export function opening(...parts: readonly string[]): RegExp {
  return new RegExp(`^${leadIn}(?:${parts.join("|")})${end}`, "u");
}

const start = String.raw`(?<![\p{L}\p{N}_])`;
const end = String.raw`(?![\p{L}\p{N}_])`;
const leadIn = `(?:(?:ok|okay|so|and|but|also|please|just|well|btw|ah|oh|yes|no|then|right|anyway|alright|great|perfect|fine|remember|note|fyi|hey|bitte|und|also|por favor|y|et|alors)[,:]? |(?:by the way|to be clear|for the record|just so you know|from here on)[,:]? ){0,2}`;
