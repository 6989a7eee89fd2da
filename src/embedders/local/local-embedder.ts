import fs from "node:fs/promises";
import path from "node:path";
import { LonghandError, throwIfAborted } from "../../errors.ts";
import { checkVectors, vectorsInvalid } from "../check-vectors.ts";
import { type EmbeddedText, type Embedder, isRefused } from "../embedder.ts";
import {
  isInstalled,
  type LocalModelOptions,
  llamaPackage,
  localModelUnusable,
  packageMissing,
} from "./local-model-error.ts";
import { choosePrompts, type OwnPrompts } from "./model-family.ts";
import { type ModelFile, readModelFile } from "./model-file.ts";
import { locateModel, type ModelLocation } from "./model-location.ts";
import { createModelProcess } from "./model-process.ts";

export interface LocalEmbedderOptions extends LocalModelOptions {
  /** The maximum number of tokens per text; never more than the model was trained for. */
  readonly contextSize: number;
  /** The whole environment of the model's process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Fewer dimensions, for models that were trained for that. */
  readonly outputDimensionality?: number | undefined;
  /** Replace the model's default prompts. */
  readonly prompts?: OwnPrompts;
}

/**
 * A model on this machine, in a separate process that the first call starts. The file is checked here, so that opening
 * fails if it is missing or damaged; nothing is fetched.
 */
export async function openLocalEmbedder(options: LocalEmbedderOptions): Promise<Embedder> {
  const { packageName = llamaPackage, contextSize, environment } = options;
  const place = locateModel(options.modelPath, options.modelCacheDir);
  if (!isInstalled(packageName)) throw packageMissing(packageName);
  await refuseMissing(place, options.modelPath);
  const model = await readModelFile(place.file);
  const prompts = choosePrompts(model.family, options.prompts);
  const dimensions = chooseDimensions(model, options.outputDimensionality);
  const contextTokens = Math.min(contextSize, model.trainedTokens);
  const name = path.basename(model.path, ".gguf");
  const running = createModelProcess({ file: model.path, contextTokens, packageName, environment });

  /** A vector of zeros is caused by its own text, so the others are still used. */
  function check(vector: Float32Array | null): EmbeddedText {
    if (vector === null) return [];
    const cut = vector.length === model.dimensions ? vector.subarray(0, dimensions) : vector;
    const [checked] = checkVectors([cut], { from: `local ${name}`, count: 1, dimensions });
    return checked instanceof Float32Array ? [checked] : checked!;
  }

  return {
    specificationVersion: 1,
    id: `local:${algorithm}:${model.fingerprint}:${contextTokens}:${prompts.name}:${dimensions}`,
    provider: "local",
    model: name,
    dimensions,
    maxBatch: 16,
    vectorsPerText: "one",
    isSlow: true,
    async embedDocuments(texts, { signal, onEmbedded } = {}) {
      throwIfAborted(signal);
      const results: EmbeddedText[] = texts.map(() => []);
      const filled = [...texts.keys()].filter((index) => /\S/.test(texts[index]!));
      const left = filled.values();
      await running.embed(
        filled.map((index) => prompts.document + texts[index]!),
        {
          isUrgent: false,
          deadlineMs: deadlinesMs.documents,
          signal,
          onVector(vector) {
            const index = left.next().value!;
            results[index] = check(vector);
            onEmbedded?.(index, results[index]);
          },
        },
      );
      return results;
    },
    async embedQuery(text, { signal } = {}) {
      throwIfAborted(signal);
      if (!/\S/.test(text)) return null;
      const request = { isUrgent: true, deadlineMs: deadlinesMs.query, signal };
      const [vector = null] = await running.embed([prompts.query + text], request);
      const checked = check(vector);
      if (isRefused(checked)) throw vectorsInvalid(`local ${name}`, checked.refused);
      return checked[0] ?? null;
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** Changes when the code gives other vectors for the same file, for example because prompts changed. */
const algorithm = 1;
const deadlinesMs = { query: 5 * 60_000, documents: 10 * 60_000 };

async function refuseMissing({ file, url }: ModelLocation, modelPath: string): Promise<void> {
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
