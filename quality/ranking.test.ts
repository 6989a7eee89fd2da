import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { type Memory, openMemory } from "../src/index.ts";

/**
 * The gate: figures a little below what is reached today, by question and by language. A change that pushes one under
 * its figure has made ranking worse somewhere, whatever it improved elsewhere. Raise them when ranking gets better.
 */
const leastNdcg = {
  all: 0.95,
  byCategory: { fact: 0.92, exact: 0.98, paraphrase: 0.93, typo: 0.97, date: 0.97, chat: 0.94, code: 0.97 },
  byLanguage: 0.78,
};

interface Question {
  readonly id: string;
  readonly query: string;
  readonly lang: string;
  readonly category: keyof typeof leastNdcg.byCategory;
  readonly gold: readonly { path: string; startLine: number; endLine: number }[];
}

const scored = await scoreAll();

test("All questions together are ranked as well as before", () => {
  const figure = mean(scored.map(({ ndcg }) => ndcg));
  assert.ok(figure >= leastNdcg.all, `nDCG@10 is ${figure.toFixed(3)}, was at least ${leastNdcg.all}`);
});

test("Every kind of question is ranked as well as before", () => {
  for (const [category, some] of Map.groupBy(scored, ({ question }) => question.category)) {
    checkFigure(category, some, leastNdcg.byCategory[category]);
  }
});

test("Every language is ranked as well as before", () => {
  for (const [lang, some] of Map.groupBy(scored, ({ question }) => question.lang)) {
    checkFigure(lang, some, leastNdcg.byLanguage);
  }
});

function checkFigure(name: string, some: typeof scored, least: number): void {
  const figure = mean(some.map(({ ndcg }) => ndcg));
  const weak = some.filter(({ ndcg }) => ndcg < 1).map(({ question }) => question.id);
  assert.ok(
    figure >= least,
    `${name}: nDCG@10 is ${figure.toFixed(3)}, was at least ${least}; see ${weak.join(", ")}`,
  );
}

async function scoreAll(): Promise<{ question: Question; ndcg: number }[]> {
  const lines = (await readFile(path.join(import.meta.dirname, "queries.jsonl"), "utf8"))
    .trimEnd()
    .split("\n");
  const stateDir = await mkdtemp(path.join(os.tmpdir(), "longhand-quality-"));
  try {
    await using memory = await openMemory({
      workspace: path.join(import.meta.dirname, "workspace"),
      stateDir,
    });
    await memory.sync();
    const all = [];
    for (const line of lines) {
      const question = JSON.parse(line) as Question;
      all.push({ question, ndcg: await ndcgOf(question, memory) });
    }
    return all;
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** Each gold range counts once, at the first hit that touches it; 1 when they all stand on top. */
async function ndcgOf({ query, gold }: Question, memory: Memory): Promise<number> {
  // No floor: this gate is about order.
  const { results } = await memory.search(query, { maxResults: 10, minScore: 0 });
  const gains = gold.map((range) => {
    const rank = results.findIndex(
      (hit) => hit.path === range.path && hit.startLine <= range.endLine && hit.endLine >= range.startLine,
    );
    return rank < 0 ? 0 : 1 / Math.log2(rank + 2);
  });
  const ideal = gold.slice(0, 10).map((_, rank) => 1 / Math.log2(rank + 2));
  return Math.min(1, sum(gains) / sum(ideal));
}

function mean(figures: readonly number[]): number {
  return sum(figures) / figures.length;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
