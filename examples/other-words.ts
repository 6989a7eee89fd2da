/**
 * Ten questions that share no word with the note that answers them. The builtin model recognises that they are related.
 */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openMemory } from "longhand";

const workspace = path.join(import.meta.dirname, "other-words");
const questions = [
  { ask: "Who is our doctor?", note: "memory/health.md" },
  { ask: "Who takes the children?", note: "memory/school.md" },
  { ask: "When did someone check the car?", note: "memory/garage.md" },
  { ask: "When should I remove something?", note: "memory/cleanup.md" },
  { ask: "Where is the bedroom?", note: "memory/home.md" },
  { ask: "Where can we see a film?", note: "memory/cinema.md" },
  { ask: "Is a meal there expensive?", note: "memory/lunch.md" },
  { ask: "How was the heart?", note: "memory/cardiology.md" },
  { ask: "Where are my clothes?", note: "memory/wardrobe.md" },
  { ask: "What time is our departure?", note: "memory/trip.md" },
];

const stateDir = await mkdtemp(path.join(os.tmpdir(), "longhand-example-"));
try {
  await using memory = await openMemory({ workspace, stateDir });
  for (const { ask, note } of questions) {
    const text = (await readFile(path.join(workspace, note), "utf8")).trim();
    assert.deepEqual(sharedWords(ask, text), [], "only words of three letters or fewer stand in both");
    const { results } = await memory.search(ask);
    assert.equal(results[0]?.path, note, ask);
    console.log(`${ask.padEnd(36)} ${text}`);
  }
} finally {
  await rm(stateDir, { recursive: true, force: true });
}

function sharedWords(left: string, right: string): string[] {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  const known = new Set(wordsOf(right));
  return wordsOf(left).filter((word) => known.has(word));
}
