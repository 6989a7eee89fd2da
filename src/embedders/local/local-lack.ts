import { hasModelFile } from "./model-place.ts";

export interface LocalModelOptions {
  /** A GGUF file, or an `hf:` address whose file is looked for in `modelCacheDir`. */
  readonly modelPath: string;
  readonly modelCacheDir: string;
  /** What runs the model. */
  readonly packageName?: string;
}

export const llamaPackage = "node-llama-cpp";

/** What is missing to run the model, as the end of a sentence; null when all is there. Loads nothing. */
export function findLocalLack(options: LocalModelOptions): string | null {
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
