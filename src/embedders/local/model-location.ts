import { statSync } from "node:fs";
import path from "node:path";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import { isLoopback } from "../../text/loopback.ts";

/** Where a model is kept, and where it can be fetched from. */
export interface ModelLocation {
  /** Absolute. */
  readonly file: string;
  /** Null for the user's own file. */
  readonly url: string | null;
}

/**
 * Understands a path, an address of the hub (`hf:owner/repository/file.gguf`, `#revision` at its end) or an https
 * address. What is fetched is in the cache folder under the same names, so that a person can tell the files apart.
 */
export function locateModel(model: string, cacheDir: string): ModelLocation {
  if (model.startsWith("hf:")) return locateOnHub(model, cacheDir);
  if (/^https?:/i.test(model)) return locateByUrl(model, cacheDir);
  return { file: path.resolve(model), url: null };
}

const hub = "https://huggingface.co";

function locateOnHub(model: string, cacheDir: string): ModelLocation {
  const [address = "", revision = "main", ...more] = model
    .slice("hf:".length)
    .replace(/^\/\//, "")
    .split("#");
  const [owner, repository, ...names] = address.split("/");
  const parts = [owner, repository, ...names, revision];
  if (names.length === 0 || more.length > 0 || !parts.every(isName) || !address.endsWith(".gguf")) {
    throw refuseAddress(
      model,
      "Write hf:owner/repository/file.gguf, as in hf:ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf.",
    );
  }
  const folder = revision === "main" ? repository! : `${repository}@${revision}`;
  return {
    file: path.join(cacheDir, owner!, folder, ...names),
    url: `${hub}/${owner}/${repository}/resolve/${revision}/${names.join("/")}`,
  };
}

function locateByUrl(model: string, cacheDir: string): ModelLocation {
  const hint = "Write an https address that ends with the name of a .gguf file.";
  if (!URL.canParse(model)) throw refuseAddress(model, hint);
  const url = new URL(model);
  const names = url.pathname.split("/").slice(1);
  const isPlain = url.username === "" && url.password === "";
  if (!isPlain || !isFetchable(url) || !names.every(isName) || !url.pathname.endsWith(".gguf")) {
    throw refuseAddress(showUrl(url), hint);
  }
  const host = url.host.replaceAll(/[^a-z0-9.-]+/gi, "_");
  return { file: path.join(cacheDir, host, ...names), url: url.href };
}

/** Over plain HTTP anyone on the network could replace the file; on this machine nobody can. */
export function isFetchable({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** An address without user, password and query, in which keys travel. */
export function showUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** A path segment that means the same on every file system, and cannot lead elsewhere. */
function isName(name: string | undefined): boolean {
  return name !== undefined && name.length <= 200 && /^[A-Za-z0-9][\w.-]*$/.test(name) && !name.endsWith(".");
}

function refuseAddress(model: string, hint: string): LonghandError {
  return new LonghandError("model-unusable", `The model address "${model}" is not understood.`, { hint });
}

/** Whether the model's file exists. An invalid address, or a file that cannot be inspected, counts as absent. */
export function hasModelFile({
  modelPath,
  modelCacheDir,
}: {
  modelPath: string;
  modelCacheDir: string;
}): boolean {
  try {
    const { file } = locateModel(modelPath, modelCacheDir);
    return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    if (error instanceof LonghandError || systemErrorCode(error) !== undefined) return false;
    throw error;
  }
}
