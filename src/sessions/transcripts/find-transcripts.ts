import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import { fileIdOf, kindOf } from "../../paths.ts";
import { sha256 } from "../../text/hash.ts";
import { isGroupSession } from "../../text/session-key.ts";
import {
  mayBeTranscriptDatabase,
  type OpenTranscript,
  openTranscriptFile,
  type ReadTranscriptDatabase,
  type StoredSession,
  type TranscriptStats,
} from "./open-transcript.ts";
import { archivedSession, isCopyName, type SessionKeys } from "./session-keys.ts";

/** A file that may be a transcript, or a conversation in a database. */
export interface FoundTranscript {
  /** As hits show it: `sessions/<file name>`. */
  readonly path: string;
  /** Absolute. A database is the file of many. */
  readonly file: string;
  readonly stats: TranscriptStats;
  /** Shared only if others are known to have taken part. */
  readonly scope: "private" | "shared";
  readonly isImported: boolean;
  sizeBytes(): number;
  /** Null when it no longer exists. */
  open(options?: { onBytes?: ((count: number) => void) | undefined }): OpenTranscript | null;
}

interface SkippedFile {
  readonly path: string;
  readonly reason: "symlink" | "unreadable" | "not-a-file" | "excluded" | "duplicate" | "missing";
  readonly detail?: string;
}

export interface FoundTranscripts {
  readonly found: readonly FoundTranscript[];
  readonly skipped: readonly SkippedFile[];
  /** Every folder that was searched. */
  readonly folders: readonly { readonly path: string; readonly stats: BigIntStats }[];
}

interface FindOptions {
  /** The sessions folder of one agent. Null for only the imports. */
  readonly sessionsDir: string | null;
  /** Files and folders of other programs, absolute. */
  readonly imports: readonly string[];
  /** What the registry of a folder says about its sessions. */
  readonly keysOf: (folder: string) => SessionKeys;
  readonly readDatabase: ReadTranscriptDatabase;
}

const extensions = new Set([".jsonl", ".ndjson", ".json", ".json5"]);
/** Registries in the sessions folder, which are not transcripts. */
const registries = new Set(["sessions.json", "registry.json5", "imports.json"]);
const maxImportDepth = 8;
const databaseName = "openclaw-agent.sqlite";
const scheduled = "it is the session of a schedule";

/**
 * Lists possible transcripts by name and time, without reading them. Of several files with one name, the first keeps it
 * as its path and later ones get a hash of their location. The agent's own come first, then imports in their order.
 */
