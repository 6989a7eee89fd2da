import { LonghandError } from "../../errors.ts";
import { sumSources } from "../chunk-row.ts";
import {
  createOwnedMeta,
  describeDocuments,
  describeEmbedder,
  indexMetaKey,
  type OwnedIndexMeta,
  type OwnedIndexOptions,
  parseOwnedMeta,
  refuseOtherOwner,
  requireSameAnalyzer,
  settleMeta,
} from "../index-meta.ts";
import type { Repair } from "../quarantined.ts";
import type { DocumentState, FullStore } from "../store.ts";
import { beginWrite, type DocumentWrite, docOf, readDocumentState } from "./document-rows.ts";
import {
  countDocuments,
  listDocuments,
  putDocuments,
  readChunks,
  readChunksOf,
  readVersions,
  removeDocuments,
  touchDocuments,
} from "./documents.ts";
import { cacheUntilChange } from "./held-rows.ts";
import { createKeyword } from "./keyword.ts";
import { openLanceIndex } from "./lance-index.ts";
import { loadArrow, loadLance } from "./lance-package.ts";
import { parseLocation } from "./location.ts";
import {
  compactChunks,
  compactTable,
  measureTables,
  purgeTables,
  rebuildWords,
  repairTables,
} from "./maintenance.ts";
import { schemaVersion } from "./schema.ts";
import type { Session } from "./session.ts";
import { readMeta, writeMeta } from "./sql.ts";
import { createVectorPart } from "./vectors.ts";

export { parseLocation } from "./location.ts";

export interface LanceStoreOptions extends OwnedIndexOptions {
  /** A folder, or `s3://bucket/prefix`. */
  readonly location: string;
  /** Credentials and the like for remote storage, in LanceDB's names. */
  readonly storageOptions?: Readonly<Record<string, string>>;
  /** If true, remote storage is not checked for reachability first. */
  readonly viaProxy?: boolean;
}

const user = 'store.driver "lancedb"';
/** A commit writes files that are merged later; with larger groups, 3,000 notes took half the time. */
const groupBytes = 2 * 1024 * 1024;

