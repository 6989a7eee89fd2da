import type { DatabaseSync } from "node:sqlite";
import type { DocumentState } from "../store.ts";

/** The revisions of the last write to documents, and of the last one that removed any, in `meta`. */
const writtenKey = "documents_written";
const removedKey = "documents_removed";

export function prepareStateReading(db: DatabaseSync): () => DocumentState {
  const find = db.prepare("SELECT value FROM meta WHERE key = ?");
  return () => (find.get(writtenKey)?.["value"] as string | undefined) ?? "0";
}

/** One write to documents: decides what it may replace, and numbers what it wrote. */
export interface DocumentWrite {
  /** For the rows that it writes. */
  readonly revision: number;
  /** Whether a row is as the writer saw it; undefined stands for a document that is not there. */
  isAsSeen(row: { readonly revision: number } | undefined): boolean;
  /** Called when the write has changed something. */
  finish(change: { readonly hasRemoved: boolean }): void;
}

/**
 * Revisions only grow. They begin at the time, so that an index which was deleted and made again does not take what
 * somebody saw in the first one for something that was seen in it.
 */
export function prepareDocumentWrites(
  db: DatabaseSync,
  now: () => number,
): (asOf: DocumentState | undefined) => DocumentWrite {
  const find = db.prepare("SELECT value FROM meta WHERE key = ?");
  const save = db.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  const read = (key: string): number => Number(find.get(key)?.["value"] ?? 0) || 0;
  return (asOf) => {
    const seen = asOf === undefined ? Number.POSITIVE_INFINITY : Number(asOf);
    const removed = read(removedKey);
    const revision = Math.max(read(writtenKey) + 1, Math.trunc(now()));
    return {
      revision,
      isAsSeen: (row) => (row?.revision ?? removed) <= seen,
      finish({ hasRemoved }) {
        save.run(writtenKey, `${revision}`);
        if (hasRemoved) save.run(removedKey, `${revision}`);
      },
    };
  };
}
