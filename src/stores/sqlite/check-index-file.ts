import { openToRead } from "./open-for-reading.ts";

const mostNamed = 3;

/** What SQLite finds wrong with the file, its full-text tables included; nothing is changed. */
export function checkIndexFile(path: string): string[] {
  try {
    const db = openToRead(path);
    try {
      const rows = db.prepare(`PRAGMA integrity_check(${mostNamed})`).all();
      return rows.map((row) => String(row["integrity_check"])).filter((found) => found !== "ok");
    } finally {
      db.close();
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
