import type { DocumentState, IndexedDocument, Store } from "../stores/store.ts";
import type { SourceName } from "../text/document.ts";

/** Documents on their way into the store. */
export interface Group {
  put(indexed: IndexedDocument): Promise<void>;
  /** The content is as indexed; only the version is new. */
  touch(path: string, version: string): Promise<void>;
  /** Writes the remaining documents, which are not stored otherwise. */
  flush(): Promise<void>;
  /** The same for a caller that has nothing else to do, if there is enough for a transaction of its own. */
  flushEarly(): Promise<void>;
  /** Writes only the new versions, which is fast. */
  flushTouched(): Promise<void>;
  /** Paths that the store has refused since the last call: another process wrote them after `asOf`. */
  takeRefused(): string[];
}

interface GroupOptions {
  readonly source: SourceName;
  readonly chunkerId: string;
  readonly asOf: DocumentState | undefined;
  /** Called with documents that were written, and with those that were refused. */
  readonly onStored?: ((documents: readonly IndexedDocument[]) => Promise<void>) | undefined;
}

/**
 * One transaction per file costs several times as much as one for many files, which change the same pages of the index.
 * But a large transaction blocks other writers, and its commit blocks this process. A store for which larger ones are
 * faster asks for them.
 */
export function createGroup(store: Store, { source, chunkerId, asOf, onStored }: GroupOptions): Group {
  const { groupBytes = defaultBytes } = store;
  const maxDocuments = groupBytes / bytesPerDocument;
  let documents: IndexedDocument[] = [];
  let sizeBytes = 0;
  let versions = new Map<string, string>();
  const refused = new Set<string>();

  async function flush(): Promise<void> {
    const full = documents;
    documents = [];
    sizeBytes = 0;
    if (full.length > 0) {
      for (const { path } of await store.put(full, chunkerId, { asOf })) refused.add(path);
      await onStored?.(full);
    }
    await flushTouched();
  }

  async function flushTouched(): Promise<void> {
    const touched = versions;
    versions = new Map();
    if (touched.size === 0) return;
    for (const path of await store.touch(source, touched, { asOf })) refused.add(path);
  }

  return {
    async put(indexed) {
      // A part needs the one before it in the store.
      const { path, part } = indexed.document;
      if (part && documents.some(({ document }) => document.path === path)) await flush();
      documents.push(indexed);
      for (const { text } of indexed.chunks) sizeBytes += text.length;
      if (documents.length >= maxDocuments || sizeBytes >= groupBytes) await flush();
    },
    async touch(path, version) {
      versions.set(path, version);
      if (versions.size >= maxTouched) await flush();
    },
    flush,
    async flushEarly() {
      if (documents.length >= maxDocuments / 4) await flush();
    },
    flushTouched,
    takeRefused() {
      const paths = [...refused];
      refused.clear();
      return paths;
    },
  };
}

const defaultBytes = 2 * 1024 * 1024;
/** The fixed cost of a document besides its text. */
const bytesPerDocument = 8 * 1024;
const maxTouched = 1024;
