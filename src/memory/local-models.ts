import { existsSync } from "node:fs";
import path from "node:path";
import type { Settings } from "../config/settings.ts";
import { type InstalledModel, installModel } from "../embedders/local/install-model.ts";
import { findMissingPart, isInstalled, llamaPackage } from "../embedders/local/local-model-error.ts";
import { type ListedModel, listModels } from "../embedders/local/model-file.ts";
import { locateModel } from "../embedders/local/model-location.ts";
import { LonghandError, throwIfAborted } from "../errors.ts";
import { withFileLock } from "../stores/lock.ts";

/** Local model files on this machine. */
export interface Models {
  /** The path of the configured model, whether it exists or not. */
  path(): { readonly path: string; readonly exists: boolean };
  list(): Promise<ModelList>;
  /** Downloads a model or copies it from a file; by default the configured one. */
  install(request?: InstallRequest): Promise<InstalledModel>;
}

export interface ModelList {
  readonly modelCacheDir: string;
  /** The value in the configuration. */
  readonly configured: string;
  readonly models: readonly (ListedModel & {
    readonly configured: boolean;
    /** Whether the configured provider uses it. */
    readonly inUse: boolean;
  })[];
}

interface InstallRequest {
  readonly model?: string | undefined;
  /** An absolute path. */
  readonly from?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** In megabytes. */
  readonly progress?: (state: { completed: number; total: number; label: string }) => void;
}

export function createModels({ memorySearch }: Pick<Settings, "memorySearch">): Models {
  const { provider, local } = memorySearch;
  const { modelPath, modelCacheDir } = local;

  async function isInUse(): Promise<boolean> {
    if (provider !== "auto" && provider !== "local") return false;
    return (await findMissingPart(local)) === null;
  }

  return {
    path() {
      const { file } = locateModel(modelPath, modelCacheDir);
      return { path: file, exists: existsSync(file) };
    },
    async list() {
      const { file } = locateModel(modelPath, modelCacheDir);
      const inUse = await isInUse();
      const models = (await listModels(modelCacheDir, [file])).map((model) => {
        const configured = model.path === file;
        return { ...model, configured, inUse: configured && inUse && model.state === "ready" };
      });
      return { modelCacheDir, configured: modelPath, models };
    },
    async install({ model = modelPath, from, signal, progress } = {}) {
      const { file } = locateModel(model, modelCacheDir);
      const label = `MB of ${path.basename(file)}`;
      const megabytes = (bytes: number): number => Math.floor(bytes / 1_000_000);
      return await withFileLock(path.join(modelCacheDir, ".lock"), { signal }, () =>
        installModel({
          model,
          modelCacheDir,
          from,
          signal,
          onProgress: ({ receivedBytes, sizeBytes }) =>
            progress?.({ completed: megabytes(receivedBytes), total: megabytes(sizeBytes), label }),
        }),
      );
    },
  };
}

export interface FetchedModel {
  /** Also false if there was nothing to do. */
  readonly isFetched: boolean;
  /** The reason if it failed. */
  readonly problem: string | null;
}

/** Downloads the model if the user chose the provider `local` and only the file is missing. */
export async function fetchAskedModel(
  settings: Pick<Settings, "memorySearch">,
  { signal, progress }: Pick<InstallRequest, "signal" | "progress">,
): Promise<FetchedModel> {
  const { provider, local } = settings.memorySearch;
  const none = { isFetched: false, problem: null };
  if (provider !== "local" || !isInstalled(llamaPackage)) return none;
  try {
    const { file, url } = locateModel(local.modelPath, local.modelCacheDir);
    if (url === null || existsSync(file)) return none;
    const models = createModels(settings);
    await models.install({ signal, ...(progress ? { progress } : {}) });
    return { isFetched: true, problem: null };
  } catch (error) {
    throwIfAborted(signal);
    if (!(error instanceof LonghandError)) throw error;
    return { isFetched: false, problem: `${error.message} ${error.hint}` };
  }
}
