import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createRandom } from "../../eval/compare.ts";
import { createFts5Reader, prepareFts5Statements } from "./fts5-postings.ts";
import { prepareWordRanking } from "./rank-words.ts";
import { writeSchema } from "./schema.ts";

const headWeight = 0.6;

function createWords(seed: number) {
  const random = createRandom(seed);
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: true });
  const insert = db.prepare("INSERT INTO chunks_fts (rowid, body, head) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM chunks_fts WHERE rowid = ?");
  const ranked = db.prepare(
    `SELECT rowid AS key FROM chunks_fts WHERE chunks_fts MATCH ?
     ORDER BY bm25(chunks_fts, 1.0, ${headWeight}), rowid LIMIT ?`,
  );
  const held = db.prepare("SELECT rowid AS key FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY rowid");
  /** As rare as in natural text, some of several bytes a letter. */
  const word = (): string => {
    const rank = Math.floor(3000 ** random());
    return rank % 7 === 3 ? `ж${rank}日` : `w${rank}`;
  };
  const words = (most: number): string => Array.from({ length: Math.floor(random() * most) }, word).join(" ");
  const state = { revision: 0, lastKey: 0 };
  const inTransaction = (work: () => void): void => {
    db.exec("BEGIN");
    work();
    db.exec("COMMIT");
    state.revision++;
  };
  return {
    db,
    random,
    word,
    ranking: prepareWordRanking(db, { headWeight, revision: () => state.revision }),
    add: (count: number, longest = 300) =>
      inTransaction(() => {
        for (let nth = 0; nth < count; nth++) insert.run(++state.lastKey, words(longest), words(12));
      }),
    remove: (count: number) =>
      inTransaction(() => {
        for (let nth = 0; nth < count; nth++) remove.run(1 + Math.floor(random() * state.lastKey));
      }),
    run: (sql: string) => inTransaction(() => db.exec(sql)),
    byFts5: (asked: readonly string[], most: number): unknown[] =>
      ranked.all(asked.map((each) => `"${each}"`).join(" OR "), most).map((row) => row["key"]),
    holders: (asked: string): unknown[] => held.all(`"${asked}"`).map((row) => row["key"]),
  };
}

function compare(words: ReturnType<typeof createWords>, questions: number): void {
  const { ranking, random, word, byFts5, holders } = words;
  for (let question = 0; question < questions; question++) {
    const asked = [...new Set(Array.from({ length: 1 + Math.floor(6 * random()) }, word))];
    const most = [1, 5, 24, 200][question % 4]!;
    assert.deepEqual(ranking.rank(asked, most), byFts5(asked, most), asked.join(" "));
    assert.equal(ranking.count(asked[0]!), holders(asked[0]!).length);
  }
}

test("words rank as by FTS5 itself, whatever was added, deleted and merged", () => {
  for (const seed of [1, 2]) {
    const words = createWords(seed);
    for (let round = 0; round < 30; round++) {
      words.add(1 + Math.floor(40 * words.random()));
      if (round % 3 === 2) words.remove(20);
      compare(words, 5);
    }
    words.add(800, 60);
    compare(words, 20);
    words.run("INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('merge', 40)");
    compare(words, 20);
    words.remove(300);
    compare(words, 20);
    words.run("INSERT INTO chunks_fts (chunks_fts) VALUES ('optimize')");
    compare(words, 20);
  }
});

test("a word in every chunk, with position lists longer than a page", () => {
  const words = createWords(4);
  const insert = words.db.prepare("INSERT INTO chunks_fts (rowid, body, head) VALUES (?, ?, ?)");
  for (let key = 1; key <= 60; key++) {
    insert.run(key * 1000, `${"again ".repeat((key * 397) % 9000)}end`, key % 2 ? "again head" : "");
  }
  for (const asked of [["again"], ["end"], ["head", "again"], ["agai"], ["againn"]]) {
    assert.deepEqual(words.ranking.rank(asked, 100), words.byFts5(asked, 100), asked.join(" "));
  }
});

test("what is kept in memory does not outlive a change", () => {
  const words = createWords(5);
  words.add(50);
  const before = words.ranking.rank(["w1"], 200);
  words.add(50);
  const after = words.ranking.rank(["w1"], 200);
  assert.ok(after!.length > before!.length);
  assert.deepEqual(after, words.byFts5(["w1"], 200));
});

test("another format is left to FTS5", () => {
  const words = createWords(6);
  assert.equal(words.ranking.rank(["w1"], 5), null, "nothing was written yet");
  words.add(20);
  const statements = prepareFts5Statements(words.db);
  assert.notEqual(createFts5Reader(statements), null);
  assert.equal(createFts5Reader({ ...statements, version: () => 5 }), null);
});

test("whatever stands on a damaged page, reading ends, and says nothing or something", () => {
  const words = createWords(7);
  words.add(400);
  const statements = prepareFts5Statements(words.db);
  const random = createRandom(8);
  for (let round = 0; round < 300; round++) {
    const reader = createFts5Reader({
      ...statements,
      block: (id) => {
        const block = statements.block(id);
        if (block === null || random() < 0.3) return block;
        const damaged = block.slice(0, random() < 0.3 ? Math.floor(random() * block.length) : block.length);
        for (let nth = 0; nth < 4; nth++) {
          damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
        }
        return damaged;
      },
    });
    const postings = reader?.postings(words.word()) ?? null;
    assert.ok(postings === null || postings.keys.length === postings.body.length);
  }
});
