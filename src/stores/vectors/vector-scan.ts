import type { WasmMemory } from "../../wasm-code.ts";
import { kernelBytes } from "./kernel-bytes.ts";
import { compileBlockKernel, vectorsPerBlock } from "./vector-block-kernel.ts";
import { type Centre, type CodingName, vectorCodings } from "./vector-codes.ts";
import { compileKernel } from "./vector-kernel.ts";

/** Coded texts in contiguous memory; each search scans all of them. */
export interface VectorScan {
  readonly textCount: number;
  /** Adds joined texts in the format of `encodeText`. They must be complete: nothing is checked here. */
  append(texts: Uint8Array, count: number): void;
  /** For each text the cosine of its best vector to the query, −Infinity without vectors. Valid until the next call. */
  score(query: Float32Array): Float32Array;
}

const pageBytes = 65_536;

export function createVectorScan(coding: CodingName, dimensions: number, centre: Centre = null): VectorScan {
  return coding === "bytes" ? scanBytes(dimensions) : scanSigns(coding, dimensions, centre);
}

/** The memory holds the query, the texts, and the results of the last search, which the next text overwrites. */
function scanBytes(dimensions: number): VectorScan {
  const { widthOf, queryBytesOf, prepareQuery } = vectorCodings.bytes;
  const { memory, score } = compileKernel(kernelBytes("bytes"));
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

/**
 * The memory holds the query, the vectors of the last block if it is incomplete, then all blocks, and after them,
 * temporarily, vectors to be arranged, or results.
 */
function scanSigns(coding: "bits" | "centred", dimensions: number, centre: Centre): VectorScan {
  const { widthOf, queryBytesOf, prepareQuery } = vectorCodings[coding];
  const { memory, gather, arrange, score, reduce } = compileBlockKernel(kernelBytes(coding));
  const vectorBytes = widthOf(dimensions);
  const width = vectorCodings.bits.widthOf(dimensions);
  const blockBytes = vectorsPerBlock * vectorBytes;
  const lastStart = align(queryBytesOf(dimensions));
  const blocksStart = align(lastStart + blockBytes);
  const blockCountOf = (vectors: number): number => Math.ceil(vectors / vectorsPerBlock);
  const blocksEndOf = (vectors: number): number => align(blocksStart + blockCountOf(vectors) * blockBytes);
  const counts = createCounts();
  let vectorCount = 0;

  return {
    get textCount() {
      return counts.length;
    },
    append: (texts, count) => {
      const lastCount = vectorCount % vectorsPerBlock;
      const maxVectors = lastCount + Math.floor(texts.length / vectorBytes);
      const textsStart = blocksEndOf(vectorCount + maxVectors);
      const vectorsStart = align(textsStart + texts.length);
      const countsStart = align(vectorsStart + (maxVectors + vectorsPerBlock) * vectorBytes);
      reserve(memory, countsStart + 4 * (count + 1));
      const bytes = new Uint8Array(memory.buffer);
      bytes.set(texts, textsStart);
      bytes.copyWithin(vectorsStart, lastStart, lastStart + lastCount * vectorBytes);
      const gatheredStart = vectorsStart + lastCount * vectorBytes;
      const end = gather(textsStart, count, vectorBytes, gatheredStart, countsStart);
      const blocks = blockCountOf((end - vectorsStart) / vectorBytes);
      const firstBlock = Math.floor(vectorCount / vectorsPerBlock);
      arrange(vectorsStart, blocks, width, blocksStart + firstBlock * blockBytes);
      vectorCount += (end - gatheredStart) / vectorBytes;
      bytes.copyWithin(lastStart, end - (vectorCount % vectorsPerBlock) * vectorBytes, end);
      counts.append(new Uint32Array(memory.buffer, countsStart, count + 1));
    },
    score: (query) => {
      const resultStart = blocksEndOf(vectorCount);
      const countsStart = align(resultStart + 4 * vectorsPerBlock * blockCountOf(vectorCount));
      const bestStart = align(countsStart + 4 * counts.length);
      reserve(memory, bestStart + 4 * counts.length);
      write(memory, prepareQuery(query, centre), 0);
      score(blocksStart, blockCountOf(vectorCount), resultStart, width, 0);
      const each = counts.all();
      if (each === null) return new Float32Array(memory.buffer, resultStart, vectorCount);
      new Uint32Array(memory.buffer, countsStart).set(each);
      reduce(resultStart, counts.length, countsStart, bestStart);
      return new Float32Array(memory.buffer, bestStart, counts.length);
    },
  };
}

/** How many vectors each text has. Nothing is stored while each has one. */
function createCounts() {
  let length = 0;
  let kept: Uint32Array | null = null;
  return {
    get length() {
      return length;
    },
    /** The last number is 0 if all others are 1. */
    append: (more: Uint32Array): void => {
      const added = more.length - 1;
      if (kept === null && more[added] !== 0) kept = new Uint32Array(2 * (length + added)).fill(1, 0, length);
      if (kept !== null && length + added > kept.length) {
        const larger = new Uint32Array(2 * (length + added));
        larger.set(kept.subarray(0, length));
        kept = larger;
      }
      kept?.set(more.subarray(0, added), length);
      length += added;
    },
    /** Null if each is 1. */
    all: (): Uint32Array | null => kept?.subarray(0, length) ?? null,
  };
}

function write(memory: WasmMemory, bytes: Uint8Array, start: number): void {
  reserve(memory, start + bytes.length);
  new Uint8Array(memory.buffer).set(bytes, start);
}

/** Grows by at least an eighth, so that small additions do not grow it each time. */
function reserve(memory: WasmMemory, endBytes: number): void {
  const missing = Math.ceil((endBytes - memory.buffer.byteLength) / pageBytes);
  if (missing > 0) memory.grow(Math.max(missing, Math.ceil(memory.buffer.byteLength / pageBytes / 8)));
}

function align(address: number): number {
  return 16 * Math.ceil(address / 16);
}
