import { LonghandError } from "../errors.ts";
import type { BatchSettings } from "./batch-jobs/create-batch-jobs.ts";
import type { EmbedderFactory, MissingPart } from "./choose-embedder.ts";
import type { Embedder } from "./embedder.ts";
import type { LocalEmbedderOptions } from "./local/local-embedder.ts";
import { hasModelFile } from "./local/model-location.ts";
import type { ProviderOptions } from "./remote/http-service.ts";
import type { ServiceOptions } from "./remote/service.ts";

interface RegistryOptions {
  readonly local: LocalEmbedderOptions;
  readonly openai: ServiceOptions;
  readonly gemini: ServiceOptions;
  readonly voyage: ServiceOptions;
  /** A model folder instead of the packaged one. */
  readonly builtin: { readonly folder?: string };
  /** Concurrent requests to a service. */
  readonly concurrency: number;
  /** Absent: no batch jobs. */
  readonly batch?: BatchSettings | undefined;
  /** Keys of the configuration: like likely secrets, they are masked in every text before it leaves the machine. */
  readonly literals: readonly string[];
}

/** Every provider by name, best first. The code of each is loaded when it is opened. */
export function createFactories(options: RegistryOptions): ReadonlyMap<string, EmbedderFactory> {
  const { local, openai, gemini, voyage, builtin, concurrency, batch, literals } = options;
  const byKey = (
    access: ServiceOptions,
    variable: string,
    open: (options: ProviderOptions) => Promise<Embedder>,
  ): EmbedderFactory => ({
    missing: () => (access.apiKey === undefined ? () => `a key (${variable})` : null),
    async open() {
      const { createRedact } = await import("./remote/mask.ts");
      return await open({ ...access, concurrency, batch, redact: createRedact(literals) });
    },
  });
  return new Map<string, EmbedderFactory>([
    [
      "local",
      {
        missing: () => findMissingOfLocal(local),
        open: async () => (await import("./local/local-embedder.ts")).openLocalEmbedder(local),
      },
    ],
    [
      "openai",
      byKey(openai, "OPENAI_API_KEY", async (access) =>
        (await import("./openai.ts")).createOpenAiEmbedder(access),
      ),
    ],
    [
      "gemini",
      byKey(gemini, "GEMINI_API_KEY", async (access) =>
        (await import("./gemini.ts")).createGeminiEmbedder(access),
      ),
    ],
    [
      "voyage",
      byKey(voyage, "VOYAGE_API_KEY", async (access) =>
        (await import("./voyage.ts")).createVoyageEmbedder(access),
      ),
    ],
    [
      "builtin",
      {
        missing: () => null,
        open: async () => (await import("./builtin/builtin-embedder.ts")).openBuiltinEmbedder(builtin),
      },
    ],
  ]);
}

/** The packaged model, which costs nothing; null if its files cannot be used. */
export async function openStandby(): Promise<Embedder | null> {
  try {
    return await (await import("./builtin/builtin-embedder.ts")).openBuiltinEmbedder();
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return null;
  }
}

/** Most users have no model file. Then the package is looked up only for the message, because that takes time. */
async function findMissingOfLocal(local: LocalEmbedderOptions): Promise<MissingPart | null> {
  const find = async () => (await import("./local/local-model-error.ts")).findMissingPart(local);
  if (!hasModelFile(local)) return async () => (await find()) ?? "nothing any more";
  const lack = await find();
  return lack === null ? null : () => lack;
}
