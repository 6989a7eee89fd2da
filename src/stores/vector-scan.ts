import { type Centre, type CodingName, vectorCodings } from "./vector-codes.ts";
import { compileKernel } from "./vector-kernel.ts";

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

/**
 * The memory holds the query, then the texts, and behind them the results of the last search, which the next text
 * overwrites. It grows by an eighth at least, so that many small additions do not make it grow each time.
 */
export function createVectorScan(coding: CodingName, dimensions: number, centre: Centre = null): VectorScan {
  const { widthOf, queryBytesOf, prepareQuery } = vectorCodings[coding];
  const { memory, score } = compileKernel(coding);
  const textsStart = align(queryBytesOf(dimensions));
  let textsEnd = textsStart;
  let textCount = 0;

  const reserve = (endBytes: number): void => {
    const missing = Math.ceil((endBytes - memory.buffer.byteLength) / pageBytes);
    if (missing > 0) memory.grow(Math.max(missing, Math.ceil(memory.buffer.byteLength / pageBytes / 8)));
  };

  return {
    get textCount() {
      return textCount;
    },
    append: (texts, count) => {
      reserve(textsEnd + texts.length);
      new Uint8Array(memory.buffer).set(texts, textsEnd);
      textsEnd += texts.length;
      textCount += count;
    },
    score: (query) => {
      const resultStart = align(textsEnd);
      reserve(resultStart + 4 * textCount);
      new Uint8Array(memory.buffer).set(prepareQuery(query, centre));
      score(textsStart, textCount, resultStart, widthOf(dimensions), 0);
      return new Float32Array(memory.buffer, resultStart, textCount);
    },
  };
}

function align(address: number): number {
  return 16 * Math.ceil(address / 16);
}
