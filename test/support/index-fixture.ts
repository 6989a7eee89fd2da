import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import type { Memory, OpenMemoryOptions } from "../../src/memory/memory.ts";
import { makeMemoryFixture, withMemorySearch } from "./memory-fixture.ts";

/** Some notes with headings, several chunks, other scripts and dates, by path. */
export function noteTexts(count: number): Record<string, string> {
  const texts = Array.from({ length: count }, (_, number): [string, string] => [
    `memory/2026-0${1 + (number % 9)}-${10 + (number % 19)}-note-${number}.md`,
    `# Note ${number}\n\n${paragraphs(number)}`,
  ]);
  return {
    "MEMORY.md": "# Facts\n\nWe ship on Fridays. Grüße aus Köln. 東京で会議があります。\n",
    ...Object.fromEntries(texts),
  };
}

/** A memory of such notes with the builtin embedder. */
export function makeIndexFixture(t: TestContext, { notes = 12 }: { notes?: number } = {}) {
  const fixture = makeMemoryFixture(t, noteTexts(notes));
  const config = withMemorySearch({ provider: "builtin" });
  // An hour later, so that no note counts as just changed, which every sync would read again.
  const now = () => new Date(Date.now() + 3_600_000);
  return { ...fixture, open: (options: OpenMemoryOptions = {}) => fixture.open({ config, now, ...options }) };
}

/** Oracle of the fault tests: the index equals one that is rebuilt from scratch from the same notes. */
export async function expectEqualToRebuild(memory: Memory): Promise<void> {
  const { equal, differences } = await memory.verify();
  assert.deepEqual(differences, []);
  assert.equal(equal, true);
}

/** Changes an index behind longhand's back. */
export function tamper(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.enableDefensive?.(false);
  db.exec(sql);
  db.close();
}

function paragraphs(number: number): string {
  const words = ["harbour", "invoice", "garden", "deploy", "Kim", "oncall", "budget", "release", "backup"];
  return Array.from({ length: 6 }, (_, part) => {
    const sentence = Array.from({ length: 60 }, (_, at) => words[(at * (part + 3) + number) % words.length]);
    return `## Part ${part} of ${number}\n\n${sentence.join(" ")} ${number}-${part}.\n`;
  }).join("\n");
}
