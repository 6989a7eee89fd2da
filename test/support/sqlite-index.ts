import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore, type SqliteStoreOptions } from "../../src/stores/sqlite/sqlite-store.ts";
import { contractTokens } from "../../src/stores/store.contract.ts";
import type { FullStore, IndexedDocument } from "../../src/stores/store.ts";
import type { SourceName } from "../../src/text/document.ts";

/** A store with simple tokens, separated by spaces. */
export function openAt(path: string, options: Partial<SqliteStoreOptions> = {}): Promise<FullStore> {
  const tokens: SqliteStoreOptions["tokens"] = ({ text }) => ({
    body: contractTokens(text).join(" "),
    head: "",
  });
  return openSqliteStore({ path, analyzerId: "blanks", tokens, ...options });
}

export function document(path: string, chunks: readonly string[], version = "1"): IndexedDocument {
  const source: SourceName = "memory";
  const text = chunks.join("\n");
  return {
    document: {
      source,
      path,
      version,
      hash: version,
      sizeBytes: text.length,
      modifiedAt: new Date(0),
      scope: "shared",
    },
    chunks: chunks.map((each, index) => ({
      lines: { start: index + 1, end: index + 1 },
      headings: [],
      text: each,
      hash: `hash of ${each}`,
    })),
  };
}

export async function search(store: FullStore, words: readonly string[]): Promise<string[]> {
  const ids = await store.byKeyword(words, { limit: 100 });
  return (await store.chunks(ids)).map((chunk) => chunk.text);
}

/** Asserts that the file is sound, and that tokens and chunk counts match the chunks exactly. */
export function checkIntegrity(path: string): void {
  const db = new DatabaseSync(path);
  try {
    assert.equal(db.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok");
    db.exec("INSERT INTO chunks_fts (chunks_fts) VALUES ('integrity-check')");
    const rows = (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => Object.values(row).join());
    assert.deepEqual(
      rows("SELECT id FROM chunks_fts_docsize ORDER BY 1"),
      rows("SELECT key FROM chunks ORDER BY 1"),
    );
    assert.deepEqual(
      rows("SELECT id, chunk_count FROM files WHERE chunk_count > 0 ORDER BY 1"),
      rows("SELECT file, count(*) FROM chunks GROUP BY 1 ORDER BY 1"),
    );
  } finally {
    db.close();
  }
}
