import { lstatSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type {
  FileLine,
  OpenTranscript,
  StoredSession,
  TranscriptDatabase,
  TranscriptStats,
} from "../../sessions/transcripts/open-transcript.ts";
import { sha256 } from "../../text/hash.ts";
import {
  columnsOf,
  type ForeignDatabase,
  openForeignDatabase,
  openWith,
  readable,
} from "../sqlite/foreign-database.ts";

/**
 * The conversations in OpenCode's database: rows of `session`, `message` and `part`, the last two with JSON. A line is
 * a message with its parts. Null if the database has no such tables.
 */
export function readOpencodeDatabase(file: string, db: DatabaseSync): TranscriptDatabase | null {
  if (!isOpencode(db)) return null;
  const device = lstatSync(file, { bigint: true }).dev;
  const rows = db
    .prepare(
      `SELECT s.id, s.parent_id AS parent, count(m.id) AS count, max(m.time_updated) AS at
       FROM session s JOIN message m ON m.session_id = s.id GROUP BY s.id ORDER BY s.id`,
    )
    .all();
  const sessions = rows.map((row): StoredSession => {
    const id = String(row["id"]);
    return {
      id,
      stats: toStats({ id, count: wholeMessages(db, id), at: Number(row["at"]) }, device),
      isShared: false,
      excluded: row["parent"] === null ? undefined : "it is the session of a subagent",
      sizeBytes: () => sizeOf(file, id),
      open: () => openWith(file, (database) => openSession(database, id, device)),
    };
  });
  return { sessions };
}

function isOpencode(db: DatabaseSync): boolean {
  const needed = {
    session: ["id", "parent_id"],
    message: ["session_id", "data"],
    part: ["message_id", "data"],
  };
  return Object.entries(needed).every(([table, names]) => {
    const columns = columnsOf(db, table);
    return names.every((name) => columns.has(name));
  });
}

function toStats({ id, count, at }: { id: string; count: number; at: number }, dev: bigint): TranscriptStats {
  const ino = BigInt(`0x${sha256(id).slice(0, 15)}`);
  const mtimeNs = BigInt(Math.trunc(at)) * 1_000_000n;
  return { dev, ino, size: BigInt(count), mtimeNs, ctimeNs: mtimeNs, mtime: new Date(at) };
}

/** Only the last message may still be incomplete: an answer in progress, or a prompt whose text is yet to come. */
function wholeMessages(db: DatabaseSync, id: string): number {
  const { count } = db.prepare("SELECT count(*) AS count FROM message WHERE session_id = ?").get(id) ?? {};
  const last = db
    .prepare("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 1")
    .get(id);
  const isOver = last === undefined || isWhole(db, String(last["id"]), parse(last["data"]));
  return Number(count) - (isOver ? 0 : 1);
}

function isWhole(db: DatabaseSync, messageId: string, message: Record<string, unknown>): boolean {
  if (message["role"] !== "assistant") {
    return db.prepare("SELECT 1 FROM part WHERE message_id = ? LIMIT 1").get(messageId) !== undefined;
  }
  const time = message["time"] as { completed?: unknown } | undefined;
  return time?.completed !== undefined || message["error"] !== undefined;
}

function sizeOf(file: string, id: string): number {
  using database = openForeignDatabase(file);
  if (database === null) return 0;
  const { db } = database;
  const sum = db.prepare("SELECT sum(octet_length(data)) AS bytes FROM part WHERE session_id = ?");
  return readable(file, () => Number(sum.get(id)?.["bytes"] ?? 0));
}

function openSession(database: ForeignDatabase, id: string, device: bigint): OpenTranscript {
  const { ask, db } = database;
  const end = () => ask(() => wholeMessages(db, id));
  const stats = () => {
    const at = ask(() =>
      db.prepare("SELECT max(time_updated) AS at FROM message WHERE session_id = ?").get(id),
    );
    return toStats({ id, count: end(), at: Number(at?.["at"] ?? 0) }, device);
  };
  const messages =
    "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT ? OFFSET ?";
  const parts = db.prepare("SELECT data FROM part WHERE message_id = ? ORDER BY id");
  const lineOf = (row: Record<string, unknown>): Buffer => {
    const said = parts.all(String(row["id"])).map(({ data }) => parse(data));
    return Buffer.from(
      JSON.stringify({ type: "opencode", message: parse(row["data"]), parts: said.filter(isTalk) }),
    );
  };
  const lineAt = (position: number): Buffer => {
    const row = ask(() => db.prepare(messages).get(id, 1, position));
    return row === undefined ? Buffer.alloc(0) : ask(() => lineOf(row));
  };
  return {
    file: null,
    stats,
    end,
    *lines(start, limit): Generator<FileLine> {
      for (let from = start; from < limit; from += pageSize) {
        const rows = ask(() => db.prepare(messages).all(id, Math.min(pageSize, limit - from), from));
        for (const [index, row] of rows.entries())
          yield { bytes: ask(() => lineOf(row)), end: from + index + 1 };
      }
    },
    head: (position) => sha256(position > 0 ? lineAt(0) : ""),
    tail: (position) => sha256(position > 0 ? lineAt(position - 1) : ""),
    hasWholeHead: (position) => position > 0,
    [Symbol.dispose]: () => database[Symbol.dispose](),
  };
}

const pageSize = 200;

/** Tool calls, reasoning and snapshots may have megabytes, and are not read. */
function isTalk({ type }: Record<string, unknown>): boolean {
  return type === "text" || type === "compaction";
}

function parse(data: unknown): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // An unreadable row is skipped; the rows around it count.
    return {};
  }
}
