import { resolve } from "node:path";
import { sumSources } from "../chunk-row.ts";
import {
  describeDocuments,
  indexMetaKey,
  type OwnedIndexMeta,
  type OwnedIndexOptions,
  parseOwnedMeta,
  refuseOtherOwner,
  requireSameAnalyzer,
  settleMeta,
} from "../index-meta.ts";
import type { Repair } from "../quarantined.ts";
import type { FullStore } from "../store.ts";
import { isInStep, rebuildFullText } from "./full-text.ts";
import { openIndexFile } from "./index-file.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { schemaVersion } from "./schema.ts";
import type { Session } from "./session.ts";
import { createVectorExtension } from "./vector-extension.ts";
import { createVectorPart } from "./vector-store.ts";

export interface SqliteStoreOptions extends OwnedIndexOptions {
  readonly path: string;
  /** In an index of more chunks, vectors are coded by their signs instead of one byte per dimension. */
  readonly maxBytesCoded?: number;
  /** The loadable library of sqlite-vec, with or without its extension. Without it, our own code compares vectors. */
  readonly vectorExtension?: string | undefined;
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<FullStore> {
  const {
    tokens,
    analyzerId,
    owner = "",
    onRepair = () => {},
    writeWaitMs = 15_000,
    maxCachedVectors = 50_000,
    maxBytesCoded = 50_000,
    vectorExtension,
    chunking = { tokens: 0, overlap: 0 },
    now = Date.now,
  } = options;
  const path = resolve(options.path);
  const repairs: Repair[] = [];

  const metaOf = ({ reading }: Session): OwnedIndexMeta | null =>
    parseOwnedMeta(reading.meta(indexMetaKey), schemaVersion);

  const hasRightWords = (session: Session, meta: OwnedIndexMeta | null): boolean =>
    meta?.analyzer === analyzerId && (session.keyword === null || isInStep(session.reader));

  const refuseOther = (meta: OwnedIndexMeta | null): void =>
    refuseOtherOwner(meta, owner, {
      place: path,
      advice: "Put {agentId} into `store.path`, so that each agent has its own.",
    });

  const file = await openIndexFile(loadSqlite(), {
    path,
    tokens,
    now,
    onRepair: (repair) => {
      repairs.push(repair);
      onRepair(repair);
    },
    writeWaitMs,
    isSettled: (session) => {
      const meta = metaOf(session);
      refuseOther(meta);
      return hasRightWords(session, meta) && (owner === "" || meta?.owner === owner);
    },
    settle: async (session, slices) => {
      const { db, writing } = session.writer();
      const meta = metaOf(session);
      if (session.keyword !== null && !hasRightWords(session, meta))
        await rebuildFullText(db, tokens, slices);
      const settled = settleMeta(meta, { owner, schemaVersion, analyzer: analyzerId });
      writing.setMeta(indexMetaKey, JSON.stringify(settled));
    },
  });
  try {
    await file.read((session) => refuseOther(metaOf(session)));
  } catch (error) {
    await file.close();
    throw error;
  }

  const vectors = createVectorPart(file, {
    maxCachedVectors,
    maxBytesCoded,
    extension: vectorExtension === undefined ? null : createVectorExtension(vectorExtension),
    now,
  });

  return {
    specificationVersion: 1,
    documentState: () => file.read(({ reading }) => reading.documentState()),
    versions: async (source, { paths } = {}) => {
      await file.settle();
      return file.read(({ reading }) =>
        paths === undefined ? reading.versions(source) : reading.versionsOf(source, paths),
      );
    },
    put: (documents, chunkerId, { asOf } = {}) =>
      file.write(async (writing, session, slices) => {
        const meta = requireSameAnalyzer(metaOf(session), analyzerId, path);
        const refused = await writing.put(documents, chunkerId, { asOf, slices });
        const made = describeDocuments(meta, documents, { id: chunkerId, ...chunking });
        writing.setMeta(indexMetaKey, JSON.stringify(made));
        return refused;
      }),
    touch: (source, versions, options) => file.write((writing) => writing.touch(source, versions, options)),
    remove: (source, paths, { asOf } = {}) =>
      file.write((writing, _, slices) => writing.remove(source, paths, { asOf, slices })),
    byKeyword: (words, query) => file.read(({ keyword }) => keyword?.byKeyword(words, query) ?? []),
    chunks: (ids) => file.read(({ reading }) => reading.chunks(ids)),
    chunksOf: (source, wanted, { fromLine } = {}) =>
      file.read(({ reading }) => reading.chunksOf(source, wanted, fromLine)),
    documentFrequencies: (words) =>
      file.read(
        ({ keyword }) => keyword?.documentFrequencies(words) ?? new Map(words.map((word) => [word, 0])),
      ),
    tokensWithPrefix: (prefix, limit) =>
      file.read(({ keyword }) => keyword?.tokensWithPrefix(prefix, limit) ?? []),
    ...vectors,
    purge: async (request) => {
      const { purgeIndex } = await import("./purge.ts");
      return await purgeIndex({ file, path, tokens, waitMs: writeWaitMs }, request);
    },
    documents: () => file.read(({ reading }) => reading.documents()),
    stats: () =>
      file.read(({ reading, keyword, fileSizes, readOnlyReason }) => {
        const { databaseBytes, walBytes } = fileSizes();
        return {
          ...sumSources(reading.counts()),
          sizeBytes: databaseBytes + walBytes,
          ...(readOnlyReason === null ? {} : { readOnly: readOnlyReason }),
          ...(repairs.length === 0 ? {} : { quarantined: [...repairs] }),
          keyword:
            keyword === null
              ? { available: false, error: "This Node.js brings an SQLite without FTS5." }
              : { available: true },
        };
      }),
    revision: () => file.read(({ reading, identity }) => `${identity}:${reading.revision()}`),
    describe: () => file.read((session) => ({ sizes: session.sizes(), meta: { ...metaOf(session) } })),
    repair: async (options = {}) => {
      const { repairIndex } = await import("./repair.ts");
      const before = repairs.length;
      const done = await file.write((writing, session, slices) => {
        const { db } = session.writer();
        return repairIndex({ db, writing, tokens: session.keyword && tokens, slices }, options);
      });
      const quarantined = repairs
        .slice(before)
        .map(({ reason, movedTo }) => `quarantined the damaged index as ${movedTo}: ${reason}`);
      return [...quarantined, ...done];
    },
    readFact: (key) => file.read(({ reading }) => reading.meta(`fact:${key}`)),
    writeFact: (key, value) => file.write((writing) => writing.setMeta(`fact:${key}`, value)),
    [Symbol.asyncDispose]: () => file.close(),
  };
}
