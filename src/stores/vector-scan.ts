import { blockBytesOf, compileBlockKernel, vectorsPerBlock } from "./vector-block-kernel.ts";
import { type Centre, type CodingName, countBytes, findTextEnd, vectorCodings } from "./vector-codes.ts";
import { compileKernel, type KernelName } from "./vector-kernel.ts";
import type { WasmMemory } from "./wasm-code.ts";

/** Coded texts in memory, one after the other, of which all are looked at in each search. */
export interface VectorScan {
  readonly textCount: number;
  /** Adds so many texts, as `encodeText` gives them, joined. They must be whole: nothing is checked here. */
  append(texts: Uint8Array, count: number): void;
  /**
   * For each text the cosine of its best vector to the query, −Infinity for one without vectors. What is given is
   * valid until the next call of anything here.
   */
  score(query: Float32Array): Float32Array;
}

const pageBytes = 65_536;

export function createVectorScan(coding: CodingName, dimensions: number, centre: Centre = null): VectorScan {
  return coding === "centred" ? scanBlocks(dimensions, centre) : scanTexts(coding, dimensions);
}

/** The memory holds the query, then the texts, and behind them the results of the last search, which the next text overwrites. */
function scanTexts(coding: KernelName, dimensions: number): VectorScan {
  const { widthOf, queryBytesOf, prepareQuery } = vectorCodings[coding];
  const { memory, score } = compileKernel(coding);
  const textsStart = align(queryBytesOf(dimensions));
  let textsEnd = textsStart;
  let textCount = 0;
  return {
    get textCount() {
      return textCount;
    },
    append: (texts, count) => {
      write(memory, texts, textsEnd);
      textsEnd += texts.length;
      textCount += count;
    },
    score: (query) => {
      const resultStart = align(textsEnd);
      reserve(memory, resultStart + 4 * textCount);
      write(memory, prepareQuery(query, null), 0);
      score(textsStart, textCount, resultStart, widthOf(dimensions), 0);
      return new Float32Array(memory.buffer, resultStart, textCount);
    },
  };
}

/** The memory holds the query, then blocks, and behind them for a moment the texts that are to be arranged, or results. */
function scanBlocks(dimensions: number, centre: Centre): VectorScan {
  const { widthOf, queryBytesOf, prepareQuery } = vectorCodings.centred;
  const { memory, countSingles, arrangeBlocks, arrange, score } = compileBlockKernel();
  const width = vectorCodings.bits.widthOf(dimensions);
  const blocksStart = align(queryBytesOf(dimensions));
  const blockCountOf = (vectors: number): number => Math.ceil(vectors / vectorsPerBlock);
  const blocksEndOf = (vectors: number): number => blocksStart + blockCountOf(vectors) * blockBytesOf(width);
  /** Where among the vectors those of each text end; null while each text has one. */
  let ends: number[] | null = null;
  let vectorCount = 0;
  let textCount = 0;

  const noteEnds = (texts: Uint8Array): void => {
    ends ??= Array.from({ length: textCount }, (_, index) => index + 1);
    const view = new DataView(texts.buffer, texts.byteOffset, texts.byteLength);
    for (let at = 0, vectors = vectorCount; at < texts.length; ends.push(vectors)) {
      vectors += view.getUint32(at, true);
      at = findTextEnd(view, at, widthOf(dimensions));
    }
  };

  return {
    get textCount() {
      return textCount;
    },
    append: (texts, count) => {
      // There are fewer vectors than that in so many bytes.
      const start = align(blocksEndOf(vectorCount + texts.length / width));
      write(memory, texts, start);
      const singles = countSingles(start, count, width);
      if (singles < count || ends !== null) noteEnds(texts);
      const whole = vectorCount % vectorsPerBlock === 0 ? Math.floor(singles / vectorsPerBlock) : 0;
      arrangeBlocks(start, whole, width, blocksEndOf(vectorCount));
      const arranged = whole * vectorsPerBlock;
      const rest = start + arranged * (countBytes + widthOf(dimensions));
      vectorCount = arrange(rest, count - arranged, width, blocksStart, vectorCount + arranged);
      textCount += count;
    },
    score: (query) => {
      const resultStart = align(blocksEndOf(vectorCount));
      reserve(memory, resultStart + 4 * vectorsPerBlock * blockCountOf(vectorCount));
      write(memory, prepareQuery(query, centre), 0);
      score(blocksStart, blockCountOf(vectorCount), resultStart, width, 0);
      const similarities = new Float32Array(memory.buffer, resultStart, vectorCount);
      return ends === null ? similarities : bestOfTexts(similarities, ends);
    },
  };
}

function bestOfTexts(similarities: Float32Array, ends: readonly number[]): Float32Array {
  const best = new Float32Array(ends.length).fill(Number.NEGATIVE_INFINITY);
  for (let text = 0, vector = 0; text < ends.length; text++) {
    for (; vector < ends[text]!; vector++) best[text] = Math.max(best[text]!, similarities[vector]!);
  }
  return best;
}

function write(memory: WasmMemory, bytes: Uint8Array, start: number): void {
  reserve(memory, start + bytes.length);
  new Uint8Array(memory.buffer).set(bytes, start);
}

/** Grows by an eighth at least, so that many small additions do not make it grow each time. */
function reserve(memory: WasmMemory, endBytes: number): void {
  const missing = Math.ceil((endBytes - memory.buffer.byteLength) / pageBytes);
  if (missing > 0) memory.grow(Math.max(missing, Math.ceil(memory.buffer.byteLength / pageBytes / 8)));
}

function align(address: number): number {
  return 16 * Math.ceil(address / 16);
}
