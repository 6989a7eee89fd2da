/** Finds where any of many words may begin, in one walk over a text, whatever the text holds (Aho-Corasick). */
export interface TriggerScan {
  /**
   * Calls back with the number of the word and the offset where it begins. Only the beginning of a long word is looked
   * for, and characters beyond ASCII share classes, so the caller compares the word itself.
   */
  scan(text: string, from: number, to: number, onHit: (word: number, start: number) => void): void;
}

/** No more characters of a word are looked for: more states would not fit into the processor's cache. */
export const maxTrigger = 6;
/** Columns of the table: a power of two, so that a row is found by a shift. */
const shift = 7;
const width = 1 << shift;

export function createTriggerScan(words: readonly string[]): TriggerScan {
  const heads = words.map((word) => word.toLowerCase().slice(0, maxTrigger));
  const classes = assignClasses(heads);
  const { edges, outputs } = buildTrie(heads, classes);
  const next = linkStates(edges, outputs);
  const lengths = heads.map((head) => head.length);
  return {
    scan(text, from, to, onHit) {
      let state = 0;
      for (let at = from; at < to; at++) {
        // The lowest bit says that a word ends here.
        const step = next[(state << shift) | classes[text.charCodeAt(at)]!]!;
        state = step >> 1;
        if ((step & 1) === 1) for (const word of outputs[state]!) onHit(word, at + 1 - lengths[word]!);
      }
    },
  };
}

/** Characters that stand in no word are of class 0. */
function assignClasses(words: readonly string[]): Uint8Array {
  const classes = new Uint8Array(65_536);
  const characters = [...new Set(words.join(""))];
  const ascii = characters.filter((character) => character < "\u0080");
  const others = characters.filter((character) => character >= "\u0080");
  const assign = (character: string, number: number): void => {
    const capital = character.toUpperCase();
    // The dotless i of Turkish has the capital of another letter.
    if (capital.toLowerCase() === character) classes[capital.charCodeAt(0)] = number;
    classes[character.charCodeAt(0)] = number;
  };
  for (const [index, character] of ascii.entries()) assign(character, 1 + index);
  const rest = width - 1 - ascii.length;
  for (const [index, character] of others.entries()) assign(character, 1 + ascii.length + (index % rest));
  return classes;
}

type Edges = Map<number, number>[];

function buildTrie(words: readonly string[], classes: Uint8Array): { edges: Edges; outputs: number[][] } {
  const edges: Edges = [new Map()];
  const outputs: number[][] = [[]];
  for (const [index, word] of words.entries()) {
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const symbol = classes[word.charCodeAt(at)]!;
      let target = edges[state]!.get(symbol);
      if (target === undefined) {
        target = edges.push(new Map()) - 1;
        outputs.push([]);
        edges[state]!.set(symbol, target);
      }
      state = target;
    }
    outputs[state]!.push(index);
  }
  return { edges, outputs };
}

/** The full table of transitions: the next state, shifted by one, and whether a word ends there. */
function linkStates(edges: Edges, outputs: number[][]): Uint16Array {
  const next = new Uint16Array(edges.length << shift);
  const fallback = new Int32Array(edges.length);
  const queue = [0];
  for (const state of queue) {
    const row = state << shift;
    const behind = fallback[state]! << shift;
    if (state !== 0) next.copyWithin(row, behind, behind + width);
    for (const [symbol, target] of edges[state]!) {
      fallback[target] = state === 0 ? 0 : next[row | symbol]! >> 1;
      outputs[target]!.push(...outputs[fallback[target]!]!);
      next[row | symbol] = (target << 1) | (outputs[target]!.length > 0 ? 1 : 0);
      queue.push(target);
    }
  }
  return next;
}
