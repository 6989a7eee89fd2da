import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { once } from "../../text/once.ts";
import type { Repair } from "../quarantined.ts";
import type { StoreDescription } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import { configure, connect, identify, identifyAll, pageBytes } from "./connection.ts";
import { prepareFileFilter } from "./file-filter.ts";
import { prepareFullText } from "./full-text.ts";
import { type Keyword, prepareKeyword } from "./keyword.ts";
import type { Sqlite } from "./load-sqlite.ts";
import { openDatabase } from "./open-database.ts";
import { prepareReading, type Reading } from "./read.ts";
import { ExchangedFile } from "./sqlite-failure.ts";
import { loadExtension } from "./vector-extension.ts";
import { prepareVectorReading, type VectorReading } from "./vectors-read.ts";
import { prepareWriting, type Writing } from "./write.ts";

export interface SessionOptions {
  readonly path: string;
  readonly tokens: Tokens;
  readonly now: () => number;
  readonly onRepair: (repair: Repair) => void;
}

/**
 * Our connections to one database file, with their statements. Reading and writing have separate connections: a write
 * transaction yields to other work, and a search of the same process must not see uncommitted changes. The writing
 * connection is opened at the first write, so a search opens only one.
 */
export interface Session {
  readonly identity: string;
  /** Why the file cannot be written; null otherwise. */
  readonly readOnlyReason: string | null;
  /** False once the file, or one of its two sidecars, was deleted or replaced. */
  isIntact(): boolean;
  readonly reader: DatabaseSync;
  readonly reading: Reading;
  /** Null if SQLite was built without FTS5. */
  readonly keyword: Keyword | null;
  /** Created on first use: many processes never need it. */
  vectors(): VectorReading;
  /** A read connection with a loaded extension; created on first use. */
  extended(extensionPath: string): DatabaseSync;
  writer(): { readonly db: DatabaseSync; readonly writing: Writing };
  fileSizes(): { readonly databaseBytes: number; readonly walBytes: number };
  sizes(): StoreDescription["sizes"];
  close(): void;
}

/** A write that finds the lock taken fails almost at once and is retried without blocking, see `transaction.ts`. */
const writerTimeoutMs = 5;

/**
 * A first index touches the pages of its hash indexes in random order; with SQLite's default of 2 MB they are read
 * again and again.
 */
const writerCacheKibibytes = 16 * 1024;
/** Pages that many commits change are copied from the log into the file once for all of them. */
const bytesBeforeCheckpoint = 32 * 1024 * 1024;

export async function openSession(sqlite: Sqlite, options: SessionOptions): Promise<Session> {
  const { path, tokens, now, onRepair } = options;
  const opened = await openDatabase(sqlite, path, onRepair, (db, { fullText }) => {
    const reading = prepareReading(db);
    const selectFiles = prepareFileFilter(db, reading.revision);
    const search = { revision: reading.revision, selectFiles };
    const keyword = fullText ? prepareKeyword(db, search) : null;
    return { reading, keyword, vectors: once(() => prepareVectorReading(db, search)) };
  });
  const { db: reader, identity, prepared, readOnlyReason } = opened;
  // A file that was opened as immutable must not be used once it has changed after all.
  const stateOf = () =>
    identifyAll(path) + (readOnlyReason === null ? "" : changeOf(path) + changeOf(`${path}-wal`));
  const files = stateOf();
  let writer: ReturnType<Session["writer"]> | null = null;
  let extended: DatabaseSync | null = null;

  /** A connection to the file that this session has open. If another one is at the path now, anything may fail. */
  const connectAgain = <T>(allowExtension: boolean, prepare: (db: DatabaseSync) => T): T => {
    const db = connect(sqlite, path, { allowExtension });
    try {
      configure(db);
      const made = prepare(db);
      if (identify(path) !== identity) throw new ExchangedFile("the file was exchanged");
      return made;
    } catch (error) {
      db.close();
      throw identify(path) === identity ? error : new ExchangedFile("the file was exchanged");
    }
  };

  const openExtended = (extensionPath: string): DatabaseSync =>
    connectAgain(true, (db) => {
      db.exec("PRAGMA query_only = ON");
      loadExtension(db, extensionPath);
      return db;
    });

  const fileSizes = () => ({ databaseBytes: sizeOf(path), walBytes: sizeOf(`${path}-wal`) });

  const openWriter = (): ReturnType<Session["writer"]> =>
    connectAgain(false, (db) => {
      db.exec(`PRAGMA busy_timeout = ${writerTimeoutMs};
        PRAGMA cache_size = -${writerCacheKibibytes};
        PRAGMA wal_autocheckpoint = ${bytesBeforeCheckpoint / pageBytes};`);
      const words = prepared.keyword && prepareFullText(db, tokens);
      return { db, writing: prepareWriting(db, words, now) };
    });

  return {
    identity,
    readOnlyReason,
    isIntact: () => stateOf() === files,
    reader,
    ...prepared,
    extended: (extensionPath) => {
      extended ??= openExtended(extensionPath);
      return extended;
    },
    writer: () => {
      writer ??= openWriter();
      return writer;
    },
    fileSizes,
    sizes: () => ({ ...fileSizes(), ...measureVectors(reader) }),
    close: () => {
      reader.close();
      writer?.db.close();
      extended?.close();
    },
  };
}

function measureVectors(db: DatabaseSync): { vectorBytes: number; cacheBytes: number } {
  return db
    .prepare(
      `SELECT (SELECT ifnull(sum(length(codes)), 0) FROM vector_rows) AS vectorBytes,
         (SELECT ifnull(sum(length(embedding)), 0) FROM embedding_cache) AS cacheBytes`,
    )
    .get() as { vectorBytes: number; cacheBytes: number };
}

function changeOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return ` ${stats?.mtimeNs}:${stats?.size}`;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
