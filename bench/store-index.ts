/**
 * Writing 10,000 notes (20 MB) into the store, against the least that full-text search can cost: the same
 * text put into a plain FTS5 table in one transaction. Chunking, reading and our analyser are left out;
 * words are split at blanks.
 *
 *     node bench/store-index.ts [notes]
 */

import { hash } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { createRandom } from "../src/eval/random.ts";
import { openSqliteStore } from "../src/stores/sqlite/sqlite-store.ts";
import type { IndexedDocument } from "../src/stores/store.ts";
import { megabytes } from "./megabytes.ts";

const noteCount = Number(process.argv[2] ?? 10_000);
const charactersPerNote = 2000;
const notesPerPut = 128;
const rounds = 5;

const random = createRandom(42);
const words = createWords(60_000);
const notes = Array.from({ length: noteCount }, () => createText(charactersPerNote * (0.5 + random())));
const documents = notes.map(toDocument);
const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));

console.log(`${noteCount} notes, ${megabytes(notes.reduce((sum, note) => sum + note.length, 0))} MB of text`);
const results = { plain: [] as number[], store: [] as number[], again: [] as number[] };
for (let round = 0; round < rounds; round++) {
  results.plain.push(writePlain(join(folder, `plain-${round}`)));
  const { writeMs, againMs } = await writeStore(join(folder, `store-${round}`));
  results.store.push(writeMs);
  results.again.push(againMs);
}
const plainMs = Math.min(...results.plain);
for (const [name, times] of Object.entries(results)) {
  const best = Math.min(...times);
  console.log(`${name.padEnd(6)} ${best.toFixed(0).padStart(6)} ms  ${(best / plainMs).toFixed(2)} of plain`);
}
const sizes = [statSync(join(folder, "plain-0")).size, statSync(join(folder, "store-0")).size] as const;
console.log(`size   plain ${megabytes(sizes[0])} MB, store ${megabytes(sizes[1])} MB`);
rmSync(folder, { recursive: true });

function writePlain(path: string): number {
  const db = new DatabaseSync(path);
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE VIRTUAL TABLE notes USING fts5 (text)",
  );
  const startedAt = performance.now();
  const insert = db.prepare("INSERT INTO notes (text) VALUES (?)");
  db.exec("BEGIN");
  for (const note of notes) insert.run(note);
  db.exec("COMMIT");
  const durationMs = performance.now() - startedAt;
  db.close();
  return durationMs;
}

/**
 * Writes all, and then all again with a line added to each, as a chunker change or an edit everywhere
 * would.
 */
async function writeStore(path: string): Promise<{ writeMs: number; againMs: number }> {
  await using store = await openSqliteStore({
    path,
    analyserId: "blanks",
    tokens: ({ text, headings }) => ({ body: text.replaceAll("\n", " "), head: headings.join(" ") }),
  });
  const put = async (all: readonly IndexedDocument[]): Promise<number> => {
    const startedAt = performance.now();
    for (let at = 0; at < all.length; at += notesPerPut)
      await store.put(all.slice(at, at + notesPerPut), "bench");
    return performance.now() - startedAt;
  };
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const writeMs = await put(documents);
  lag.disable();
  console.log(
    `event loop held up: p99 ${(lag.percentile(99) / 1e6).toFixed(0)} ms, most ${(lag.max / 1e6).toFixed(0)} ms`,
  );
  const againMs = await put(notes.map((note, number) => toDocument(`${note}\none more line`, number)));
  return { writeMs, againMs };
}

function toDocument(text: string, number: number): IndexedDocument {
  const path = `memory/topic-${number % 97}/note-${number}.md`;
  const lines = text.split("\n");
  const chunks: IndexedDocument["chunks"][number][] = [];
  for (let start = 0; start < lines.length; start += 18) {
    const part = lines.slice(start, start + 18);
    const chunk = part.join("\n");
    const range = { start: start + 1, end: start + part.length };
    chunks.push({ lines: range, headings: ["topic", "section"], text: chunk, hash: hash("sha256", chunk) });
  }
  const sizeBytes = text.length;
  const fields = { source: "memory", scope: "shared", version: "1", modifiedAt: new Date(0) } as const;
  return { document: { ...fields, path, text, hash: hash("sha256", text), sizeBytes }, chunks };
}

/** Words as natural text has them: the n-th most common one n times as rare as the first. */
function createText(characters: number): string {
  let text = "";
  for (let column = 0; text.length < characters; ) {
    const word = words[Math.floor(words.length ** random()) - 1] ?? "word";
    column += word.length + 1;
    text += column > 80 ? `\n${word}` : ` ${word}`;
    if (column > 80) column = 0;
  }
  return text.slice(1);
}

function createWords(count: number): string[] {
  const syllables = [
    "ka",
    "ro",
    "mi",
    "ten",
    "sol",
    "ver",
    "din",
    "pra",
    "lu",
    "che",
    "fo",
    "nar",
    "bis",
    "ty",
    "gam",
  ];
  const made = new Set<string>();
  while (made.size < count) {
    let word = "";
    for (let left = 1 + random() * 4; left > 0; left--)
      word += syllables[Math.floor(random() * syllables.length)];
    made.add(word);
  }
  return [...made];
}
