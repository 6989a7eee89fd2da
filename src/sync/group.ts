import type { DocumentState, IndexedDocument, Store } from "../stores/store.ts";
import type { SourceName } from "../text/document.ts";

/** Documents on their way into the store. */
export interface Group {
  put(indexed: IndexedDocument): Promise<void>;
  /** The content is as indexed, only its version is new. */
  touch(path: string, version: string): Promise<void>;
  /** Writes what is left. Without it the last documents are not stored. */
  flush(): Promise<void>;
  /** Writes only the new versions, which is quick. */
  flushTouched(): Promise<void>;
  /** Paths that the store refused since the last call: another process has written them after `asOf`. */
  takeRefused(): string[];
}

/**
 * A transaction a file costs several times as much as one for many, which change the same pages of the index. A large
 * one keeps other writers waiting, and its commit keeps this process waiting. Where larger ones are faster, the store
 * asks for them.
 */
export function createGroup(
  store: Store,
  { source, chunkerId, asOf }: { source: SourceName; chunkerId: string; asOf: DocumentState | undefined },
): Group {
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
      // A part follows the one before it, which must be in the store by then.
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
    flushTouched,
    takeRefused() {
      const paths = [...refused];
      refused.clear();
      return paths;
    },
  };
}

const defaultBytes = 2 * 1024 * 1024;
/** Each costs something besides its text. */
const bytesPerDocument = 8 * 1024;
const maxTouched = 1024;
