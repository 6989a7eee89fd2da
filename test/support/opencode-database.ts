import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface OpencodeMessage {
  readonly role: "user" | "assistant";
  readonly parts: readonly object[];
  /** Absent for an answer that is still being written. */
  readonly isRunning?: boolean;
  /** Marks the result of a compaction. */
  readonly isSummary?: boolean;
}

/** A database as OpenCode 1.18 creates it: the tables with conversations. */
export interface OpencodeDatabase extends Disposable {
  readonly db: DatabaseSync;
  addSession(id: string, session?: { parent?: string }): void;
  append(sessionId: string, message: OpencodeMessage): string;
  finish(messageId: string, parts: readonly object[]): void;
}

export function makeOpencodeDatabase(file: string): OpencodeDatabase {
  mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL,
      title TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
      time_updated INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
      time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS message_of_session ON message (session_id, time_created, id);
    CREATE INDEX IF NOT EXISTS part_of_message ON part (message_id, id);
  `);
  const lastOf = (table: string) =>
    Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()!["count"]);
  const clock = () => Date.parse("2026-11-15T21:24:00Z") + 1000 * (lastOf("message") + lastOf("part"));
  function addParts(messageId: string, sessionId: string, parts: readonly object[]): void {
    for (const part of parts) {
      const id = `prt_${String(lastOf("part")).padStart(6, "0")}`;
      const at = clock();
      db.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)").run(
        id,
        messageId,
        sessionId,
        at,
        at,
        JSON.stringify(part),
      );
    }
  }
  return {
    db,
    addSession(id, { parent } = {}) {
      db.prepare("INSERT INTO session VALUES (?, ?, '/w', 'Talk', 1, 1)").run(id, parent ?? null);
    },
    append(sessionId, { role, parts, isRunning = false, isSummary = false }) {
      const id = `msg_${String(lastOf("message")).padStart(6, "0")}`;
      const at = clock();
      const time = { created: at, ...(role === "assistant" && !isRunning && { completed: at + 1 }) };
      const summary = role === "user" ? { diffs: [] } : isSummary || undefined;
      db.prepare("INSERT INTO message VALUES (?, ?, ?, ?, ?)").run(
        id,
        sessionId,
        at,
        at,
        JSON.stringify({ role, time, summary }),
      );
      addParts(id, sessionId, parts);
      return id;
    },
    finish(messageId, parts) {
      const row = db.prepare("SELECT session_id, data FROM message WHERE id = ?").get(messageId)!;
      const data = JSON.parse(String(row["data"])) as { time: object };
      addParts(messageId, String(row["session_id"]), parts);
      const whole = JSON.stringify({ ...data, time: { ...data.time, completed: clock() } });
      db.prepare("UPDATE message SET data = ?, time_updated = ? WHERE id = ?").run(whole, clock(), messageId);
    },
    [Symbol.dispose]: () => db.close(),
  };
}
