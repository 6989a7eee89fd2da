import { LonghandError } from "../../errors.ts";
import { hasModelFile } from "./model-location.ts";

/** `why` completes "cannot be used: ". */
export function localModelUnusable(
  file: string,
  why: string,
  { hint, cause }: { hint?: string; cause?: unknown } = {},
): LonghandError {
  return new LonghandError("model-unusable", `The model file ${file} cannot be used: ${why}.`, {
    hint:
      hint ??
      "Set local.modelPath to a GGUF file of an embedding model, or fetch the file again: delete it and run " +
        "`longhand models install` (docs/local-models.md).",
    cause,
  });
}

export function packageMissing(packageName: string, cause?: unknown): LonghandError {
  return new LonghandError(
    "dependency-missing",
    `The provider local needs the package ${packageName}, which is not installed.`,
    {
      hint: `Install it beside longhand with \`npm install ${packageName}\` (with -g when longhand is global), or choose another provider.`,
      cause,
    },
  );
}

/** The model's process exited, or was stopped because it did not answer. `why` follows a colon. */
export function modelStopped(file: string, why: string, isFinal: boolean): LonghandError {
  const hint = isFinal
    ? "It is not started again before the memory is opened again. Check the free memory of the machine, lower " +
      "local.contextSize, or try another model file."
    : "The next call starts it again. If it keeps happening, check the free memory of the machine, lower " +
      "local.contextSize, or try another model file.";
  return new LonghandError("model-stopped", `The process that runs the model ${file} stopped: ${why}.`, {
    hint,
    retryable: !isFinal,
  });
}

export interface LocalModelOptions {
  /** A GGUF file, or an `hf:` address whose file is searched for in `modelCacheDir`. */
  readonly modelPath: string;
  readonly modelCacheDir: string;
  /** What runs the model. */
  readonly packageName?: string | undefined;
}

export const llamaPackage = "node-llama-cpp";

/** What is missing to run the model, as the end of a sentence; null if nothing is. Loads nothing. */
export function findMissingPart(options: LocalModelOptions): string | null {
  const { packageName = llamaPackage } = options;
  const lacks = [];
  if (!isInstalled(packageName)) lacks.push(`the package ${packageName} (npm install ${packageName})`);
  if (!hasModelFile(options)) lacks.push("a model file (longhand models install)");
  return lacks.length === 0 ? null : lacks.join(" and ");
}

/** Finds the package without loading it, which would take a third of a second. */
export function isInstalled(packageName: string): boolean {
  try {
    import.meta.resolve(packageName);
    return true;
  } catch {
    return false;
  }
}
