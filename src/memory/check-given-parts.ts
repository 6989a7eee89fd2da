import { LonghandError } from "../errors.ts";
import type { OpenMemoryOptions } from "./memory.ts";

/** An embedder or store of another shape is refused by name here, instead of failing deep inside a sync. */
export function checkGivenParts({ embedder, store }: Pick<OpenMemoryOptions, "embedder" | "store">): void {
  const isProvider = typeof methodOf(embedder, "embedBatch") === "function";
  checkMethods("embedder", embedder, {
    methods: ["embedDocuments", "embedQuery"],
    hint: isProvider ? "Wrap it: openMemory({ embedder: fromEmbeddingProvider(provider) })." : shapeHint,
  });
  checkMethods("store", store, { methods: ["versions", "put", "remove", "stats"], hint: shapeHint });
}

const shapeHint =
  "Pass an object that implements the exported interface. longhand/testing has the suites to test it with.";

function checkMethods(
  name: string,
  part: unknown,
  { methods, hint }: { methods: readonly string[]; hint: string },
): void {
  if (part === undefined) return;
  const missing = methods.find((method) => typeof methodOf(part, method) !== "function");
  if (missing === undefined) return;
  throw new LonghandError(
    "not-supported",
    `Could not open the memory: the given ${name} has no method ${missing}.`,
    { hint },
  );
}

function methodOf(part: unknown, name: string): unknown {
  return (part as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}
