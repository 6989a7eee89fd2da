import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import { join } from "node:path";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import { type GgufHeader, parseGguf } from "./gguf.ts";
import { localModelUnusable } from "./local-model-error.ts";
import { findModelFamily, type ModelFamily } from "./model-family.ts";

/** A model file that was checked and is complete. */
export interface ModelFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** The same for the same content, wherever the file is. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** The context size that the model was trained with. */
  readonly trainedTokens: number;
  readonly family: ModelFamily;
}

/** Reads the header of a GGUF file and checks that the file is complete, without loading it. */
export async function readModelFile(path: string): Promise<ModelFile> {
  try {
    await using handle = await openRegularFile(path);
    const { size } = await handle.stat();
    const { header, bytes } = await readHeader(handle, { path, size });
    if (size < header.neededBytes) {
      throw localModelUnusable(
        path,
        `it has ${size} bytes and should have at least ${header.neededBytes}, so its end is missing`,
      );
    }
    return {
      path,
      sizeBytes: size,
      fingerprint: await fingerprintOf(handle, { size, header: bytes }),
      ...describe(header, path),
    };
  } catch (cause) {
    if (cause instanceof LonghandError) throw cause;
    const code = systemErrorCode(cause);
    if (code === undefined) throw cause;
    throw localModelUnusable(
      path,
      code === "ENOENT" ? "it does not exist" : `reading it failed with ${code}`,
      {
        cause,
      },
    );
  }
}

async function openRegularFile(path: string): Promise<fs.FileHandle> {
  // Before it is opened, because opening a pipe could block forever.
  const info = await fs.stat(path);
  if (info.isDirectory()) {
    throw localModelUnusable(path, "it is a folder, and the provider local reads one GGUF file", {
      hint: "Name the file itself in local.modelPath. A folder of the builtin layout is for the provider builtin.",
    });
  }
  if (!info.isFile()) throw localModelUnusable(path, "it is not a regular file");
  return await fs.open(path);
}

const firstReadBytes = 2 ** 20;
const maxHeaderBytes = 2 ** 28;

async function readHeader(
  handle: fs.FileHandle,
  { path, size }: { path: string; size: number },
): Promise<{ header: GgufHeader; bytes: Uint8Array }> {
  for (let length = firstReadBytes; ; length *= 4) {
    const bytes = await readAt(handle, 0, Math.min(length, size));
    const header = parseGguf(bytes);
    if (header !== null && "fault" in header) throw localModelUnusable(path, `it ${header.fault}`);
    if (header !== null) return { header, bytes: bytes.subarray(0, header.headerBytes) };
    if (length >= size) throw localModelUnusable(path, `it ends after ${size} bytes, within its header`);
    if (length >= maxHeaderBytes) throw localModelUnusable(path, "its header has no end");
  }
}

function describe(
  { values }: GgufHeader,
  path: string,
): Pick<ModelFile, "dimensions" | "trainedTokens" | "family"> {
  const textOf = (key: string): string => {
    const value = values.get(key);
    return typeof value === "string" ? value : "";
  };
  const architecture = textOf("general.architecture");
  const numberOf = (key: string): number | undefined => {
    const value = values.get(`${architecture}.${key}`);
    return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const parts = values.get("split.count");
  if (typeof parts === "number" && parts > 1) {
    throw localModelUnusable(path, `it is one of ${parts} parts of a model`, {
      hint: "Take a model that is a single file, or join the parts into one.",
    });
  }
  const dimensions = numberOf("embedding_length_out") ?? numberOf("embedding_length");
  const trainedTokens = numberOf("context_length");
  if (dimensions === undefined || trainedTokens === undefined) {
    throw localModelUnusable(path, "it does not say how long its vectors and its texts are");
  }
  const names = [textOf("general.name"), textOf("general.basename"), textOf("general.finetune")];
  return { dimensions, trainedTokens, family: findModelFamily({ architecture, names }) };
}

const sliceBytes = 2 ** 16;
const sliceCount = 64;

/**
 * SHA-256 of the length, the whole header and slices spread evenly from the first to the last byte: as good as the hash
 * of everything for telling published models apart, and done in milliseconds where that takes seconds.
 */
async function fingerprintOf(
  handle: fs.FileHandle,
  { size, header }: { size: number; header: Uint8Array },
): Promise<string> {
  const hash = createHash("sha256").update(`${size}\n`).update(header);
  if (size <= sliceBytes * sliceCount) return hash.update(await readAt(handle, 0, size)).digest("hex");
  for (let i = 0; i < sliceCount; i++) {
    const at = Math.floor(((size - sliceBytes) / (sliceCount - 1)) * i);
    hash.update(await readAt(handle, at, sliceBytes));
  }
  return hash.digest("hex");
}

async function readAt(handle: fs.FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

export interface ListedModel {
  readonly path: string;
  readonly sizeBytes: number;
  /** `partial`: not fetched completely. `unusable`: see `problem`. */
  readonly state: "ready" | "partial" | "unusable";
  readonly dimensions?: number;
  readonly problem?: string;
}

/** Every model file in the cache folder, and those of `besides` that exist. */
export async function listModels(cacheDir: string, besides: readonly string[]): Promise<ListedModel[]> {
  const found = (await fs.readdir(cacheDir, { recursive: true, withFileTypes: true }).catch(noFolder))
    .filter((entry) => entry.isFile() && /\.(?:gguf|partial)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const listed: ListedModel[] = [];
  for (const file of [...new Set([...found, ...besides])].sort()) {
    const info = await fs.stat(file).catch(() => null);
    if (info?.isFile()) listed.push(await listModel(file, info.size));
  }
  return listed;
}

async function listModel(file: string, sizeBytes: number): Promise<ListedModel> {
  if (file.endsWith(".partial")) return { path: file, sizeBytes, state: "partial" };
  try {
    const { dimensions } = await readModelFile(file);
    return { path: file, sizeBytes, state: "ready", dimensions };
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return { path: file, sizeBytes, state: "unusable", problem: error.message };
  }
}

function noFolder(error: unknown): never[] {
  if (systemErrorCode(error) === "ENOENT") return [];
  throw new LonghandError(
    "model-unusable",
    `The folder of the models cannot be read: ${systemErrorCode(error) ?? String(error)}.`,
    { hint: "Correct its rights, or set local.modelCacheDir to another folder.", cause: error },
  );
}
