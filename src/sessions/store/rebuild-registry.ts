import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../../errors.ts";
import { toHistory } from "./history-file.ts";
import { type Fields, readJson5File } from "./json5-file.ts";
import { salvageRegistry } from "./registry-file.ts";
import { isSessionId } from "./session-names.ts";

/** Makes a registry again from what a damaged one still says and from the histories beside it. */
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
    // Of a newer version: its session is listed, and reading it will say so.
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
