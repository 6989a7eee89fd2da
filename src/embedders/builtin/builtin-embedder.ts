import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { systemErrorCode, throwIfAborted } from "../../errors.ts";
import { packageFile } from "../../package-files.ts";
import type { Embedder, EmbedOptions, TextVectors } from "../embedder.ts";
import { modelUnusable } from "./model-unusable.ts";
import { createNearWords } from "./near-words.ts";
import { parseSafetensors } from "./safetensors.ts";
import { createStaticModel } from "./static-model.ts";
import { parseTokenizerFile } from "./tokenizer-file.ts";
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
 * The embedder that needs no key, no download and no native code. Opening reads and checks the files, so it is done
 * when vectors are first needed and not before; afterwards everything happens in memory.
 */
export async function openBuiltinEmbedder(options: BuiltinEmbedderOptions = {}): Promise<BuiltinEmbedder> {
  const folder = options.folder ?? packageFile("models", "builtin");
  const tableFile = path.join(folder, "embeddings.safetensors");
  const tokenizerFile = path.join(folder, "tokenizer.json");
  const readingTable = readModelFile(tableFile);
  // Its failure is looked at below; until then it must not count as unhandled.
  readingTable.catch(() => {});
  const tokenizerBytes = await readModelFile(tokenizerFile);
  // The table, ten times as long, is read meanwhile by another thread.
  const description = parseTokenizerFile(tokenizerBytes.toString("utf8"), tokenizerFile);
  const tableBytes = await readingTable;

  const model = createStaticModel(parseSafetensors(tableBytes, tableFile), tableFile);
  const { highestId } = description.vocabulary;
  if (highestId >= model.rowCount) {
    const rows = `${model.rowCount} rows, but the word pieces in tokenizer.json go up to number ${highestId}`;
    throw modelUnusable(tableFile, `its table "embeddings" has ${rows}`);
  }
  const tokenizer = createWordPieceTokenizer(description);
  const knownPieces = (text: string): number[] =>
    tokenizer.tokenize(text).filter((id) => !description.specialIds.has(id));
  const hash = createHash("sha256")
    .update(`${tableBytes.length}\n`)
    .update(tableBytes)
    .update(tokenizerBytes);
  const digest = hash.digest("hex");
  // A folder without it is a model all the same: it only takes no part in the search by word.
  const nearWordsFile = await fs.readFile(path.join(folder, "near-words.txt"), "latin1").catch(() => "");

  return {
    id: `builtin:${algorithm}:${digest}:${2 * windowStep}/${windowStep}`,
    provider: "builtin",
    model: `${path.basename(path.resolve(folder))}-${digest.slice(0, 8)}`,
    dimensions: model.dimensions,
    // About 6 ms of work: a batch is done in one piece, and a host is to stay responsive.
    maxBatch: 8,
    vectorsPerText: "several",
    async embedDocuments(texts, { signal } = {}) {
      return texts.map((text) => {
        throwIfAborted(signal);
        return model.embedWindows(knownPieces(text), windowStep);
      });
    },
    async embedQuery(text, { signal } = {}) {
      throwIfAborted(signal);
      return model.embedWhole(knownPieces(text));
    },
    nearWords: createNearWords(nearWordsFile),
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

const maxFileBytes = 2 ** 30;

async function readModelFile(file: string): Promise<Buffer> {
  try {
    const info = await fs.stat(file);
    if (!info.isFile()) throw modelUnusable(file, "it is not a regular file");
    if (info.size > maxFileBytes)
      throw modelUnusable(file, `it has ${info.size} bytes, over ${maxFileBytes}`);
    await using handle = await fs.open(file);
    const bytes = Buffer.allocUnsafeSlow(info.size);
    // One request for everything: `readFile` asks for small parts, and each waits for this thread to be free.
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === undefined) throw cause;
    throw modelUnusable(
      file,
      code === "ENOENT" ? "it does not exist" : `reading it failed with ${code}`,
      cause,
    );
  }
}