export async function openLanceStore(options: LanceStoreOptions): Promise<FullStore> {
  const {
    tokens,
    analyzerId,
    maxCachedVectors = 50_000,
    chunking = { tokens: 0, overlap: 0 },
    owner = "",
    onRepair = () => {},
    writeWaitMs = 15_000,
    storageOptions = {},
    viaProxy = false,
    now = Date.now,
  } = options;
  const location = parseLocation(options.location);
  const [lance, arrow] = [await loadLance({ user }), await loadArrow(user)];
  const repairs: Repair[] = [];

  const readIndexMeta = async ({ meta }: Session): Promise<OwnedIndexMeta | null> => {
    const made = parseOwnedMeta(await readMeta(meta, indexMetaKey), schemaVersion);
    if (made === null) return null;
    if (made.schemaVersion > schemaVersion) throw refuseNewer(location.shown);
    refuseOtherOwner(made, owner, { place: location.shown, advice: "Give each agent a place of its own." });
    return made;
  };
  const changeIndexMeta = async (
    session: Session,
    change: (meta: OwnedIndexMeta) => OwnedIndexMeta,
  ): Promise<void> => {
    const before = await readIndexMeta(session);
    const made = change(before ?? createOwnedMeta({ schemaVersion, analyzer: analyzerId }));
    if (JSON.stringify(made) === JSON.stringify(before)) return;
    await writeMeta(session.meta, { [indexMetaKey]: JSON.stringify(made) });
  };

  const index = await openLanceIndex({
    lance,
    arrow,
    location,
    storageOptions,
    viaProxy,
    writeWaitMs,
    onRepair: (repair) => {
      repairs.push(repair);
      onRepair(repair);
    },
    settle: async (session) => {
      const made = await readIndexMeta(session);
      if (made !== null && made.analyzer !== analyzerId) await rebuildWords(session, tokens);
      await changeIndexMeta(session, (meta) =>
        settleMeta(meta, { owner, schemaVersion, analyzer: analyzerId }),
      );
    },
  });
  try {
    await index.read(readIndexMeta);
  } catch (error) {
    await index.close();
    throw error;
  }

  const keyword = createKeyword();
  const { forgetTexts, dropSets, deleteUnused, ...vectors } = createVectorPart(index, {
    maxCachedVectors,
    now,
    describe: (session, embedder, vectorDims) =>
      changeIndexMeta(session, (meta) => describeEmbedder(meta, embedder, vectorDims)),
  });
  /** Every search asks. */
  const countsOf = cacheUntilChange(countDocuments);
  const change = <T>(
    asOf: DocumentState | undefined,
    work: (session: Session, write: DocumentWrite) => Promise<T>,
  ): Promise<T> =>
    index.write(async (session) => {
      const result = await work(session, await beginWrite(session, asOf));
      await compactChunks(session);
      return result;
    });

  return {
    specificationVersion: 1,
    documentState: () => index.read(readDocumentState),
    versions: async (source, { paths } = {}) => {
      const isSettled = await index.read(
        async (session) => (await readIndexMeta(session))?.analyzer === analyzerId,
      );
      if (!isSettled) await index.settle();
      return index.read(({ chunks }) => readVersions(chunks, source, paths));
    },
    groupBytes,
    put: (documents, chunkerId, { asOf } = {}) =>
      change(asOf, async (session, write) => {
        requireSameAnalyzer(await readIndexMeta(session), analyzerId, location.shown);
        const options = { chunkerId, tokens, nowMs: now(), write };
        const { gone, refused } = await putDocuments(session, documents, options);
        await forgetTexts(session, gone);
        await changeIndexMeta(session, (meta) =>
          describeDocuments(meta, documents, { id: chunkerId, ...chunking }),
        );
        return refused;
      }),
    touch: (source, versions, { asOf } = {}) =>
      change(asOf, async (session, write) => {
        const refused = await touchDocuments(session, source, versions, write);
        return asOf === undefined ? [] : refused;
      }),
    remove: async (source, paths, { asOf } = {}) => {
      if (paths.length === 0) return [];
      return await change(asOf, async (session, write) => {
        const { gone, refused } = await removeDocuments(session, source, paths, write);
        await forgetTexts(session, gone);
        return refused;
      });
    },
    byKeyword: (words, query) => index.read((session) => keyword.byKeyword(session, words, query)),
    chunks: (ids) => index.read(({ chunks }) => readChunks(chunks, ids)),
    chunksOf: (source, path, { fromLine } = {}) =>
      index.read(({ chunks }) => readChunksOf(chunks, docOf(source, path), fromLine)),
    documentFrequencies: (words) => index.read((session) => keyword.documentFrequencies(session, words)),
    tokensWithPrefix: (prefix, limit) =>
      index.read((session) => keyword.tokensWithPrefix(session, prefix, limit)),
    ...vectors,
    purge: ({ texts }) =>
      index.write(async (session) => {
        const cacheEntries = await deleteUnused(session);
        return { cacheEntries, ...(await purgeTables(session, texts)) };
      }),
    documents: () => index.read(({ chunks }) => listDocuments(chunks)),
    stats: () =>
      index.read(async (session) => {
        return {
          ...sumSources(await countsOf(session.chunks)),
          sizeBytes: (await measureTables(session)).databaseBytes,
          ...(repairs.length === 0 ? {} : { quarantined: [...repairs] }),
          keyword: { available: true },
        };
      }),
    revision: () =>
      index.read(async (session) => {
        // In remote storage each query is a request.
        const names = location.folder === null ? ["chunks", "meta"] : await session.tableNames();
        const versions = await Promise.all(
          names.map(async (name) => `${name} ${await (await session.find(name))?.version()}`),
        );
        return [session.identity, ...versions].join(":");
      }),
    describe: () =>
      index.read(async (session) => ({
        sizes: await measureTables(session),
        meta: { ...(await readIndexMeta(session)) },
      })),
    repair: async (wanted = {}) => {
      const before = repairs.length;
      const done = await index.write(async (session) => {
        const repaired = await repairTables(session, tokens, wanted);
        keyword.forget(session);
        if (wanted.vectors !== "drop") return repaired;
        await dropSets(session);
        return [...repaired, "dropped all vectors, to make them again"];
      });
      const quarantined = repairs
        .slice(before)
        .map(({ reason, movedTo }) => `quarantined a table as ${movedTo}: ${reason}`);
      return [...quarantined, ...done];
    },
    readFact: (key) => index.read(({ meta }) => readMeta(meta, `fact:${key}`)),
    writeFact: (key, value) =>
      index.write(async ({ meta }) => {
        await writeMeta(meta, { [`fact:${key}`]: value });
        await compactTable(meta);
      }),
    [Symbol.asyncDispose]: () => index.close(),
  };
}

function refuseNewer(location: string): LonghandError {
  return new LonghandError(
    "index-newer",
    `Could not use the index ${location}: a newer longhand has written it.`,
    {
      hint: "Update longhand, or set `store.url` to another place.",
    },
  );
}
