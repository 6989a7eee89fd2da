import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../../errors.ts";
import { type Fields, fieldsOf, isFields } from "../../text/fields.ts";
import { parseJson } from "../../text/parse-json.ts";
import { toHistory } from "./history-file.ts";
import { readJson5File } from "./json5-file.ts";
import { isSessionId } from "./session-store.ts";

/** One session a line: diffs are readable, and a truncated file keeps most of its lines. */
export function formatRegistry(entries: Fields): string {
  const lines = Object.entries(entries).map(
    ([key, entry]) => `${JSON.stringify(key)}: ${JSON.stringify(entry)}`,
  );
  return lines.length === 0 ? "{}\n" : `{\n${lines.join(",\n")}\n}\n`;
}

/** The lines of a damaged registry that are still whole entries. */
function salvageRegistry(text: string): Map<string, Fields> {
  const entries = new Map<string, Fields>();
  for (const line of text.split("\n")) {
    if (!line.startsWith('"')) continue;
    // A line that is part of the damage has no entry; the history of its session is found by its file.
    const [[key, entry] = []] = Object.entries(fieldsOf(parseJson(`{${line.trim().replace(/,$/, "")}}`)));
    if (key !== undefined && isFields(entry)) entries.set(key, entry);
  }
  return entries;
}

/** Rebuilds a registry from the readable lines of a damaged one and from the history files. */
export async function rebuildRegistry(dir: string, damagedText: string): Promise<Map<string, Fields>> {
  const entries = salvageRegistry(damagedText);
  const known = new Set([...entries.values()].map(({ sessionId }) => sessionId));
  for (const folder of ["chats", "groups"]) {
    for (const name of await listFolder(join(dir, folder))) {
      const sessionId = name.endsWith(".json5") ? name.slice(0, -".json5".length) : "";
      if (!isSessionId(sessionId) || known.has(sessionId)) continue;
      const file = await readJson5File(join(dir, folder, name));
      const history = file.kind === "read" ? readHistory(file.value, sessionId) : null;
      // A history of unknown owner stays reachable by its id.
      const key = history?.sessionKey ?? `recovered:${sessionId}`;
      const updatedAt = history?.updatedAt ?? 0;
      const other = entries.get(key);
      if (other !== undefined && Number(other["updatedAt"] ?? 0) >= updatedAt) continue;
      const compactionCount = history?.compactedHistory.length ?? 0;
      entries.set(key, {
        sessionId,
        sessionFile: `${folder}/${name}`,
        updatedAt,
        ...(compactionCount > 0 && { compactionCount }),
      });
    }
  }
  return entries;
}

function readHistory(value: unknown, sessionId: string) {
  try {
    return toHistory(value, sessionId);
  } catch {
    // Of a newer version: the session is listed, and reading it reports that.
    return null;
  }
}

async function listFolder(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}
