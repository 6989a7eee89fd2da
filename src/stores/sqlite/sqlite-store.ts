import { resolve } from "node:path";
import { LonghandError } from "../../errors.ts";
import type { Store } from "../store.ts";
import { identify, type Repair, setAsideIfStillThere } from "./connection.ts";
import { isInStep, rebuildFullText, type Tokens } from "./full-text.ts";
import { createIndexMeta, type IndexMeta, indexMetaKey, parseIndexMeta } from "./index-meta.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { openSession, type Session } from "./session.ts";
import { classifyFailure, explainFailure, isFullTextDamage } from "./sqlite-failure.ts";
import { createTaskQueue } from "./task-queue.ts";
import { inTransaction, type Slices, whenNotBusy } from "./transaction.ts";
import type { Writing } from "./write.ts";

export interface SqliteStoreOptions {
  readonly path: string;
  /** The words of a chunk. Must not change while `analyserId` stays the same. */
  readonly tokens: Tokens;
  /** Names the analyser behind `tokens`. When it differs from the one in the index, all words are built again. */
  readonly analyserId: string;
  /** How much a word in the headings or the path counts against one in the text. */
  readonly headWeight?: number;
  /** Told when a damaged file was set aside: the index is empty until the next sync. */
  readonly onRepair?: (repair: Repair) => void;
  readonly now?: () => number;
}

