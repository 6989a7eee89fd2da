import fs from "node:fs/promises";
import path from "node:path";
import { LonghandError, throwIfAborted } from "../../errors.ts";
import type { Embedder } from "../embedder.ts";
import { validateVectors } from "../validate-vectors.ts";
import { localModelUnusable, packageMissing } from "./local-model-error.ts";
import { type ModelFile, readModelFile } from "./model-file.ts";
import { locateModel, type ModelPlace } from "./model-place.ts";
import { createModelProcess } from "./model-process.ts";

export interface LocalModelOptions {
  /** A GGUF file, or an `hf:` address whose file is looked for in `modelCacheDir`. */
  readonly modelPath: string;
  readonly modelCacheDir: string;
  /** What runs the model. */
  readonly packageName?: string;
}

export interface LocalEmbedderOptions extends LocalModelOptions {
  /** Tokens that the model is given at most; never more than it was trained for. */
  readonly contextSize: number;
  /** All that the process of the model gets to see of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Fewer numbers a vector, where the model was trained for that. */
  readonly outputDimensionality?: number | undefined;
  readonly deadlinesMs?: { readonly query: number; readonly documents: number };
}

/** Whether it can be tried without fetching anything: the file is there and the package can be found. */
export async function isLocalReady(options: LocalModelOptions): Promise<boolean> {
  if (!isInstalled(options.packageName ?? defaultPackage)) return false;
  try {
    const info = await fs.stat(locateModel(options.modelPath, options.modelCacheDir).file);
    return info.isFile();
  } catch {
    return false;
  }
}

/**
 * A model on this machine, in a process of its own that the first call starts. The file is looked at here, so that a
 * missing or damaged one is an error of opening; nothing is fetched.
 */
export async function openLocalEmbedder(options: LocalEmbedderOptions): Promise<Embedder> {
  const { packageName = defaultPackage, contextSize, environment, deadlinesMs = usualDeadlinesMs } = options;
  const place = locateModel(options.modelPath, options.modelCacheDir);
  if (!isInstalled(packageName)) throw packageMissing(packageName);
  await refuseMissing(place, options.modelPath);
  const model = await readModelFile(place.file);
  const { family } = model;
  const dimensions = chooseDimensions(model, options.outputDimensionality);
  const contextTokens = Math.min(contextSize, model.trainedTokens);
  const name = path.basename(model.path, ".gguf");
  const running = createModelProcess({ file: model.path, contextTokens, packageName, environment });

  async function embed(
    texts: readonly string[],
    purpose: "query" | "documents",
    signal: AbortSignal | undefined,
  ): Promise<(Float32Array | null)[]> {
    throwIfAborted(signal);
    const prefix = purpose === "query" ? family.query : family.document;
    const filled = texts.filter((text) => /\S/.test(text)).map((text) => prefix + text);
    if (filled.length === 0) return texts.map(() => null);
    const raw = await running.embed(filled, {
      isUrgent: purpose === "query",
      deadlineMs: deadlinesMs[purpose],
      signal,
    });
    const given = raw.filter((vector) => vector !== null).map((vector) => shorten(vector, model, dimensions));
    const vectors = validateVectors(given, {
      from: `local ${name}`,
      count: given.length,
      dimensions,
    }).values();
    const results = raw.map((vector) => (vector === null ? null : vectors.next().value!)).values();
    return texts.map((text) => (/\S/.test(text) ? (results.next().value ?? null) : null));
  }

  return {
    id: `local:${algorithm}:${model.fingerprint}:${contextTokens}:${family.name}:${dimensions}`,
    provider: "local",
    model: name,
    dimensions,
    maxBatch: 16,
    vectorsPerText: "one",
    async embedDocuments(texts, { signal } = {}) {
      const vectors = await embed(texts, "documents", signal);
      return vectors.map((vector) => (vector === null ? [] : [vector]));
    },
    async embedQuery(text, { signal } = {}) {
      const [vector = null] = await embed([text], "query", signal);
      return vector;
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

const defaultPackage = "node-llama-cpp";
/** Changes when the code gives other vectors for the same file, as when the words of a family change. */
const algorithm = 1;
const usualDeadlinesMs = { query: 5 * 60_000, documents: 10 * 60_000 };

/** Finds the package without loading it, which would take a third of a second. */
function isInstalled(packageName: string): boolean {
  try {
    import.meta.resolve(packageName);
    return true;
  } catch {
    return false;
  }
}

async function refuseMissing({ file, url }: ModelPlace, modelPath: string): Promise<void> {
  if (url === null || (await fs.stat(file).catch(() => null)) !== null) return;
  throw localModelUnusable(file, "it does not exist", {
    hint: `Fetch ${modelPath} with \`longhand models install\`; with no network, copy the file with \`longhand models install --from FILE\`.`,
  });
}

function chooseDimensions({ dimensions, family, path: file }: ModelFile, wanted: number | undefined): number {
  if (wanted === undefined || wanted === dimensions) return dimensions;
  if (wanted < dimensions && family.canShorten) return wanted;
  throw new LonghandError(
    "config-invalid",
    `outputDimensionality is ${wanted}, but the model ${file} gives vectors of ${dimensions} numbers and cannot shorten them to that.`,
    { hint: "Remove outputDimensionality, or choose a model that was trained for shorter vectors." },
  );
}

/** A vector of unexpected length is left to be refused. */
function shorten(vector: Float32Array, model: ModelFile, dimensions: number): Float32Array {
  return vector.length === model.dimensions ? vector.subarray(0, dimensions) : vector;
}
