import { it } from "node:test";
import type { Chunk, Document, SourceName } from "../../text/document.ts";
import type { ChunkFilter, IndexedDocument, Store } from "../store.ts";

/** One empty place for an index, of which every `open` gives another handle. */
export interface StoreFixture<Opened extends Store = Store> extends AsyncDisposable {
  open(options?: StoreFixtureOptions): Promise<Opened>;
}

export interface StoreFixtureOptions {
  /** Of how many texts vectors are kept, besides those that chunks use. Many by default. */
  readonly maxCachedVectors?: number;
  /** What the store takes for the time, in milliseconds. */
  readonly now?: () => number;
}

/** Registers a test that gets a store of its own, and the place it lies in. */
export type Check<Opened extends Store = Store> = (
  title: string,
  work: (store: Opened, fixture: StoreFixture<Opened>) => Promise<void>,
) => void;

/** A capability that a store may lack. */
export interface Capability<Opened extends Store> {
  readonly name: string;
  readonly isOf: (store: Store) => store is Opened;
}

/** Tests of a capability are skipped for a store that lacks it. */
export function createCheck<Opened extends Store = Store>(
  create: () => Promise<StoreFixture>,
  capability?: Capability<Opened>,
): Check<Opened> {
  return (title, work) => {
    it(title, async (t) => {
      await using fixture = await create();
      await using store = await fixture.open();
      if (capability && !capability.isOf(store)) return t.skip(`the store has no ${capability.name}`);
      await work(store as Opened, fixture as StoreFixture<Opened>);
    });
  };
}

/** The words of the suite's texts: whatever blanks separate, in lower case. */
export function contractTokens(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[ \n]+/)
    .filter((word) => word !== "");
}

interface DocumentOptions {
  readonly source?: SourceName;
  readonly version?: string;
  readonly date?: string;
  readonly scope?: Document["scope"];
}

/** A document whose chunks are these texts, one on each line. */
export function document(
  path: string,
  chunks: readonly string[],
  options: DocumentOptions = {},
): IndexedDocument {
  const { source = "memory", version = "1", date, scope = "shared" } = options;
  return {
    document: {
      source,
      path,
      version,
      hash: `hash of ${path}`,
      sizeBytes: chunks.join("\n").length,
      modifiedAt: new Date(0),
      ...(date === undefined ? {} : { date }),
      scope,
    },
    chunks: chunks.map(
      (text, index): Chunk => ({
        lines: { start: index + 1, end: index + 1 },
        headings: ["Title", `Part ${index + 1}`],
        text,
        hash: `hash of ${text}`,
      }),
    ),
    words: chunks.map((text) => ({
      body: Buffer.from(contractTokens(text).join(" ")),
      head: new Uint8Array(),
    })),
  };
}

export async function texts(store: Store, path: string): Promise<string[]> {
  return (await store.chunksOf("memory", path)).map((chunk) => chunk.text);
}

export async function search(
  store: Store,
  tokens: readonly string[],
  { limit = 100, filter }: { limit?: number; filter?: ChunkFilter } = {},
): Promise<string[]> {
  const ids = await store.byKeyword(tokens, { limit, ...(filter === undefined ? {} : { filter }) });
  return (await store.chunks(ids)).map((chunk) => chunk.text);
}
