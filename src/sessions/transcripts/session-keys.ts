import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { unlessRefused } from "../../errors.ts";
import { type Fields, isFields } from "../../text/fields.ts";
import { parseJson, parseJson5 } from "../../text/parse-json.ts";
import { isGroupSession } from "../../text/session-key.ts";
import { isAutomaticSession } from "./automatic.ts";

/** Which session key a file belongs to, according to the registries of its folder. */
export interface SessionKeys {
  keyOf(fileName: string): string | undefined;
  /** Whether the session, or one of its ancestors, belongs to a schedule. */
  isAutomatic(sessionKey: string): boolean;
}

export const noSessionKeys: SessionKeys = { keyOf: () => undefined, isAutomatic: () => false };

/**
 * Reads `sessions.json` (OpenClaw) and `registry.json5` (ours) when they have changed. A missing, unreadable or broken registry is
 * ignored, and sessions of unknown kind are private.
 */
export function createSessionKeys(sessionsDir: string): { read(): Promise<SessionKeys> } {
  const files = ["sessions.json", "registry.json5"].map((name) => join(sessionsDir, name));
  let stamp = "";
  let known = noSessionKeys;
  return {
    async read() {
      const now = files.map(stampOf).join();
      if (now === stamp) return known;
      const keys = new Map<string, string>();
      const parents = new Map<string, string[]>();
      for (const file of files) {
        const registry = await readRegistry(file);
        for (const [key, entry] of Object.entries(registry)) {
          addEntry(keys, key, entry);
          if (isFields(entry)) parents.set(key, parentKeys(entry));
        }
      }
      stamp = now;
      known = {
        keyOf: (fileName) => keys.get(fileName) ?? keys.get(withoutExtension(fileName)),
        isAutomatic: (key) => isAutomaticSession(key, (each) => parents.get(each) ?? []),
      };
      return known;
    },
  };
}

function addEntry(keys: Map<string, string>, key: string, entry: unknown): void {
  if (!isFields(entry)) return;
  const { sessionId, sessionFile } = entry;
  const names = [sessionId, typeof sessionFile === "string" ? basename(sessionFile) : undefined];
  for (const name of names) {
    // Two sessions with one id share a file name; the file is private if either session is.
    const other = typeof name === "string" ? keys.get(name) : undefined;
    if (typeof name === "string" && (other === undefined || !isGroupSession(key))) keys.set(name, key);
  }
}

function parentKeys({ parentSessionKey, spawnedBy }: Fields): string[] {
  return [parentSessionKey, spawnedBy].filter((key) => typeof key === "string");
}

/** `<id>.jsonl`, `<id>-topic-<thread>.jsonl`, and archives of these. */
function withoutExtension(fileName: string): string {
  return (archivedSession(fileName) ?? fileName).replace(/\.[a-z0-9]+$/i, "").replace(/-topic-.*$/, "");
}

function stampOf(file: string): string {
  const stats = unlessRefused(
    () => statSync(file, { bigint: true, throwIfNoEntry: false }),
    () => undefined,
  );
  return stats === undefined ? "" : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

async function readRegistry(file: string): Promise<Fields> {
  try {
    const text = readFileSync(file, "utf8");
    // Programs write plain JSON, which parses much faster.
    const value = parseJson(text) ?? (await parseJson5(text));
    if (!isFields(value)) return {};
    return isFields(value["sessions"]) ? value["sessions"] : value;
  } catch {
    return {};
  }
}

/**
 * Names of the files in a sessions folder of OpenClaw. A conversation that was reset or deleted keeps its transcript
 * as `<id>.jsonl.reset.<time>` or `<id>.jsonl.deleted.<time>`, compressed with zstd by newer versions.
 */
const archive = /^(.+)\.jsonl\.(?:reset|deleted)(?:\.[\w.-]+?)?(?:\.zst)?$/;

/** The session whose earlier transcript an archive holds; null for other files. */
export function archivedSession(fileName: string): string | null {
  const session = archive.exec(fileName)?.[1];
  return session === undefined || isCopyName(`${session}.jsonl`) ? null : session;
}

/** Copies of a transcript (`<id>.checkpoint.<uuid>.jsonl`) and records of runs, which hold nothing new. */
export function isCopyName(fileName: string): boolean {
  return /\.checkpoint\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$|\.trajectory\.jsonl$|\.trajectory-path\.json$/i.test(
    fileName,
  );
}
