import { LonghandError } from "../../errors.ts";

/** `file` is the path that the user knows; `why` completes "cannot be used: ". */
export function modelUnusable(file: string, why: string, cause?: unknown): LonghandError {
  return new LonghandError("model-unusable", `The model file ${file} cannot be used: ${why}.`, {
    hint:
      "For the model that comes with longhand, install the package again, and leave it out of bundles. For one of your own, local.modelPath must " +
      "name a folder with embeddings.safetensors and tokenizer.json (docs/builtin-model.md).",
    cause,
  });
}
