import type { TestContext } from "node:test";
import { createTranscripts } from "../../src/sessions/transcripts/transcripts.ts";
import { createSessionsSource, type SessionsSourceOptions } from "../../src/sources/session-transcripts.ts";
import type { Source } from "../../src/sources/source.ts";
import { openSqliteStore } from "../../src/stores/sqlite/sqlite-store.ts";
import type { FullStore } from "../../src/stores/store.ts";
import { createTranscriptDatabases } from "../../src/stores/transcripts/read-transcript-database.ts";
import { type SyncOptions, type SyncReport, syncOnce } from "../../src/sync/sync.ts";
import { createChunker } from "../../src/text/chunk.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";

export interface SessionsFixture {
  readonly folder: TemporaryFolder;
  readonly sessionsDir: string;
  readonly source: Source;
  readonly store: FullStore;
  /** Bytes that were read from transcripts until now. */
  readonly read: { bytes: number };
  readonly clock: { now: Date };
  sync(options?: SyncOptions): Promise<SyncReport>;
  /** Writes a file of the sessions folder. */
  write(name: string, text: string | Uint8Array): string;
}

/** The sessions folder of an agent, with a keyword index. The clock is an hour ahead, so that no file is too new. */
export async function openSessionsFixture(
  t: TestContext,
  options: Partial<SessionsSourceOptions> & { literals?: readonly string[] } = {},
): Promise<SessionsFixture> {
  const folder = makeTemporaryFolder(t);
  const sessionsDir = folder.makeFolder("sessions");
  const clock = { now: new Date(Date.now() + 3_600_000) };
  const read = { bytes: 0 };
  const source = createSessionsSource({
    transcripts: createTranscripts({
      sessionsDir,
      literals: options.literals ?? [],
      readDatabase: createTranscriptDatabases(),
    }),
    deltaBytes: 100_000,
    deltaMessages: 50,
    dayOf: (moment) => moment.toISOString().slice(0, 10),
    now: () => clock.now,
    onBytes: (count) => {
      read.bytes += count;
    },
    ...options,
  });
  const store = await openWordStore(folder.at("index.sqlite"));
  t.after(() => store[Symbol.asyncDispose]());
  return {
    folder,
    sessionsDir,
    source,
    store,
    read,
    clock,
    sync: (request) =>
      syncOnce({ sources: [source], store, chunker: testChunker, now: () => clock.now }, request),
    write: (name, text) => folder.write(`sessions/${name}`, text),
  };
}

export const testChunker = createChunker({ tokens: 40, overlap: 8 });

export function openWordStore(path: string): Promise<FullStore> {
  return openSqliteStore({
    path,
    analyzerId: "words",
    tokens: ({ text }) => ({ body: text.toLowerCase().replaceAll(/[^a-z0-9]+/g, " "), head: "" }),
  });
}

/** The contents of a store for the sessions, which must equal those of a store that was filled at once. */
export async function contentsOf(store: FullStore): Promise<unknown> {
  const versions = await store.versions("sessions");
  const documents = [];
  for (const [path, { hash }] of [...versions].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const chunks = await store.chunksOf("sessions", path);
    documents.push({ path, hash, chunks: chunks.map(({ id: _, ...chunk }) => chunk) });
  }
  return { documents, statistics: (await store.stats()).sources };
}

/** The same files in a separate index, filled at once. */
export async function freshContents(t: TestContext, source: Source): Promise<unknown> {
  await using store = await openWordStore(makeTemporaryFolder(t).at("fresh.sqlite"));
  await syncOnce({ sources: [source], store, chunker: testChunker, now: () => new Date() });
  return await contentsOf(store);
}
