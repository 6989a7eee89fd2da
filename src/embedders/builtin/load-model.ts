import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { systemErrorCode } from "../../errors.ts";
import { modelUnusable } from "./model-unusable.ts";
import { parseSafetensors } from "./safetensors.ts";
import { createStaticModel, type StaticModel } from "./static-model.ts";
import { parseTokenizerFile, type TokenizerFile } from "./tokenizer-file.ts";

interface LoadedModel {
  /** SHA-256 of both files, in hex. */
  readonly digest: string;
  readonly dimensions: number;
  readonly tableBytes: number;
  readonly tokenizer: TokenizerFile;
  readonly model: StaticModel;
}

/** Reads and checks the files of a model; afterwards everything happens in memory. */
export async function loadModel(folder: string): Promise<LoadedModel> {
  const tableFile = path.join(folder, "embeddings.safetensors");
  const tokenizerFile = path.join(folder, "tokenizer.json");
  const readingTable = readModelFile(tableFile);
  // Awaited below; until then a rejection must not count as unhandled.
  readingTable.catch(() => {});
  const tokenizerBytes = await readModelFile(tokenizerFile);
  // The table, which is ten times as large, is read in the background meanwhile.
  const tokenizer = parseTokenizerFile(tokenizerBytes.toString("utf8"), tokenizerFile);
  const tableBytes = await readingTable;

  const model = createStaticModel(parseSafetensors(tableBytes, tableFile), tableFile);
  const { highestId } = tokenizer.vocabulary;
  if (highestId >= model.rowCount) {
    const rows = `${model.rowCount} rows, but the word pieces in tokenizer.json go up to number ${highestId}`;
    throw modelUnusable(tableFile, `its table "embeddings" has ${rows}`);
  }
  const hash = createHash("sha256")
    .update(`${tableBytes.length}\n`)
    .update(tableBytes)
    .update(tokenizerBytes);
  const { dimensions } = model;
  return { digest: hash.digest("hex"), dimensions, tableBytes: tableBytes.length, tokenizer, model };
}

const maxFileBytes = 2 ** 30;

async function readModelFile(file: string): Promise<Buffer> {
  try {
    const info = await fs.stat(file);
    if (!info.isFile()) throw modelUnusable(file, "it is not a regular file");
    if (info.size > maxFileBytes)
      throw modelUnusable(file, `it has ${info.size} bytes, over ${maxFileBytes}`);
    await using handle = await fs.open(file);
    const bytes = Buffer.allocUnsafeSlow(info.size);
    // A single read: `readFile` reads small parts, and each of them waits for the event loop.
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
