import type { Embedder } from "../embedders/embedder.ts";
import { LonghandError, messageOf, throwIfAborted } from "../errors.ts";
import type { Source } from "../sources/source.ts";
import type { IndexContents } from "../stores/index-contents.ts";
import type { Store } from "../stores/store.ts";
import { hiddenBy } from "../sync/plan.ts";
import { type SyncOptions, type SyncReport, syncOnce } from "../sync/sync.ts";
import type { Chunker } from "../text/document.ts";
import { type Comparison, compareContents, type Difference } from "./compare-contents.ts";
import { withTemporaryIndex } from "./temporary-index.ts";

export interface VerifyParts {
  readonly dbPath: string;
  readonly sources: readonly Source[];
  readonly chunker: Chunker;
  /** Only an embedder that is free to use: with any other, vectors are not compared. */
  readonly embedder?: Embedder | undefined;
  readonly now: () => Date;
  /** Brings the index up to date, so that remaining differences are faults. */
  readonly sync: (options: SyncOptions) => Promise<SyncReport>;
  /** Problems of the files themselves, one sentence each. */
  readonly checkFiles: () => readonly string[];
  /** A fresh build of the index, and the contents of both. */
  readonly openStore: (path: string) => Promise<Store>;
  readonly openFileContents: (path: string) => Promise<IndexContents>;
  readonly openContents: () => Promise<IndexContents>;
}

export type VerifyOptions = Pick<SyncOptions, "progress" | "signal">;

/** A comparison that counts only documents that did not change during it. */
export interface SettledComparison extends Comparison {
  /** Paths that differed in every round and had changed in every round: nothing can be said about them. */
  readonly changed: readonly string[];
}

/** The first round finds what to check again; the later ones are chances to meet a quiet moment. */
const maxRounds = 6;

/**
 * Builds a second index from the same notes and compares. All differences are returned, however many. Others may write
 * meanwhile, so a document that differs is compared again, and its difference counts only if its listing was the same
 * before the index was brought up to date and after it was read.
 */
export async function findDifferences(
  parts: VerifyParts,
  options: VerifyOptions = {},
): Promise<SettledComparison> {
  const first = await compareOnce(parts, options);
  let suspects = first.differences;
  let confirmed: Difference[] = [];
  let changedPaths: readonly string[] = [];
  let problem = first.problem;
  let before = suspects.length > 0 ? await listVersions(parts, options) : new Map<string, string>();
  for (let round = 2; round <= maxRounds && suspects.length > 0; round++) {
    throwIfAborted(options.signal);
    const isNarrow = suspects.every(({ path }) => path !== undefined);
    const only = isNarrow ? new Set(suspects.map(keyOf)) : undefined;
    const again = await compareOnce(parts, options, only);
    const after = await listVersions(parts, options);
    changedPaths = changedBetween(before, after);
    const changed = new Set(changedPaths);
    const isCertain = (difference: Difference): boolean =>
      difference.path === undefined
        ? // Words are counted over all documents, so each that changes changes them.
          difference.kind !== "words" || changed.size === 0
        : !changed.has(keyOf(difference));
    confirmed = [...(isNarrow ? confirmed : []), ...again.differences.filter(isCertain)];
    suspects = again.differences.filter((difference) => !isCertain(difference));
    problem = again.problem;
    before = after;
  }
  const { documents, chunks } = first;
  const changed = suspects.flatMap(({ path }) => path ?? changedPaths.map((key) => key.split("\0")[1]!));
  const differences = problem === null || confirmed.length === 0 ? confirmed : [problem, ...confirmed];
  return { differences, documents, chunks, changed: [...new Set(changed)] };
}

function keyOf({ source, path }: Pick<Difference, "source" | "path">): string {
  return `${source}\0${path}`;
}

async function listVersions(
  { sources }: VerifyParts,
  { signal }: VerifyOptions,
): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for (const source of sources) {
    const { entries } = await source.list({ signal });
    for (const { path, version } of entries) versions.set(keyOf({ source: source.name, path }), version);
  }
  return versions;
}

