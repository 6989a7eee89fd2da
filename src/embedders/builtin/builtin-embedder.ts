import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import path from "node:path";
import { systemErrorCode, throwIfAborted } from "../../errors.ts";
import { builtFile, packageFile } from "../../package-files.ts";
import { once } from "../../text/once.ts";
import type { EmbedDocumentsOptions, Embedder, TextVectors } from "../embedder.ts";
import { createWordComparison } from "./compare-words.ts";
import type { EmbeddingThreads } from "./embedding-threads.ts";
import { decodePreparedModel, type PreparedModel, preparedHeadBytes } from "./prepared-model.ts";
import { openRowFile, type RowFile } from "./row-file.ts";
import { sumRows } from "./static-model.ts";
import { createWordPieceTokenizer, type WordPieceTokenizer } from "./word-piece.ts";

interface BuiltinEmbedderOptions {
  /** A folder with `embeddings.safetensors` and `tokenizer.json`; the model of the package by default. */
  readonly folder?: string;
}

/** It refuses no text. */
export interface BuiltinEmbedder extends Embedder {
  embedDocuments(texts: readonly string[], options?: EmbedDocumentsOptions): Promise<readonly TextVectors[]>;
}

/**
 * The embedder that needs no key, no download and no native code. The files of the packaged model were checked at build
 * time, so opening it reads next to nothing; any other model is read and checked here.
 */
export async function openBuiltinEmbedder(options: BuiltinEmbedderOptions = {}): Promise<BuiltinEmbedder> {
  const folder = options.folder ?? packageFile("models", "builtin");
  const prepared = options.folder === undefined ? readPrepared(folder) : null;
  const loaded = prepared === null ? await (await import("./load-model.ts")).loadModel(folder) : null;
  const description = prepared ?? loaded!;
  const { digest, dimensions } = description;
  const openTokenizer = once(() => createWordPieceTokenizer(description.tokenizer));
  const tokenizer: WordPieceTokenizer = {
    tokenize: (text, onWord) => openTokenizer().tokenize(text, onWord),
  };
  const specialIds = once(() => description.tokenizer.specialIds);
  const isKnown = (id: number): boolean => !specialIds().has(id);
  const knownPieces = (text: string): number[] => tokenizer.tokenize(text).filter(isKnown);

  let rows: RowFile | null = null;
  const model = once(() => {
    if (loaded !== null) return loaded.model;
    const file = path.join(folder, tableName);
    rows = openRowFile(file);
    return sumRows(rows, file);
  });

  const embedWindows = (text: string): TextVectors => model().embedWindows(knownPieces(text), windowStep);
  const id = `builtin:${algorithm}:${digest}:${2 * windowStep}/${windowStep}`;
  let opening: Promise<EmbeddingThreads> | undefined;
  let isClosed = false;
  const threads = (): Promise<EmbeddingThreads> =>
    (opening ??= import("./embedding-threads.ts").then(({ createEmbeddingThreads }) =>
      createEmbeddingThreads({
        folder: options.folder,
        id,
        embedHere: embedWindows,
        isClosed: () => isClosed,
      }),
    ));

  return {
    specificationVersion: 1,
    id,
    provider: "builtin",
    model: `${path.basename(path.resolve(folder))}-${digest.slice(0, 8)}`,
    dimensions,
    maxBatch: 1024,
    vectorsPerText: "several",
    async embedDocuments(texts, options = {}) {
      if (texts.length > fewTexts) return await (await threads()).embed(texts, options);
      throwIfAborted(options.signal);
      return texts.map(embedWindows);
    },
    async embedQuery(text, { signal } = {}) {
      throwIfAborted(signal);
      return model().embedWhole(knownPieces(text));
    },
    compareWords: createWordComparison(tokenizer, model, isKnown),
    knowsWord(word) {
      const pieces = tokenizer.tokenize(word);
      return pieces.length === 1 && isKnown(pieces[0]!);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      (await opening)?.stop();
      rows?.close();
    },
  };
}

/** About 6 ms of work; more is done in slices, so that the host stays responsive. */
const fewTexts = 8;

/** Incremented when the code gives other vectors for the same files. */
const algorithm = 1;
/**
 * In word pieces; a window is two steps long. One vector for a whole chunk represents none of its sentences well; with
 * longer windows, retrieval gets worse.
 */
const windowStep = 20;

const tableName = "embeddings.safetensors";

/** The prepared form of the packaged model; null in a checkout, or if the files have changed since the build. */
function readPrepared(folder: string): PreparedModel | null {
  const file = builtFile("builtin-model.bin");
  if (file === null) return null;
  try {
    const prepared = decodePreparedModel(readHead(file), () => readAligned(file));
    const isSame = statSync(path.join(folder, tableName)).size === prepared?.tableBytes;
    return isSame ? prepared : null;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return null;
  }
}

function readAligned(file: string): Uint8Array<ArrayBuffer> {
  const bytes = readFileSync(file);
  const own = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  return own.byteOffset % 4 === 0 ? own : own.slice();
}

function readHead(file: string): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(preparedHeadBytes);
  const descriptor = openSync(file, "r");
  try {
    return head.subarray(0, readSync(descriptor, head));
  } finally {
    closeSync(descriptor);
  }
}
