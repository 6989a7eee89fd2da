import type { Embedder } from "../embedders/embedder.ts";
import { LonghandError, messageOf, throwIfAborted } from "../errors.ts";
import type { Source } from "../sources/source.ts";
import type { IndexContents } from "../stores/index-contents.ts";
import type { Store } from "../stores/store.ts";
import { type SyncOptions, type SyncReport, syncOnce } from "../sync/sync.ts";
import type { Chunker } from "../text/document.ts";
import { type Comparison, compareContents, type Difference } from "./compare-contents.ts";
import { withTemporaryIndex } from "./temporary-index.ts";

export interface VerifyParts {
  readonly dbPath: string;
  readonly sources: readonly Source[];
  readonly chunker: Chunker;
  /** Only one that costs nothing to ask: with any other, vectors are not compared. */
  readonly embedder?: Embedder | undefined;
  readonly now: () => Date;
  /** Brings the index up to date, so that what differs then is a fault. */
  readonly sync: (options: SyncOptions) => Promise<SyncReport>;
  /** What is wrong with the files themselves, a sentence each. */
  readonly checkFiles: () => readonly string[];
  /** An index that is built anew, and what it and the one in use hold. */
  readonly openStore: (path: string) => Promise<Store>;
  readonly openFileContents: (path: string) => Promise<IndexContents>;
  readonly openContents: () => Promise<IndexContents>;
}

export type VerifyOptions = Pick<SyncOptions, "progress" | "signal">;

/** Notes that change while they are compared differ once, but not twice in the same way. */
const attempts = 2;

/** Builds the index anew from the same notes and compares. All differences are given, however many. */
export async function findDifferences(parts: VerifyParts, options: VerifyOptions = {}): Promise<Comparison> {
  let comparison: Comparison = { differences: [], documents: 0, chunks: 0 };
  for (let attempt = 1; attempt <= attempts; attempt++) {
    throwIfAborted(options.signal);
    comparison = await compareOnce(parts, options);
    if (comparison.differences.length === 0) break;
  }
  return comparison;
}

async function compareOnce(parts: VerifyParts, options: VerifyOptions): Promise<Comparison> {
  const { dbPath, sources, chunker, embedder, now, sync, openStore } = parts;
  const synced = await sync({ ...options, reason: "verify" }).catch((error: unknown) => describe(error));
  return await withTemporaryIndex(dbPath, async (path) => {
    const built = await build();
    await using right = await parts.openFileContents(path);
    try {
      await using index = await parts.openContents();
      const vectors = embedder !== undefined && built.degraded.length === 0;
      const comparison = await compareContents(index, right, { vectors });
      // What cannot be read now, or is missed with too much else, is kept in the index and absent from a new one.
      const { failed, withheld } = typeof synced === "string" ? { failed: [], withheld: [] } : synced;
      const kept = new Set([...failed.map((failure) => failure.path), ...withheld]);
      const differences = comparison.differences.filter(({ kind, path: at }) =>
        at === undefined ? kind !== "words" || kept.size === 0 : !kept.has(at),
      );
      if (typeof synced === "string" && differences.length > 0) {
        const detail = `the index could not be brought up to date before it was compared: ${synced}`;
        differences.unshift({ kind: "document", detail });
      }
      return { ...comparison, differences };
    } catch (error) {
      return damage(describe(error));
    }

    async function build(): Promise<SyncReport> {
      await using store = await openStore(path);
      return await syncOnce({ sources, store, chunker, now, ...(embedder ? { embedder } : {}) }, options);
    }
  });
}

function damage(detail: string): Comparison {
  const difference: Difference = { kind: "damaged", detail };
  return { differences: [difference], documents: 0, chunks: 0 };
}

/** A caller that cancels gets what he asked for; all else is what was to be found out. */
function describe(error: unknown): string {
  if (error instanceof LonghandError && error.code === "aborted") throw error;
  return messageOf(error);
}