async function findHidden(
  { sources }: VerifyParts,
  { signal }: VerifyOptions,
): Promise<(difference: Difference) => boolean> {
  const hidden = new Map<string | undefined, (path: string) => boolean>();
  for (const source of sources) {
    const { skipped } = await source.list({ signal });
    hidden.set(source.name, hiddenBy(skipped));
  }
  return ({ source, path }) => path !== undefined && hidden.get(source)?.(path) === true;
}

function changedBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((key) => before.get(key) !== after.get(key));
}

interface Round extends Comparison {
  /** Why the index could not be brought up to date first. */
  readonly problem: Difference | null;
}

/** Compares all documents, or only those with these keys. */
async function compareOnce(
  parts: VerifyParts,
  options: VerifyOptions,
  only?: ReadonlySet<string>,
): Promise<Round> {
  const { dbPath, chunker, embedder, now, sync, openStore } = parts;
  const sources = only ? parts.sources.map((source) => narrowSource(source, only)) : parts.sources;
  const synced = await sync({ ...options, reason: "verify" }).catch((error: unknown) => describe(error));
  return await withTemporaryIndex(dbPath, async (path) => {
    const built = await build();
    await using right = await parts.openFileContents(path);
    try {
      await using index = await parts.openContents();
      const vectors = embedder !== undefined && built.degraded.length === 0;
      const known = ofSources(index, new Set(sources.map(({ name }) => name)));
      const compared = only ? narrowContents(known, only) : known;
      const comparison = await compareContents(compared, right, { vectors });
      // Documents that cannot be read now, or that vanished together with many others, are kept in the index and
      // missing in a new one.
      const { failed, pendingRemovals } =
        typeof synced === "string" ? { failed: [], pendingRemovals: [] } : synced;
      const kept = new Set([...failed.map((failure) => failure.path), ...pendingRemovals]);
      const isHidden = comparison.differences.length > 0 ? await findHidden(parts, options) : () => false;
      const differences = comparison.differences.filter((difference) =>
        difference.path === undefined
          ? difference.kind !== "words" || kept.size === 0
          : !kept.has(difference.path) && !isHidden(difference),
      );
      const detail = `the index could not be brought up to date before it was compared: ${synced}`;
      const problem: Difference | null = typeof synced === "string" ? { kind: "document", detail } : null;
      return { ...comparison, differences, problem };
    } catch (error) {
      return { ...damage(describe(error)), problem: null };
    }

    async function build(): Promise<SyncReport> {
      await using store = await openStore(path);
      return await syncOnce({ sources, store, chunker, now, ...(embedder ? { embedder } : {}) }, options);
    }
  });
}

function narrowSource(source: Source, only: ReadonlySet<string>): Source {
  return {
    ...source,
    async list(options) {
      const listing = await source.list(options);
      const entries = listing.entries.filter(({ path }) => only.has(keyOf({ source: source.name, path })));
      return { ...listing, entries };
    },
  };
}

/** Another program may index a source that this one does not have. */
function ofSources(index: IndexContents, names: ReadonlySet<string>): IndexContents {
  let isComplete = true;
  return {
    ...index,
    async *documents() {
      for await (const document of index.documents()) {
        if (names.has(document.source)) yield document;
        else isComplete = false;
      }
    },
    // Tokens are counted over all documents.
    words: async () => (isComplete ? await index.words?.() : undefined),
  };
}

/** Differences of the index as a whole have been compared before. */
function narrowContents(index: IndexContents, only: ReadonlySet<string>): IndexContents {
  return {
    async *documents() {
      for await (const document of index.documents()) if (only.has(keyOf(document))) yield document;
    },
    strays: () => [],
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  };
}

function damage(detail: string): Comparison {
  const difference: Difference = { kind: "damaged", detail };
  return { differences: [difference], documents: 0, chunks: 0 };
}

/** A cancelled call gets its own error; any other error is part of the result. */
function describe(error: unknown): string {
  if (error instanceof LonghandError && error.code === "aborted") throw error;
  return messageOf(error);
}
