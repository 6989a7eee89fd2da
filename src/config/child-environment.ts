import type { Environment } from "./variables.ts";

/**
 * Environment variables passed to processes that run native code: paths and hardware. Any other variable might hold a
 * key of a service.
 */
export function childEnvironment(env: Environment = process.env): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && allowed.test(name) && !secretive.test(name)) seen[name] = value;
  }
  return seen;
}

/** The same for qmd, which has its own variables for models and hardware. */
export function qmdEnvironment(env: Environment = process.env): Record<string, string> {
  const seen = childEnvironment(env);
  for (const name of qmdVariables) {
    const value = env[name];
    if (value !== undefined) seen[name] = value;
  }
  return seen;
}

const qmdVariables = [
  "XDG_CACHE_HOME",
  "QMD_EMBED_MODEL",
  "QMD_GENERATE_MODEL",
  "QMD_RERANK_MODEL",
  "QMD_FORCE_CPU",
  "QMD_LLAMA_GPU",
  "QMD_EMBED_PARALLELISM",
  "QMD_EMBED_CONTEXT_SIZE",
];

const places =
  "PATH|HOME|USERPROFILE|TMPDIR|TEMP|TMP|LANG|LC_ALL|TZ|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT";
const libraries = "LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|DYLD_FALLBACK_LIBRARY_PATH";
const hardware = "(?:CUDA|NVIDIA|HIP|ROCR|ROCM|HSA|VK|VULKAN|GGML|GPU|OMP|NODE_LLAMA_CPP)_\\w+";
const allowed = new RegExp(`^(?:${places}|${libraries}|${hardware})$`, "i");
const secretive = /key|token|secret|passw|credential|auth/i;
