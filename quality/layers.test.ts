import assert from "node:assert/strict";
import { cpSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openMemory, type SearchAnswer } from "../src/index.ts";
import { splitLayer } from "../src/text/layer-path.ts";
import { makeTemporaryFolder } from "../test/support/temporary-folder.ts";

interface Question {
  readonly query: string;
  readonly gold: readonly { readonly path: string; readonly startLine: number; readonly endLine: number }[];
}

const folder = import.meta.dirname;
const readQuestions = (name: string): Question[] =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Question);

/** Every fifth question keeps the suite short; LONGHAND_ALL_QUESTIONS asks all of them. */
const step = process.env["LONGHAND_ALL_QUESTIONS"] ? 1 : 5;
const asked = [...readQuestions("queries.jsonl"), ...readQuestions("no-answer.jsonl")].filter(
  (_, index) => index % step === 0,
);

test("Two layers rank as one index of all their notes would", async (t) => {
  const places = makeTemporaryFolder(t);
  const [project, user] = [places.makeFolder("project"), places.makeFolder("user")];
  const names = globSync("**/*.md", { cwd: join(folder, "workspace") }).sort();
  for (const [index, name] of names.entries())
    cpSync(join(folder, "workspace", name), join(index % 3 === 0 ? user : project, name));
  const config = { agents: { defaults: { memorySearch: { sync: { onSearch: false } } } } };
  await using joined = await openMemory({
    ...{ workspace: join(folder, "workspace"), stateDir: places.at("one"), user: false, config },
  });
  await using split = await openMemory({ workspace: project, user, stateDir: places.at("two"), config });
  for (const memory of [joined, split]) await memory.sync();

  const totals = { first: 0, recall: [0, 0], ranks: [0, 0], confidence: 0, level: 0 };
  for (const { query, gold } of asked) {
    const [one, two] = [await joined.search(query), await split.search(query)];
    for (const [index, answer] of [one, two].entries()) {
      const rank = answer.results.findIndex((hit) => isGold(hit, gold));
      totals.recall[index]! += rank === -1 ? 0 : 1;
      totals.ranks[index]! += rank === -1 ? 0 : 1 / (rank + 1);
    }
    totals.first += placeOf(one) === placeOf(two) ? 1 : 0;
    totals.confidence += Math.abs(one.confidence - two.confidence);
    totals.level += one.confidenceLevel === two.confidenceLevel ? 1 : 0;
    for (const hit of two.results) assert.equal(hit.layer, splitLayer(hit.path).layer);
  }
  const answerable = asked.filter(({ gold }) => gold.length > 0).length;
  const share = (count: number, of: number): number => Math.round((1000 * count) / of) / 1000;
  const figures = {
    questions: asked.length,
    sameFirstHit: share(totals.first, asked.length),
    recall: totals.recall.map((count) => share(count, answerable)),
    meanReciprocalRank: totals.ranks.map((sum) => share(sum, answerable)),
    meanConfidenceDifference: share(totals.confidence, asked.length),
    sameConfidenceLevel: share(totals.level, asked.length),
  };
  t.diagnostic(JSON.stringify(figures));
  assert.ok(figures.sameFirstHit >= 0.98, JSON.stringify(figures));
  assert.ok(figures.recall[1]! >= figures.recall[0]! - 0.005, JSON.stringify(figures));
  assert.ok(
    figures.meanReciprocalRank[1]! >= figures.meanReciprocalRank[0]! - 0.005,
    JSON.stringify(figures),
  );
  assert.ok(figures.sameConfidenceLevel >= 0.98, JSON.stringify(figures));
});

function placeOf({ results: [hit] }: SearchAnswer): string {
  return hit === undefined ? "" : `${splitLayer(hit.path).path}:${hit.startLine}-${hit.endLine}`;
}

function isGold(hit: SearchAnswer["results"][number], gold: Question["gold"]): boolean {
  const { path } = splitLayer(hit.path);
  return gold.some(
    (each) => each.path === path && each.startLine <= hit.endLine && hit.startLine <= each.endLine,
  );
}
