import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

interface Gold {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

interface Question {
  readonly id: string;
  readonly query: string;
  readonly lang: string;
  readonly category: string;
  readonly gold: readonly Gold[];
  readonly evidence?: string;
}

const folder = import.meta.dirname;
const questions = readQuestions("queries.jsonl");
const unanswerable = readQuestions("no-answer.jsonl");

test("The set is large and varied enough to judge ranking by it", () => {
  assert.ok(questions.length >= 250, `${questions.length} questions`);
  assert.ok(unanswerable.length >= 60, `${unanswerable.length} questions without an answer`);
  const perLanguage = Map.groupBy(questions, ({ lang }) => lang);
  assert.ok(perLanguage.size >= 14, `${perLanguage.size} languages`);
  for (const [lang, some] of perLanguage) assert.ok(some.length >= 8, `${some.length} questions in ${lang}`);
  assert.deepEqual(
    new Set(questions.map(({ category }) => category)),
    new Set(["fact", "exact", "paraphrase", "typo", "date", "chat", "code"]),
  );
});

test("Every question is asked once, under an id of its own", () => {
  const all = [...questions, ...unanswerable];
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  assert.equal(new Set(all.map(({ query }) => query)).size, all.length);
  assert.ok(all.every(({ query }) => query.trim() === query && query !== ""));
});

test("Gold lines exist, are not blank, and the first range holds the evidence", () => {
  const wrong = questions.flatMap((question) =>
    faultsOf(question).map((fault) => `${question.id}: ${fault}`),
  );
  assert.deepEqual(wrong, []);
});

test("Questions without an answer have no gold", () => {
  for (const { id, gold, category } of unanswerable) {
    assert.deepEqual([id, gold.length, category], [id, 0, "no-answer"]);
  }
});

test("The check notices lines that moved, lines that do not exist and blank ranges", () => {
  const gold = { path: "MEMORY.md", startLine: 1, endLine: 1 };
  const question = { id: "x", query: "x", lang: "en", category: "fact", evidence: "allergic to hazelnuts" };
  assert.match(faultsOf({ ...question, gold: [gold] }).join(), /now on line 7/);
  assert.match(faultsOf({ ...question, gold: [{ ...gold, startLine: 2, endLine: 2 }] }).join(), /blank/);
  assert.match(faultsOf({ ...question, gold: [{ ...gold, endLine: 9_999 }] }).join(), /outside/);
  assert.match(faultsOf({ ...question, gold: [] }).join(), /no gold/);
});

function faultsOf({ gold, evidence }: Question): string[] {
  if (gold.length === 0) return ["no gold"];
  return gold.flatMap(({ path: notePath, startLine, endLine }, position) => {
    const lines = linesOf(notePath);
    if (startLine < 1 || endLine < startLine || endLine > lines.length) {
      return [`${notePath}:${startLine}-${endLine} is outside the note of ${lines.length} lines`];
    }
    const range = lines.slice(startLine - 1, endLine);
    if (range[0]?.trim() === "" || range.at(-1)?.trim() === "") return [`${notePath}:${startLine} is blank`];
    if (position > 0 || (evidence && range.join("\n").includes(evidence))) return [];
    const moved = lines.findIndex((line) => evidence && line.includes(evidence)) + 1;
    return [
      `${notePath}:${startLine} lacks "${evidence}"${moved > 0 ? `, which is now on line ${moved}` : ""}`,
    ];
  });
}

function linesOf(notePath: string): string[] {
  return readFileSync(path.join(folder, "workspace", notePath), "utf8")
    .replace(/\n$/, "")
    .split("\n");
}

function readQuestions(name: string): Question[] {
  const lines = readFileSync(path.join(folder, name), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Question);
}
