import fs from "node:fs/promises";
import path from "node:path";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import { readModelFile } from "./model-file.ts";

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
    .map((entry) => path.join(entry.parentPath, entry.name));
  const listed: ListedModel[] = [];
  for (const file of [...new Set([...found, ...besides])].sort()) {
    const info = await fs.stat(file).catch(() => null);
    if (info?.isFile()) listed.push(await describe(file, info.size));
  }
  return listed;
}

async function describe(file: string, sizeBytes: number): Promise<ListedModel> {
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
