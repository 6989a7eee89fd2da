/** Finds every occurrence of many words in one walk over a text, whatever the text holds (Aho-Corasick). */
export interface TriggerScan {
  /** Calls back with the number of the word and the offset behind it. ASCII letters match in either case. */
  scan(text: string, from: number, to: number, onHit: (word: number, end: number) => void): void;
}

export function createTriggerScan(words: readonly string[]): TriggerScan {
  const classes = new Uint8Array(65_536);
  const folded = words.map((word) => word.toLowerCase());
  const width = assignClasses(folded, classes);
  const trie = buildTrie(folded, classes);
  const next = linkStates(trie, width);
  const { outputs } = trie;
  const hasOutput = Uint8Array.from(outputs, (list) => (list.length > 0 ? 1 : 0));
  return {
    scan(text, from, to, onHit) {
      let row = 0;
      for (let at = from; at < to; at++) {
        row = next[row + classes[text.charCodeAt(at)]!]!;
        if (row !== 0 && hasOutput[row / width] === 1) {
          for (const word of outputs[row / width]!) onHit(word, at + 1);
        }
      }
    },
  };
}

/** Characters that stand in no word share class 0. Returns the number of classes. */
function assignClasses(words: readonly string[], classes: Uint8Array): number {
  let count = 1;
  for (const word of words) {
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      if (classes[code] !== 0) continue;
      const capital = word[at]!.toUpperCase();
      // The dotless i of Turkish has the capital of another letter.
      if (capital.toLowerCase() === word[at]) classes[capital.charCodeAt(0)] = count;
      classes[code] = count++;
    }
  }
  if (count > 255) throw new Error("The words have too many different characters.");
  return count;
}

interface Trie {
  /** For each state, what follows it by class; 0 is none. */
  readonly edges: Map<number, number>[];
  readonly outputs: number[][];
}

function buildTrie(words: readonly string[], classes: Uint8Array): Trie {
  const edges: Map<number, number>[] = [new Map()];
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

/** The full table of transitions, each the offset of the next state's row. */
function linkStates({ edges, outputs }: Trie, width: number): Int32Array {
  const next = new Int32Array(edges.length * width);
  const fallback = new Int32Array(edges.length);
  const queue = [0];
  for (const state of queue) {
    const row = state * width;
    const behind = fallback[state]!;
    if (state !== 0) next.copyWithin(row, behind * width, behind * width + width);
    for (const [symbol, target] of edges[state]!) {
      fallback[target] = state === 0 ? 0 : next[row + symbol]! / width;
      outputs[target]!.push(...outputs[fallback[target]!]!);
      next[row + symbol] = target * width;
      queue.push(target);
    }
  }
  return next;
}
