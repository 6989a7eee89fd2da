/** Finds the possible start of any of many words in one pass over a text (Aho-Corasick). */
interface TriggerScan {
  /**
   * Calls back with the number of the word and its offset. Only the beginning of a long word is matched, and characters
   * beyond ASCII share classes, so the caller compares the word itself.
   */
  scan(text: string, from: number, to: number, onHit: (word: number, start: number) => void): void;
}

/** How many characters of a word are matched: more states would not fit into the processor's cache. */
export const maxTrigger = 6;
/** Columns of the table: a power of two, so that a row is found by a shift. */
const shift = 7;
const width = 1 << shift;

export function createTriggerScan(words: readonly string[]): TriggerScan {
  const heads = words.map((word) => word.toLowerCase().slice(0, maxTrigger));
  const classes = assignClasses(heads);
  const trie = buildTrie(heads, classes);
  linkStates(trie);
  const { next, outputs } = trie;
  const lengths = heads.map((head) => head.length);
  return {
    scan(text, from, to, onHit) {
      let state = 0;
      for (let at = from; at < to; at++) {
        // The lowest bit marks the end of a word.
        const step = next[(state << shift) | classes[text.charCodeAt(at)]!]!;
        state = step >> 1;
        if ((step & 1) === 1) for (const word of outputs[state]!) onHit(word, at + 1 - lengths[word]!);
      }
    },
  };
}

/** Characters that occur in no word have class 0. */
function assignClasses(words: readonly string[]): Uint8Array {
  const classes = new Uint8Array(65_536);
  const characters = [...new Set(words.join(""))];
  const ascii = characters.filter((character) => character < "\u0080");
  const others = characters.filter((character) => character >= "\u0080");
  const assign = (character: string, number: number): void => {
    const capital = character.toUpperCase();
    // The Turkish dotless i shares its capital with another letter.
    if (capital.toLowerCase() === character) classes[capital.charCodeAt(0)] = number;
    classes[character.charCodeAt(0)] = number;
  };
  for (const [index, character] of ascii.entries()) assign(character, 1 + index);
  const rest = width - 1 - ascii.length;
  for (const [index, character] of others.entries()) assign(character, 1 + ascii.length + (index % rest));
  return classes;
}

/** The words as a trie in typed arrays, because every process that masks anything builds it first. */
interface Trie {
  /** The table of transitions: the next state, shifted by one, and whether a word ends there. */
  readonly next: Uint16Array;
  /** The words that end in a state; undefined if none does. */
  readonly outputs: (number[] | undefined)[];
  /** The children of a state are a linked list: from `child` on by `sibling`, ended by 0. */
  readonly child: Uint16Array;
  readonly sibling: Uint16Array;
  /** The class of the character that leads to a state. */
  readonly symbols: Uint8Array;
}

function buildTrie(words: readonly string[], classes: Uint8Array): Trie {
  let maxStates = 1;
  for (const word of words) maxStates += word.length;
  const next = new Uint16Array(maxStates << shift);
  const [child, sibling] = [new Uint16Array(maxStates), new Uint16Array(maxStates)];
  const symbols = new Uint8Array(maxStates);
  const outputs: (number[] | undefined)[] = [undefined];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const symbol = classes[word.charCodeAt(at)]!;
      const place = (state << shift) | symbol;
      let target = next[place]! >> 1;
      if (target === 0) {
        target = outputs.push(undefined) - 1;
        next[place] = target << 1;
        symbols[target] = symbol;
        sibling[target] = child[state]!;
        child[state] = target;
      }
      state = target;
    }
    outputs[state] = [...(outputs[state] ?? []), index];
  }
  return { next, outputs, child, sibling, symbols };
}

/** Fills missing transitions from the longest suffix that begins another word. */
function linkStates({ next, outputs, child, sibling, symbols }: Trie): void {
  const fallback = new Uint16Array(outputs.length);
  const queue = new Uint16Array(outputs.length);
  for (let done = 0, queued = 1; done < queued; done++) {
    const state = queue[done]!;
    const row = state << shift;
    const behind = fallback[state]! << shift;
    if (state !== 0) next.copyWithin(row, behind, behind + width);
    for (let target = child[state]!; target !== 0; target = sibling[target]!) {
      const place = row | symbols[target]!;
      fallback[target] = state === 0 ? 0 : next[place]! >> 1;
      const inherited = outputs[fallback[target]!];
      if (inherited !== undefined) outputs[target] = [...(outputs[target] ?? []), ...inherited];
      next[place] = (target << 1) | (outputs[target] === undefined ? 0 : 1);
      queue[queued++] = target;
    }
  }
}
