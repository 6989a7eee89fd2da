import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { timeMs } from "../measure.ts";

export interface InsertBareFts {
  readonly workspace: string;
  readonly path: string;
}

/** The lower bound for full-text search: texts in memory are inserted into a plain FTS5 table in one transaction. */
export async function measure({ workspace, path }: InsertBareFts): Promise<number> {
  const texts = readdirSync(workspace, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(workspace, name), "utf8"));
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  db.exec("CREATE VIRTUAL TABLE notes USING fts5 (text)");
  const ms = await timeMs(() => {
    const insert = db.prepare("INSERT INTO notes (text) VALUES (?)");
    db.exec("BEGIN");
    for (const text of texts) insert.run(text);
    db.exec("COMMIT");
  });
  db.close();
  return ms;
}