/** How long a write waits for other processes before it gives up. */
const writeWaitMs = 15_000;

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const path = resolve(options.path);
  const { tokens, analyserId, headWeight = 0.6, onRepair = () => {}, now = Date.now } = options;
  const sqlite = loadSqlite();
  const queue = createTaskQueue();
  const checked = new WeakSet<Session>();
  let session: Session | null = null;
  let isClosed = false;

  const open = (): Promise<Session> =>
    whenNotBusy(writeWaitMs, () => openSession(sqlite, { path, tokens, headWeight, now, onRepair }));

  const intact = (): Session | null =>
    session !== null && identify(path) === session.identity ? session : null;

  /** Only in the queue. Opens what stands at the path now; somebody may have deleted the file we had open. */
  const ensure = async (): Promise<Session> => {
    const current = intact();
    if (current !== null) return current;
    session?.close();
    session = null;
    session = await open();
    return session;
  };

  /** Only in the queue. After it the index is sound, though perhaps empty. */
  const recover = async (failed: Session, error: unknown): Promise<void> => {
    if (session !== failed) return;
    if (isFullTextDamage(error) && (await rebuildWords(failed))) return;
    session = null;
    failed.close();
    const reason = error instanceof Error ? error.message : String(error);
    const unsound = { identity: failed.identity, kind: "corrupt", reason } as const;
    const movedTo = classifyFailure(error) === "damaged" ? setAsideIfStillThere(sqlite, path, unsound) : null;
    if (movedTo !== null) onRepair({ reason, movedTo });
  };

  const rebuildWords = async (target: Session): Promise<boolean> => {
    const { db } = target.writer();
    try {
      await inTransaction(db, { waitMs: writeWaitMs }, (slices) => rebuildFullText(db, tokens, slices));
      return true;
    } catch (error) {
      if (classifyFailure(error) !== "damaged") throw error;
      return false;
    }
  };

  /** Whatever is thrown inside is either repaired, and the work repeated once, or explained to the caller. */
  const attempt = async <T>(action: string, work: (isLast: boolean) => Promise<T>): Promise<T> => {
    if (isClosed) throw closedError(path);
    try {
      return await work(false);
    } catch (error) {
      if (error !== retry) throw explainFailure(error, action, path);
    }
    try {
      return await work(true);
    } catch (error) {
      throw explainFailure(error, action, path);
    }
  };

  const read = <T>(work: (current: Session) => T): Promise<T> =>
    attempt("read", async (isLast) => {
      const current = intact() ?? (await queue.run(ensure));
      try {
        return work(current);
      } catch (error) {
        if (isLast || !isCurable(error)) throw error;
        await queue.run(() => recover(current, error));
        throw retry;
      }
    });

  const write = <T>(
    work: (writing: Writing, slices: Slices, meta: IndexMeta) => T | Promise<T>,
  ): Promise<T> =>
    attempt("write to", (isLast) =>
      queue.run(async () => {
        const current = await ensure();
        try {
          await bringInStep(current);
          const { db, writing } = current.writer();
          return await inTransaction(db, { waitMs: writeWaitMs }, (slices) =>
            work(writing, slices, requireSameAnalyser(current)),
          );
        } catch (error) {
          if (isLast || !isCurable(error)) throw error;
          await recover(current, error);
          throw retry;
        }
      }),
    );

  const requireSameAnalyser = (current: Session): IndexMeta => {
    const meta = parseIndexMeta(current.reading.meta(indexMetaKey));
    if (meta?.analyser === analyserId) return meta;
    throw new LonghandError(
      "index-newer",
      `Could not write to the index ${path}: another longhand now uses it.`,
      {
        hint: "Two versions of longhand share this index. Restart this one, or update the older.",
      },
    );
  };

  /** Once per session, only in the queue: the words of the index are those of this analyser, and of every chunk. */
  const bringInStep = async (current: Session): Promise<void> => {
    if (checked.has(current) || isReady(current)) return;
    const { db, writing } = current.writer();
    await inTransaction(db, { waitMs: writeWaitMs }, async (slices) => {
      if (current.keyword !== null) await rebuildFullText(db, tokens, slices);
      const meta = parseIndexMeta(current.reading.meta(indexMetaKey)) ?? createIndexMeta(analyserId);
      writing.setMeta(indexMetaKey, JSON.stringify({ ...meta, analyser: analyserId }));
    });
    checked.add(current);
  };

  const isReady = (current: Session): boolean => {
    const meta = parseIndexMeta(current.reading.meta(indexMetaKey));
    const ready = meta?.analyser === analyserId && (current.keyword === null || isInStep(current.reader));
    if (ready) checked.add(current);
    return ready;
  };

  await attempt("open", () => queue.run(ensure));

  return {
    versions: async (source) => {
      await read((current) => current);
      if (session && !checked.has(session) && !(await read(isReady))) {
        await attempt("read", () => queue.run(async () => bringInStep(await ensure())));
      }
      return read(({ reading }) => reading.versions(source));
    },
    put: (documents, chunkerId) =>
      write(async (writing, slices, meta) => {
        await writing.put(documents, chunkerId, slices);
        const sources = [
          ...new Set([...meta.sources, ...documents.map(({ document }) => document.source)]),
        ].sort();
        if (meta.chunker === chunkerId && sources.length === meta.sources.length) return;
        writing.setMeta(indexMetaKey, JSON.stringify({ ...meta, chunker: chunkerId, sources }));
      }),
    touch: (source, versions) => write((writing) => writing.touch(source, versions)),
    remove: (source, paths) => write((writing, slices) => writing.remove(source, paths, slices)),
    byKeyword: (clauses, query) => read(({ keyword }) => keyword?.byKeyword(clauses, query) ?? []),
    chunks: (ids) => read(({ reading }) => reading.chunks(ids)),
    chunksOf: (source, wanted) => read(({ reading }) => reading.chunksOf(source, wanted)),
    documentFrequencies: (words) =>
      read(({ keyword }) => keyword?.documentFrequencies(words) ?? new Map(words.map((word) => [word, 0]))),
    tokensWithPrefix: (prefix, limit) =>
      read(({ keyword }) => keyword?.tokensWithPrefix(prefix, limit) ?? []),
    stats: () =>
      read(({ reading, keyword, sizeBytes }) => {
        const sources = reading.counts();
        return {
          files: sources.reduce((sum, { files }) => sum + files, 0),
          chunks: sources.reduce((sum, { chunks }) => sum + chunks, 0),
          sources,
          sizeBytes: sizeBytes(),
          keyword:
            keyword === null
              ? { available: false, error: "This Node.js brings an SQLite without FTS5." }
              : { available: true },
        };
      }),
    readFact: (key) => read(({ reading }) => reading.meta(`fact:${key}`)),
    writeFact: (key, value) => write((writing) => writing.setMeta(`fact:${key}`, value)),
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await queue.run(() => {
        session?.close();
        session = null;
      });
    },
  };
}

/** Thrown to repeat the work once, never seen by a caller. */
const retry = new Error("repeat");

function isCurable(error: unknown): boolean {
  const kind = classifyFailure(error);
  return kind === "damaged" || kind === "moved";
}

function closedError(path: string): LonghandError {
  return new LonghandError("internal", `The index ${path} was used after it had been closed.`, {
    hint: "Open the memory again before using it.",
  });
}
