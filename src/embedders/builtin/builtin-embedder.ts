import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { systemErrorCode, throwIfAborted } from "../../errors.ts";
import { builtFile, packageFile } from "../../package-files.ts";
import type { Embedder, EmbedOptions, TextVectors } from "../embedder.ts";
import type { LoadedModel } from "./load-model.ts";
import { createNearWords } from "./near-words.ts";
import { decodePreparedModel, type PreparedModel } from "./prepared-model.ts";
import { readRows } from "./read-rows.ts";
import { createStaticModel } from "./static-model.ts";
import { createWordPieceTokenizer } from "./word-piece.ts";

export interface BuiltinEmbedderOptions {
  /** A folder with `embeddings.safetensors` and `tokenizer.json`; the model of the package by default. */
  readonly folder?: string;
}

/** It refuses no text. */
export interface BuiltinEmbedder extends Embedder {
  embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<readonly TextVectors[]>;
}

/**
 * The embedder that needs no key, no download and no native code. The files of the package's own model were looked at
 * when it was built, so that a question reads the rows of its own words alone; all others are read and checked here.
 */
export async function openBuiltinEmbedder(options: BuiltinEmbedderOptions = {}): Promise<BuiltinEmbedder> {
  const folder = options.folder ?? packageFile("models", "builtin");
  let loading: Promise<LoadedModel> | undefined;
  const load = (): Promise<LoadedModel> => {
    loading ??= import("./load-model.ts").then(({ loadModel }) => loadModel(folder));
    return loading;
  };
  const prepared = options.folder === undefined ? readPrepared(folder) : null;
  const { digest, dimensions, tokenizer: description } = prepared ?? (await load());
  const tokenizer = createWordPieceTokenizer(description);
  const knownPieces = (text: string): number[] =>
    tokenizer.tokenize(text).filter((id) => !description.specialIds.has(id));

  const embedFew = (ids: readonly number[]): Float32Array | null => {
    if (ids.length === 0) return null;
    const file = path.join(folder, tableName);
    return createStaticModel(readRows(file, ids), file).embedWhole([...ids.keys()]);
  };
  let nearWords: ReturnType<typeof createNearWords> | undefined;

  return {
    id: `builtin:${algorithm}:${digest}:${2 * windowStep}/${windowStep}`,
    provider: "builtin",
    model: `${path.basename(path.resolve(folder))}-${digest.slice(0, 8)}`,
    dimensions,
    // About 6 ms of work: a batch is done in one piece, and a host is to stay responsive.
    maxBatch: 8,
    vectorsPerText: "several",
    async embedDocuments(texts, { signal } = {}) {
      const { model } = await load();
      return texts.map((text) => {
        throwIfAborted(signal);
        return model.embedWindows(knownPieces(text), windowStep);
      });
    },
    async embedQuery(text, { signal } = {}) {
      throwIfAborted(signal);
      const ids = knownPieces(text);
      const isShort = loading === undefined && ids.length <= mostRowsRead;
      return isShort ? embedFew(ids) : (await load()).model.embedWhole(ids);
    },
    nearWords: (word) => {
      nearWords ??= createNearWords(readNearWords(folder));
      return nearWords(word);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Changes when the code gives other vectors for the same files. */
const algorithm = 1;
/**
 * In word pieces; a window is two steps long. One vector for a whole chunk says too little about any of its
 * sentences, and a longer window less than this one.
 */
const windowStep = 20;

const tableName = "embeddings.safetensors";
/** Reading all of them at once is as quick as so many alone. */
const mostRowsRead = 200;

/** What the build knows of the package's own model; null in a checkout, and where the files are not those it saw. */
function readPrepared(folder: string): PreparedModel | null {
  const file = builtFile("builtin-model.bin");
  if (file === null) return null;
  try {
    const bytes = readFileSync(file);
    const own = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
    const prepared = decodePreparedModel(own.byteOffset % 4 === 0 ? own : own.slice());
    const isSame = statSync(path.join(folder, tableName)).size === prepared?.tableBytes;
    return isSame ? prepared : null;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return null;
  }
}

/** A folder without it is a model all the same: it only takes no part in the search by word. */
function readNearWords(folder: string): string {
  try {
    return readFileSync(path.join(folder, "near-words.txt"), "latin1");
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return "";
  }
}
