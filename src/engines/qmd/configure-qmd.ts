import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import type { QmdLocation } from "./driver.ts";
import { collections } from "./mirror.ts";

interface QmdModel {
  /** In qmd's form. */
  readonly address: string;
  readonly name: string;
  /** False if qmd would have to download it first, which it does without asking. */
  readonly isDownloaded: boolean;
}

/** The models that qmd uses in this environment: for embedding, query expansion, and reranking. */
export interface QmdModels {
  readonly embed: QmdModel;
  readonly generate: QmdModel;
  readonly rerank: QmdModel;
}

const known = {
  embed: {
    variable: "QMD_EMBED_MODEL",
    address: "hf:ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf",
  },
  generate: {
    variable: "QMD_GENERATE_MODEL",
    address: "hf:tobil/qmd-query-expansion-1.7B-gguf/qmd-query-expansion-1.7B-q4_k_m.gguf",
  },
  rerank: {
    variable: "QMD_RERANK_MODEL",
    address: "hf:ggml-org/Qwen3-Reranker-0.6B-Q8_0-GGUF/qwen3-reranker-0.6b-q8_0.gguf",
  },
} as const;

export function findModels(environment: Readonly<Record<string, string>>): QmdModels {
  const caches = environment.XDG_CACHE_HOME ?? join(environment.HOME ?? homedir(), ".cache");
  const files = listFiles(join(caches, "qmd", "models"));
  const find = (kind: keyof typeof known): QmdModel => {
    const address = environment[known[kind].variable] || known[kind].address;
    const name = basename(address);
    const isDownloaded = isAbsolute(address)
      ? existsSync(address)
      : files.some((file) => file.endsWith(name));
    return { address, name, isDownloaded };
  };
  return { embed: find("embed"), generate: find("generate"), rerank: find("rerank") };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The list of collections in qmd's format: JSON is YAML. qmd adds to it, so it is rewritten each time. */
export function writeQmdConfig({ folder, configFile }: QmdLocation, models: QmdModels): void {
  const listed = collections.map((name) => [
    name,
    { path: join(folder, "documents", name), pattern: "**/*.md" },
  ]);
  const { embed, generate, rerank } = models;
  const addresses = { embed: embed.address, generate: generate.address, rerank: rerank.address };
  const config = { collections: Object.fromEntries(listed), models: addresses };
  writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
}
