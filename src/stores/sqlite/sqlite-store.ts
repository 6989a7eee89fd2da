import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { LonghandError } from "../../errors.ts";
import type { Store } from "../store.ts";
import { isInStep, rebuildFullText, type Tokens } from "./full-text.ts";
import { openIndexFile } from "./index-file.ts";
import { createIndexMeta, type IndexMeta, indexMetaKey, parseIndexMeta } from "./index-meta.ts";
import { loadSqlite } from "./load-sqlite.ts";
import type { Repair } from "./open-database.ts";
import { purgeIndex } from "./purge.ts";
import type { Session } from "./session.ts";

export interface SqliteStoreOptions {
  readonly path: string;
  /** The words of a chunk. Must not change while `analyserId` stays the same. */
  readonly tokens: Tokens;
  /**
   * Names the analyser behind `tokens`. When it differs from the one in the index, all words are built
   * again.
   */
  readonly analyserId: string;
  /** How much a word in the headings or the path counts against one in the text. */
  readonly headWeight?: number;
  /** Told when a damaged file was set aside: the index is empty until the next sync. */
  readonly onRepair?: (repair: Repair) => void;
  /** How long a write waits for other processes before it gives up. */
  readonly writeWaitMs?: number;
  readonly now?: () => number;
}

const sliceMs = 12;

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const {
    tokens,
    analyserId,
    headWeight = 0.6,
    onRepair = () => {},
    writeWaitMs = 15_000,
    now = Date.now,
  } = options;
  const path = resolve(options.path);

  const metaOf = ({ reading }: Session): IndexMeta | null => parseIndexMeta(reading.meta(indexMetaKey));

  const requireSameAnalyser = (session: Session): IndexMeta => {
    const meta = metaOf(session);
    if (meta?.analyser === analyserId) return meta;
    throw new LonghandError(
      "index-newer",
      `Could not write to the index ${path}: another longhand now uses it.`,
      {
        hint: "Two versions of longhand share this index. Restart this one, or update the older.",
      },
    );
  };

  const file = await openIndexFile(loadSqlite(), {
    path,
    tokens,
    headWeight,
    now,
    onRepair,
    writeWaitMs,
    isSettled: (session) =>
      metaOf(session)?.analyser === analyserId && (session.keyword === null || isInStep(session.reader)),
    settle: async (session, slices) => {
      const { db, writing } = session.writer();
      if (session.keyword !== null) await rebuildFullText(db, tokens, slices);
      const meta = { ...(metaOf(session) ?? createIndexMeta(analyserId)), analyser: analyserId };
      writing.setMeta(indexMetaKey, JSON.stringify(meta));
    },
  });

  /** In slices: to read those of a hundred thousand chunks takes a fifth of a second. */
  const loadVectors = async (embedderId: string): Promise<void> => {
    while (!(await file.read(({ vectors }) => vectors().loadSome(embedderId, sliceMs)))) await setImmediate();
  };

  return {
    versions: async (source) => {
      await file.settle();
      return file.read(({ reading }) => reading.versions(source));
    },
    put: (documents, chunkerId) =>
      file.write(async (writing, session, slices) => {
        const meta = requireSameAnalyser(session);
        await writing.put(documents, chunkerId, slices);
        const sources = [...new Set([...meta.sources, ...documents.map(({ document }) => document.source)])];
        if (meta.chunker === chunkerId && sources.length === meta.sources.length) return;
        writing.setMeta(indexMetaKey, JSON.stringify({ ...meta, chunker: chunkerId, sources }));
      }),
    touch: (source, versions) => file.write((writing) => writing.touch(source, versions)),
    remove: (source, paths) => file.write((writing, _, slices) => writing.remove(source, paths, slices)),
    byKeyword: (clauses, query) => file.read(({ keyword }) => keyword?.byKeyword(clauses, query) ?? []),
    chunks: (ids) => file.read(({ reading }) => reading.chunks(ids)),
    chunksOf: (source, wanted, { fromLine } = {}) =>
      file.read(({ reading }) => reading.chunksOf(source, wanted, fromLine)),
    documentFrequencies: (words) =>
      file.read(
        ({ keyword }) => keyword?.documentFrequencies(words) ?? new Map(words.map((word) => [word, 0])),
      ),
    tokensWithPrefix: (prefix, limit) =>
      file.read(({ keyword }) => keyword?.tokensWithPrefix(prefix, limit) ?? []),
    missingVectors: (embedderId, limit) => file.read(({ vectors }) => vectors().missing(embedderId, limit)),
    putVectors: (embedderId, entries, { vectorsPerText }) =>
      file.write((writing, _, slices) => writing.putVectors(embedderId, entries, vectorsPerText, slices)),
    byVector: async (embedderId, query, options) => {
      await loadVectors(embedderId);
      return file.read(({ vectors }) => vectors().byVector(embedderId, query, options));
    },
    similarities: async (embedderId, query, ids) => {
      await loadVectors(embedderId);
      return file.read(({ vectors }) => vectors().similarities(embedderId, query, ids));
    },
    vectorStatistics: (embedderId) => file.read(({ vectors }) => vectors().statistics(embedderId)),
    keepVectors: async (embedderIds) => {
      // Asked after every sync, and there is hardly ever anything to forget.
      const known = await file.read(({ vectors }) => vectors().embedders());
      if (known.every((name) => embedderIds.includes(name))) return;
      await file.write((writing) => writing.keepVectors(embedderIds));
    },
    purge: ({ texts }) => purgeIndex({ file, path, tokens, waitMs: writeWaitMs }, texts),
    stats: () =>
      file.read(({ reading, keyword, sizeBytes, readOnlyReason }) => {
        const sources = reading.counts();
        return {
          files: sources.reduce((sum, { files }) => sum + files, 0),
          chunks: sources.reduce((sum, { chunks }) => sum + chunks, 0),
          sources,
          sizeBytes: sizeBytes(),
          ...(readOnlyReason === null ? {} : { readOnly: readOnlyReason }),
          keyword:
            keyword === null
              ? { available: false, error: "This Node.js brings an SQLite without FTS5." }
              : { available: true },
        };
      }),
    revision: () => file.read(({ reading, identity }) => `${identity}:${reading.revision()}`),
    readFact: (key) => file.read(({ reading }) => reading.meta(`fact:${key}`)),
    writeFact: (key, value) => file.write((writing) => writing.setMeta(`fact:${key}`, value)),
    [Symbol.asyncDispose]: () => file.close(),
  };
}
