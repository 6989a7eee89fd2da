import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";

export interface OpenclawSession {
  readonly key?: string;
  readonly chatType?: "direct" | "group" | "channel";
  readonly spawnedBy?: string;
  readonly parentKey?: string;
}

/** The database of an agent as OpenClaw 2026.9 creates it: the tables with transcripts. */
export interface OpenclawDatabase extends Disposable {
  readonly file: string;
  readonly db: DatabaseSync;
  addSession(id: string, session?: OpenclawSession): void;
  /** Appends events; with `compressed`, in the form that newer versions use for long ones. */
  append(id: string, events: readonly unknown[], options?: { compressed?: boolean }): void;
  /** Replaces the content of a transcript, as a rewind or repair does. */
  rewrite(id: string, events: readonly unknown[]): void;
}

export function makeOpenclawDatabase(file: string): OpenclawDatabase {
  mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT NOT NULL,
      entry_json TEXT NOT NULL, parent_session_key TEXT, spawned_by TEXT) STRICT;
    CREATE TABLE IF NOT EXISTS session_windows (session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL,
      chat_type TEXT, parent_session_key TEXT, spawned_by TEXT) STRICT;
    CREATE TABLE IF NOT EXISTS transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
      created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT,
      PRIMARY KEY (session_id, seq)) STRICT;
    CREATE TABLE IF NOT EXISTS transcript_rewrite_watermarks (session_id TEXT PRIMARY KEY, generation TEXT NOT NULL,
      updated_at INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS memory_session_tombstones (session_id TEXT PRIMARY KEY, agent_id TEXT NOT NULL,
      reason TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
  `);
  let clock = Date.parse("2026-09-10T10:00:00Z");
  const insert = db.prepare(
    `INSERT INTO transcript_events (session_id, seq, event_json, created_at, event_zstd, event_utf8_bytes)
     VALUES (?, (SELECT coalesce(max(seq) + 1, 0) FROM transcript_events WHERE session_id = ?), ?, ?, ?, ?)`,
  );
  function append(id: string, events: readonly unknown[], { compressed = false } = {}): void {
    for (const event of events) {
      const text = JSON.stringify(event);
      const bytes = Buffer.from(text);
      clock += 1000;
      if (compressed) insert.run(id, id, null, clock, zstdCompressSync(bytes), bytes.length);
      else insert.run(id, id, text, clock, null, null);
    }
  }
  return {
    file,
    db,
    append,
    addSession(id, { key = `agent:main:${id}`, chatType, spawnedBy, parentKey } = {}) {
      db.prepare("INSERT OR REPLACE INTO session_nodes VALUES (?, ?, '{}', ?, ?)").run(
        key,
        id,
        parentKey ?? null,
        spawnedBy ?? null,
      );
      db.prepare("INSERT INTO session_windows VALUES (?, ?, ?, ?, ?)").run(
        id,
        key,
        chatType ?? null,
        parentKey ?? null,
        spawnedBy ?? null,
      );
    },
    rewrite(id, events) {
      db.exec("BEGIN");
      db.prepare("DELETE FROM transcript_events WHERE session_id = ?").run(id);
      append(id, events);
      db.prepare("INSERT OR REPLACE INTO transcript_rewrite_watermarks VALUES (?, ?, ?)").run(
        id,
        `g${clock}`,
        clock,
      );
      db.exec("COMMIT");
    },
    [Symbol.dispose]: () => db.close(),
  };
}
