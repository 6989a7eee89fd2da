import type { AnalysedWord } from "./word.ts";

/** Remembers what words were analysed to, by their letters where they stand in a text. */
export interface WordMemory {
  /** The end of the word of ASCII letters that begins at `start`; `start` where none does, or another letter follows. */
  find(text: string, start: number): number;
  /** What the word that was found last is known as. */
  known(): AnalysedWord | undefined;
  keep(raw: string, analysed: AnalysedWord): void;
}

/**
 * One place for each hash, where a word replaces the one before it. Looking up in a Map would cut each word out of the
 * text first, and that takes longer than all the rest of analysing it.
 */
export function createWordMemory(): WordMemory {
  const raws = new Array<string>(places).fill("");
  const analysed = new Array<AnalysedWord | undefined>(places).fill(undefined);
  let place = 0;
  let isKnown = false;

  return {
    find(text, start) {
      let hash = 0;
      let end = start;
      let code = text.charCodeAt(end);
      while ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) {
        hash = (Math.imul(hash, 31) + code) | 0;
        code = text.charCodeAt(++end);
      }
      // What a letter of another script, a digit or a mark belongs to, others say.
      const isEnded =
        end === text.length || (code < 0x80 && !(code >= 0x30 && code <= 0x39) && code !== 0x5f);
      if (!isEnded || end === start) return start;
      place = (hash ^ (hash >>> 16)) & (places - 1);
      const raw = raws[place]!;
      isKnown = raw.length === end - start && text.startsWith(raw, start);
      return end;
    },
    known: () => (isKnown ? analysed[place] : undefined),
    keep(raw, word) {
      raws[place] = raw;
      analysed[place] = word;
    },
  };
}

const places = 2 ** 16;
