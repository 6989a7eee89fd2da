import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { LonghandError } from "../errors.ts";
import type { Source } from "../sources/source.ts";
import type { Store } from "../stores/store.ts";
import type { StoreVectors } from "../stores/store-vectors.ts";
import { nameType } from "../text/value-rule.ts";
import type { OpenMemoryOptions } from "./memory.ts";

type GivenParts = Pick<OpenMemoryOptions, "embedder" | "store" | "sources">;

/** Rejects an embedder, store or source of the wrong shape by name, instead of failing deep inside a sync. */
export function checkGivenParts({ embedder, store, sources = [] }: GivenParts, settings: Settings): void {
  const isProvider = typeof memberOf(embedder, "embedBatch") === "function";
  checkPart("embedder", embedder, {
    methods: ["embedDocuments", "embedQuery", Symbol.asyncDispose],
    hint: isProvider
      ? "Wrap it with fromEmbeddingProvider of longhand/embedders: openMemory({ embedder: fromEmbeddingProvider(provider) })."
      : shapeHint,
  });
  if (embedder !== undefined) checkFields(embedder);
  checkPart("store", store, { methods: [...storeMethods, Symbol.asyncDispose], hint: shapeHint });
  if (vectorMethods.some((method) => memberOf(store, method) !== undefined)) {
    checkPart("store", store, {
      methods: vectorMethods,
      hint: "A store implements all of the vector methods or none of them.",
    });
  } else if (store !== undefined && embedder !== undefined) {
    throw refuse("the given store keeps no vectors for the given embedder", "Leave the embedder out.");
  }
  const names = new Set<string>();
  for (const source of sources) {
    checkPart("source", source, { methods: ["list", "read"], hint: shapeHint });
    checkSourceName(source, settings);
    if (names.has(source.name)) throw refuse(`two sources are called ${source.name}`, nameHint);
    names.add(source.name);
  }
  if (sources.length > 0 && settings.memory.backend === "qmd") {
    throw refuse("the backend qmd does not index sources of your own", 'Set memory.backend to "builtin".');
  }
}

const storeMethods: readonly Exclude<keyof Store, symbol>[] = [
  ...(["versions", "put", "touch", "remove", "chunks", "chunksOf", "stats", "readFact"] as const),
  ...(["writeFact", "byKeyword", "documentFrequencies"] as const),
];
const vectorMethods: readonly (keyof StoreVectors)[] = [
  ...(["missingVectors", "putVectors", "byVector", "similarities"] as const),
  ...(["vectorStatistics", "vectorSets"] as const),
];
const shapeHint =
  "Pass an object that implements the exported interface. longhand/testing has the suites to test it with.";
const nameHint = "Give each source a name of its own, such as mail or wiki.";

/** Hits show `<name>/<path>`, and `get` accepts that, so the name must be unambiguous. */
function checkSourceName({ name }: Source, { workspaceDir, notes }: Settings): void {
  if (typeof name !== "string" || !/^[a-z][a-z0-9-]{0,63}$/.test(name)) {
    const shown = JSON.stringify(name);
    throw refuse(
      `a source cannot be called ${shown}`,
      "Use small letters, digits and hyphens, such as mail.",
    );
  }
  if (["memory", "sessions", "extra"].includes(name)) {
    throw refuse(`a source cannot be called ${name}, which is a name of longhand's own`, nameHint);
  }
  const isFolder = lstatSync(join(workspaceDir, name), { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (notes.include === "all" && isFolder) {
    throw refuse(`the source ${name} is called like a folder of the workspace`, nameHint);
  }
}

const isName = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 1;
const isFunction = (value: unknown): boolean => typeof value === "function";
const orAbsent = (fits: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || fits(value);

/** A wrong one would be noticed late or never: with a `maxBatch` of 0, a sync would not end. */
const fields: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, wanted: string]>> = {
  id: [isName, "a text that names everything that changes its vectors"],
  provider: [isName, "a text"],
  model: [isName, "a text"],
  dimensions: [
    (value) => value === null || isCount(value),
    "the length of its vectors, or null if it learns that from an answer",
  ],
  maxBatch: [
    (value) => isCount(value) || value === Number.POSITIVE_INFINITY,
    "a whole number, 1 or more: how many texts embedDocuments takes at once",
  ],
  vectorsPerText: [(value) => value === "one" || value === "several", '"one" or "several"'],
  isSlow: [orAbsent((value) => typeof value === "boolean"), "true or false"],
  providerKey: [orAbsent(isName), "a text"],
  usage: [orAbsent(isFunction), "a function"],
  compareWords: [orAbsent(isFunction), "a function"],
  knowsWord: [orAbsent(isFunction), "a function"],
};

function checkFields(embedder: Embedder): void {
  for (const [name, [fits, wanted]] of Object.entries(fields)) {
    const value = memberOf(embedder, name);
    if (fits(value)) continue;
    const shown =
      typeof value === "number" ? String(value) : value === undefined ? "missing" : nameType(value);
    throw refuse(`${name} of the given embedder must be ${wanted}, but is ${shown}`, shapeHint);
  }
}

/** Parts written for a later interface may rely on features that this version lacks. */
const knownVersion = 1;

function checkPart(
  name: string,
  part: unknown,
  { methods, hint }: { methods: readonly PropertyKey[]; hint: string },
): void {
  if (part === undefined) return;
  const missing = methods.find((method) => typeof memberOf(part, method) !== "function");
  if (missing !== undefined) throw refuse(`the given ${name} has no method ${String(missing)}`, hint);
  // Parts from before versioning have none.
  const version = memberOf(part, "specificationVersion") ?? knownVersion;
  if (version === knownVersion) return;
  throw refuse(
    `the given ${name} has specificationVersion ${JSON.stringify(version)}, and this longhand knows ${knownVersion}`,
    `Update longhand, or use a version of the ${name} that was written for specificationVersion ${knownVersion}.`,
  );
}

function refuse(why: string, hint: string): LonghandError {
  return new LonghandError("not-supported", `Could not open the memory: ${why}.`, { hint });
}

function memberOf(part: unknown, name: PropertyKey): unknown {
  return (part as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name];
}
