import type { WordComparison } from "../embedder.ts";
import { compileWordKernel, listEntryBytes } from "./word-kernel.ts";
import { wordKernelBytes } from "./word-kernel-bytes.ts";

/** In words; a run is two steps long. A longer run blurs its words. */
const runStep = 15;

/** A word of the texts that a query is compared with. */
export interface WordInTexts {
  /** Of its vector and cosines in the memory. */
  readonly address: number;
  /** The number of texts that contain it. */
  readonly textCount: number;
}

/**
 * The memory of the kernel: two sums of vectors, the vector of the query, results, those of its words in groups of four,
 * then a slot per word of the texts with its vector and its cosines, and after these a list of words, temporarily.
 */
export function createWordMemory(dimensions: number) {
  const { memory, dots, raise, addWords, measure } = compileWordKernel(wordKernelBytes());
  const width = 4 * Math.ceil(dimensions / 4);
  const question = 16 * width;
  const result = question + 4 * width;
  const columns = result + 16;
  /** Groups of four words of a query that there is room for, and those of the current query. */
  let [room, blocks] = [0, 0];
  let wordCount = 0;
  let hasQuestion = false;
  let [slots, slotBytes, slotsEnd] = [0, 0, 0];
  let views = viewsOf(memory.buffer);

  const reserve = (endBytes: number): void => {
    const missing = Math.ceil((endBytes - memory.buffer.byteLength) / pageBytes);
    if (missing <= 0) return;
    memory.grow(Math.max(missing, Math.ceil(memory.buffer.byteLength / pageBytes / 8)));
    views = viewsOf(memory.buffer);
  };
  const cosinesAt = (address: number): number => address + 4 * width;

  /** The cosine of the most similar run of words, each weighted by how few of the texts contain it. */
  const bestRun = (list: number, count: number): number | null => {
    let best: number | null = null;
    let [earlier, later] = [0, 8 * width];
    const addRun = (start: number, sum: number): void => {
      views.doubles.fill(0, sum / 8, sum / 8 + width);
      addWords(list + start * listEntryBytes, Math.min(runStep, count - start), sum, width);
    };
    addRun(0, earlier);
    for (let start = 0; start === 0 ? count > 0 : start + runStep < count; start += runStep) {
      if (start + runStep < count) addRun(start + runStep, later);
      else views.doubles.fill(0, later / 8, later / 8 + width);
      measure(earlier, later, question, width, result);
      const squares = views.doubles[result / 8]!;
      const shared = views.doubles[result / 8 + 1]!;
      if (squares > 0) best = Math.max(best ?? -1, shared / Math.sqrt(squares));
      [earlier, later] = [later, earlier];
    }
    return best;
  };

  return {
    hasRoomFor: (words: number): boolean => Math.ceil(words / 4) <= room,
    /** Frees all slots, and makes room for this number of words of a query. */
    clear: (words: number): void => {
      room = Math.max(room, 2, Math.ceil(words / 4));
      slots = columns + 32 * width * room;
      slotBytes = 4 * width + 16 * room;
      slotsEnd = slots;
      views.floats.fill(0);
    },
    /** The vectors of the words of a query, and of the whole. */
    ask: (words: readonly (Float32Array | null)[], whole: Float32Array | null): void => {
      wordCount = words.length;
      blocks = Math.ceil(words.length / 4);
      hasQuestion = whole !== null;
      reserve(slots);
      if (whole !== null) views.floats.set(whole, question / 4);
      for (let word = 0; word < 4 * blocks; word++) {
        const vector = words[word];
        const start = columns / 8 + Math.floor(word / 4) * 4 * width + (word % 4);
        for (let i = 0; i < dimensions; i++) views.doubles[start + 4 * i] = vector ? vector[i]! : 0;
      }
    },
    /** A slot for a word, whose vector is written by the caller; null if it has none. */
    add: (write: (into: Float32Array) => boolean): number | null => {
      reserve(slotsEnd + slotBytes);
      const address = slotsEnd;
      views.floats.fill(0, address / 4 + dimensions, address / 4 + width);
      if (!write(new Float32Array(memory.buffer, address, dimensions))) return null;
      slotsEnd += slotBytes;
      return address;
    },
    /** Compares a word with those of the query. */
    compare: (address: number): void => {
      dots(address, columns, blocks, width, cosinesAt(address));
    },
    /** Compares a text with the query. */
    summarize: (words: readonly WordInTexts[], textCount: number): WordComparison => {
      const list = 16 * Math.ceil(slotsEnd / 16);
      const highest = list + listEntryBytes * words.length;
      reserve(highest + 16 * blocks);
      const { integers, doubles, floats } = views;
      for (let at = 0; at < words.length; at++) {
        const { address, textCount: ofWord } = words[at]!;
        const entry = list + at * listEntryBytes;
        integers[entry / 4] = address;
        integers[entry / 4 + 1] = cosinesAt(address);
        doubles[entry / 8 + 1] = Math.log1p(textCount / ofWord);
      }
      floats.fill(0, highest / 4, highest / 4 + 4 * blocks);
      raise(list, words.length, blocks, highest);
      return {
        cosines: floats.slice(highest / 4, highest / 4 + wordCount),
        similarity: hasQuestion ? bestRun(list, words.length) : null,
      };
    },
  };
}

const pageBytes = 65_536;

function viewsOf(buffer: ArrayBuffer) {
  return {
    integers: new Int32Array(buffer),
    floats: new Float32Array(buffer),
    doubles: new Float64Array(buffer),
  };
}
