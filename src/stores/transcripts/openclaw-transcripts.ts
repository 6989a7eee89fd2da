import { lstatSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { isAutomaticSession } from "../../sessions/transcripts/automatic.ts";
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

/** Real events are shorter. */
const maxEventBytes = 32 * 1024 * 1024;
const checkedAfterEvents = 100;

/**
 * The conversations in the database of an OpenClaw agent: `transcript_events` has one row per transcript line, as JSON
 * or compressed. Null if the database has no such table.
 */
export function readOpenclawDatabase(file: string, db: DatabaseSync): TranscriptDatabase | null {
  if (!columnsOf(db, "transcript_events").has("event_json")) return null;
  const device = lstatSync(file, { bigint: true }).dev;
  const keys = readKeys(db);
  const parentsOf = (key: string) => keys.parents.get(key) ?? [];
  const forgotten = readForgotten(db);
  const rows = db
    .prepare(`${statsQuery(db)} GROUP BY session_id ORDER BY session_id`)
    .all() as unknown as StatsRow[];
  const sessions = rows.map((row): StoredSession => {
    const { id } = row;
    const key = keys.ofSession.get(id);
    const isAutomatic = key !== undefined && isAutomaticSession(key, parentsOf);
    return {
      id,
      key,
      stats: toStats(row, device),
      isShared: keys.shared.has(id),
      excluded: isAutomatic
        ? "it is the session of a schedule"
        : forgotten.has(id)
          ? "OpenClaw was told to forget it"
          : undefined,
      sizeBytes: () => sizeOf(file, id),
      open: () => openWith(file, (database) => openSession(database, { file, id, device })),
    };
  });
  return { sessions };
}

interface StatsRow {
  readonly id: string;
  readonly last: number;
  readonly at: number;
  readonly generation: string | null;
}

/** Answered by the primary key alone, except for the time of the last event. */
function statsQuery(db: DatabaseSync): string {
  const generation = columnsOf(db, "transcript_rewrite_watermarks").has("generation")
    ? "(SELECT generation FROM transcript_rewrite_watermarks w WHERE w.session_id = e.session_id)"
    : "NULL";
  const at =
    "(SELECT created_at FROM transcript_events l WHERE l.session_id = e.session_id ORDER BY seq DESC LIMIT 1)";
  return `SELECT session_id AS id, max(seq) AS last, ${at} AS at, ${generation} AS generation FROM transcript_events e`;
}

/** A rewritten transcript counts as another one. */
function toStats({ id, last, at, generation }: StatsRow, dev: bigint): TranscriptStats {
  const ino = BigInt(`0x${sha256(`${id}\n${generation ?? ""}`).slice(0, 15)}`);
  const mtimeNs = BigInt(Math.trunc(at)) * 1_000_000n;
  return { dev, ino, size: BigInt(last + 1), mtimeNs, ctimeNs: mtimeNs, mtime: new Date(at) };
}

interface SessionKeysOfDatabase {
  readonly ofSession: ReadonlyMap<string, string>;
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** Sessions of groups and channels. */
  readonly shared: ReadonlySet<string>;
}

function readKeys(db: DatabaseSync): SessionKeysOfDatabase {
  const ofSession = new Map<string, string>();
  const parents = new Map<string, string[]>();
  const shared = new Set<string>();
  for (const [table, sessionId] of [
    ["session_nodes", "current_session_id"],
    ["session_windows", "session_id"],
  ] as const) {
    const columns = columnsOf(db, table);
    if (!columns.has(sessionId) || !columns.has("session_key")) continue;
    const optional = (name: string) => (columns.has(name) ? name : "NULL");
    const rows = db
      .prepare(
        `SELECT ${sessionId} AS id, session_key AS key, ${optional("parent_session_key")} AS parent,
         ${optional("spawned_by")} AS spawner, ${optional("chat_type")} AS chat FROM ${table}`,
      )
      .all();
    for (const { id, key, parent, spawner, chat } of rows) {
      ofSession.set(String(id), String(key));
      const from = [parent, spawner].filter((each) => typeof each === "string");
      parents.set(String(key), [...(parents.get(String(key)) ?? []), ...from]);
      if (chat === "group" || chat === "channel") shared.add(String(id));
    }
  }
  return { ofSession, parents, shared };
}

function readForgotten(db: DatabaseSync): ReadonlySet<string> {
  if (!columnsOf(db, "memory_session_tombstones").has("session_id")) return new Set();
  const rows = db.prepare("SELECT session_id AS id FROM memory_session_tombstones").all();
  return new Set(rows.map(({ id }) => String(id)));
}

function sizeOf(file: string, id: string): number {
  using database = openForeignDatabase(file);
  if (database === null) return 0;
  const { db } = database;
  const bytes = columnsOf(db, "transcript_events").has("event_utf8_bytes")
    ? "coalesce(octet_length(event_json), event_utf8_bytes)"
    : "octet_length(event_json)";
  const sum = db.prepare(`SELECT sum(${bytes} + 1) AS bytes FROM transcript_events WHERE session_id = ?`);
  return readable(file, () => Number(sum.get(id)?.["bytes"] ?? 0));
}

function openSession(
  database: ForeignDatabase,
  { file, id, device }: { readonly file: string; readonly id: string; readonly device: bigint },
): OpenTranscript | null {
  const { db, ask, checkUnchanged } = database;
  const stats = () => {
    const row = ask(() => db.prepare(`${statsQuery(db)} WHERE session_id = ? GROUP BY session_id`).get(id));
    return row === undefined ? null : toStats(row as unknown as StatsRow, device);
  };
  const first = ask(stats);
  if (first === null) return null;
  const columns = columnsOf(db, "transcript_events");
  const content = columns.has("event_zstd")
    ? "seq, event_json, event_zstd"
    : "seq, event_json, NULL AS event_zstd";
  const events = `SELECT ${content} FROM transcript_events WHERE session_id = ?`;
  const eventAt = (rest: string, position: number): Buffer => {
    const row = ask(() => db.prepare(`${events} AND seq < ? ORDER BY seq ${rest} LIMIT 1`).get(id, position));
    return row === undefined ? Buffer.alloc(0) : (toBytes(row) ?? Buffer.alloc(0));
  };

  return {
    file: null,
    // A session that was deleted meanwhile became shorter, which the reader notices.
    stats: () => stats() ?? { ...first, size: 0n },
    end: () => Number((stats() ?? { size: 0n }).size),
    *lines(start, limit): Generator<FileLine> {
      const rows = readable(file, () =>
        db.prepare(`${events} AND seq >= ? AND seq < ? ORDER BY seq`).iterate(id, start, limit),
      );
      let count = 0;
      for (let next = ask(() => rows.next()); !next.done; next = readable(file, () => rows.next())) {
        yield { bytes: toBytes(next.value), end: Number(next.value["seq"]) + 1 };
        if (++count % checkedAfterEvents === 0) checkUnchanged();
      }
      checkUnchanged();
    },
    head: (position) => sha256(eventAt("ASC", position)),
    tail(position) {
      const count = db.prepare(
        "SELECT count(*) AS count FROM transcript_events WHERE session_id = ? AND seq < ?",
      );
      return sha256(`${ask(() => count.get(id, position))?.["count"]}:${sha256(eventAt("DESC", position))}`);
    },
    hasWholeHead: (position) => position > 0,
    [Symbol.dispose]: () => database[Symbol.dispose](),
  };
}

/** An event as a transcript line; null if it cannot be read. */
function toBytes({ event_json: text, event_zstd: compressed }: Record<string, unknown>): Buffer | null {
  if (typeof text === "string") return text.length > maxEventBytes ? null : Buffer.from(text);
  if (!(compressed instanceof Uint8Array)) return null;
  try {
    const { zstdDecompressSync } = loadZlib();
    return zstdDecompressSync(compressed, { maxOutputLength: maxEventBytes });
  } catch {
    return null;
  }
}

/** It loads much of Node, and few transcripts are compressed. */
const loadZlib = () => process.getBuiltinModule("node:zlib");