export function findTranscripts({
  sessionsDir,
  imports,
  keysOf,
  readDatabase,
}: FindOptions): FoundTranscripts {
  const found: FoundTranscript[] = [];
  const skipped: SkippedFile[] = [];
  const folders: { path: string; stats: BigIntStats }[] = [];
  const paths = new Set<string>();
  const visited = new Map<string, string>();
  /** The database with the session of an older file of this name. */
  const inDatabase = new Map<string, string>();

  if (sessionsDir !== null) {
    // OpenClaw keeps the database of an agent beside its sessions folder; it takes precedence over older files.
    takeDatabase(join(sessionsDir, "..", "agent", databaseName), { isImported: false });
    const own = { isImported: false, scope: "private", depth: 0, keys: keysOf(sessionsDir) } as const;
    enter(sessionsDir, own);
    enter(join(sessionsDir, "chats"), own);
    enter(join(sessionsDir, "groups"), { ...own, scope: "shared" });
  }
  for (const file of imports.filter((path) => mayBeTranscriptDatabase(basename(path)))) {
    takeDatabase(file, { isImported: true });
  }
  for (const file of imports) {
    if (mayBeTranscriptDatabase(basename(file))) continue;
    const stats = look(file, file);
    const searched = {
      isImported: true,
      scope: "private",
      depth: maxImportDepth,
      keys: keysOf(file),
    } as const;
    if (stats === undefined) skip(pathOf(file), "missing", file);
    else if (stats.isDirectory()) enter(file, searched);
    else take(file, stats, searched);
  }
  return { found, skipped, folders };

  function enter(folder: string, searched: SearchedFolder): void {
    const stats = look(folder, "sessions");
    if (stats === undefined) return;
    // The agent's folder itself may be a link. A link below it could lead to the sessions of others.
    if (folder !== sessionsDir && stats.isSymbolicLink()) return void skip(pathOf(folder), "symlink");
    folders.push({ path: folder, stats });
    for (const entry of readFolder(folder)) {
      if (entry.name.startsWith(".")) continue;
      const file = join(folder, entry.name);
      const kind = kindOf(entry);
      if (kind?.isDirectory() && searched.depth > 0) enter(file, { ...searched, depth: searched.depth - 1 });
      if (kind === undefined || kind.isDirectory() || !mayBeTranscript(entry.name)) continue;
      if (registries.has(entry.name) && (!searched.isImported || entry.name === "sessions.json")) continue;
      if (kind.isSymbolicLink()) skip(pathOf(file), "symlink");
      else if (!kind.isFile()) skip(pathOf(file), "not-a-file");
      else take(file, look(file, pathOf(file)), searched);
    }
  }

  function take(file: string, stats: BigIntStats | undefined, searched: SearchedFolder): void {
    if (stats === undefined) return;
    if (!stats.isFile()) return void skip(pathOf(file), "not-a-file");
    const id = fileIdOf(stats);
    const first = visited.get(id);
    if (first !== undefined) return void skip(pathOf(file), "duplicate", `the same as ${first}`);
    const key = searched.keys.keyOf(basename(file));
    if (key !== undefined && searched.keys.isAutomatic(key))
      return void skip(pathOf(file), "excluded", scheduled);
    const stored = inDatabase.get(basename(file));
    if (stored !== undefined) return void skip(pathOf(file), "duplicate", `read from ${stored}`);
    const path = takePath(file);
    visited.set(id, path);
    const scope = key === undefined ? searched.scope : isGroupSession(key) ? "shared" : "private";
    found.push({
      path,
      file,
      stats,
      scope,
      isImported: searched.isImported,
      sizeBytes: () => Number(stats.size),
      open: (options) => openTranscriptFile(file, { shown: path, ...options }),
    });
  }

  function takeDatabase(file: string, { isImported }: { isImported: boolean }): void {
    let sessions: readonly StoredSession[];
    try {
      sessions = readDatabase(file)?.sessions ?? [];
    } catch (error) {
      if (!(error instanceof LonghandError)) throw error;
      return void skip("sessions", "unreadable", error.message);
    }
    const folder = look(dirname(file), "sessions");
    if (folder !== undefined && sessions.length > 0) folders.push({ path: dirname(file), stats: folder });
    for (const { id, stats, key, isShared, excluded, sizeBytes, open } of sessions) {
      const name = `${id}.jsonl`;
      inDatabase.set(name, file);
      if (excluded !== undefined) {
        skip(pathOf(name), "excluded", excluded);
        continue;
      }
      const scope = isShared || (key !== undefined && isGroupSession(key)) ? "shared" : "private";
      found.push({ path: takePath(name), file, stats, scope, isImported, sizeBytes, open });
    }
  }

  function skip(path: string, reason: SkippedFile["reason"], detail?: string): void {
    skipped.push({ path, reason, ...(detail !== undefined && { detail }) });
  }

  function takePath(file: string): string {
    const plain = pathOf(file);
    const extension = extname(plain);
    const marked = `${plain.slice(0, plain.length - extension.length)}~${sha256(file).slice(0, 8)}${extension}`;
    const path = paths.has(plain) ? marked : plain;
    paths.add(path);
    return path;
  }

  function readFolder(folder: string): Dirent[] {
    try {
      return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === undefined) throw error;
      // A missing folder is empty. Any other error hides its contents, so all known documents stay.
      if (code !== "ENOENT" && code !== "ENOTDIR") {
        skip("sessions", "unreadable", `${folder}: the system says ${code}`);
      }
      return [];
    }
  }

  function look(file: string, path: string): BigIntStats | undefined {
    try {
      return lstatSync(file, { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === undefined) throw error;
      skip(path, "unreadable", `the system says ${code}`);
      return undefined;
    }
  }
}

interface SearchedFolder {
  readonly isImported: boolean;
  readonly scope: "private" | "shared";
  /** The maximum depth of subfolders. */
  readonly depth: number;
  readonly keys: SessionKeys;
}

function mayBeTranscript(fileName: string): boolean {
  if (isCopyName(fileName)) return false;
  return extensions.has(extname(fileName).toLowerCase()) || archivedSession(fileName) !== null;
}

function pathOf(file: string): string {
  return `sessions/${basename(file)}`;
}
