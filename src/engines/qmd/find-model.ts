import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";

export interface EmbeddingModel {
  /** As qmd is told. */
  readonly address: string;
  readonly name: string;
  /** False when qmd would have to fetch it first, which it does without asking. */
  readonly isThere: boolean;
}

const defaultAddress = "hf:ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf";

/** The model that qmd embeds with in this environment. */
export function findModel(environment: Readonly<Record<string, string>>): EmbeddingModel {
  const address = environment.QMD_EMBED_MODEL || defaultAddress;
  const name = basename(address);
  if (isAbsolute(address)) return { address, name, isThere: existsSync(address) };
  const caches = environment.XDG_CACHE_HOME ?? join(environment.HOME ?? homedir(), ".cache");
  return {
    address,
    name,
    isThere: listFiles(join(caches, "qmd", "models")).some((file) => file.endsWith(name)),
  };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
