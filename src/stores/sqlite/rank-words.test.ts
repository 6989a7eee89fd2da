import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createRandom } from "../../eval/compare.ts";
import { headWeight } from "../candidates.ts";
import { createFts5Reader } from "./fts5-postings.ts";
import { prepareFullText } from "./full-text.ts";
import { type Fts5Statements, prepareFts5Statements } from "./postings.ts";
import { prepareWordRanking } from "./rank-words.ts";
import { writeSchema } from "./schema.ts";
import { DamagedWords } from "./sqlite-failure.ts";

/** FTS5 with all occurrences in two columns, ranked by its own bm25: the reference for our ranking. */
function createReference(db: DatabaseSync) {
  db.exec(
    `CREATE VIRTUAL TABLE reference USING fts5(body, head, content='', contentless_delete=1, tokenize='ascii')`,
  );
  const insert = db.prepare("INSERT INTO reference (rowid, body, head) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM reference WHERE rowid = ?");
  const ranked = db.prepare(
    `SELECT rowid AS key FROM reference WHERE reference MATCH ?
     ORDER BY bm25(reference, 1.0, ${headWeight}), rowid`,
  );
  return {
    insert: (key: number, body: string, head: string) => insert.run(key, body, head),
    remove: (key: number) => remove.run(key),
    rank: (asked: readonly string[]): number[] =>
      ranked.all(asked.map((each) => `"${each}"`).join(" OR ")).map((row) => row["key"] as number),
  };
}

function createWords(seed: number) {
  const random = createRandom(seed);
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: true });
  const reference = createReference(db);
  const words = { body: "", head: "" };
  const fullText = prepareFullText(db, () => words);
  const insert = (key: number, body: string, head: string): void => {
    reference.insert(key, body, head);
    Object.assign(words, { body, head });
    fullText.insert(key, { text: "", headings: [], path: "" });
  };
  /** Words as rare as in natural text, some with several bytes per letter. */
  const word = (): string => {
    const rank = Math.floor(3000 ** random());
    return rank % 7 === 3 ? `ж${rank}日` : `w${rank}`;
  };
  const someWords = (most: number): string =>
    Array.from({ length: Math.floor(random() * most) }, word).join(" ");
  const state = { revision: 0, lastKey: 0 };
  const inTransaction = (work: () => void): void => {
    db.exec("BEGIN");
    work();
    db.exec("COMMIT");
    state.revision++;
  };
  const prepareRanking = (prepareStatements?: (db: DatabaseSync) => Fts5Statements) =>
    prepareWordRanking(db, () => state.revision, prepareStatements);
  return {
    db,
    random,
    word,
    insert,
    rankings: [
      prepareRanking(),
      prepareRanking(() => ({ ...prepareFts5Statements(db), version: () => 5 })),
    ] as const,
    add: (count: number, longest = 300) =>
      inTransaction(() => {
        for (let nth = 0; nth < count; nth++) insert(++state.lastKey, someWords(longest), someWords(12));
      }),
    remove: (count: number) =>
      inTransaction(() => {
        for (let nth = 0; nth < count; nth++) {
          const key = 1 + Math.floor(random() * state.lastKey);
          fullText.remove(key);
          reference.remove(key);
        }
      }),
    run: (sql: string) => inTransaction(() => db.exec(sql)),
    byFts5: reference.rank,
  };
}

function compare(words: ReturnType<typeof createWords>, questions: number): void {
  const { rankings, random, word, byFts5 } = words;
  for (let question = 0; question < questions; question++) {
    const asked = [...new Set(Array.from({ length: 1 + Math.floor(6 * random()) }, word))];
    const limit = [1, 5, 24, 200][question % 4]!;
    const accepts = question % 3 === 0 ? (key: number) => key % 5 > 1 : undefined;
    const expected = byFts5(asked)
      .filter(accepts ?? (() => true))
      .slice(0, limit);
    const holders = byFts5([asked[0]!]).length;
    for (const ranking of rankings) {
      assert.deepEqual(ranking.rank(asked, { limit, accepts }), expected, asked.join(" "));
      assert.equal(ranking.count(asked[0]!), holders);
    }
  }
}

test("words rank as by FTS5's bm25, by either way to read them, whatever was added, deleted and merged", () => {
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

test("a word in every chunk, with a different frequency in each", () => {
  const words = createWords(4);
  for (let key = 1; key <= 600; key++) {
    words.insert(key * 1000, `${"again ".repeat((key * 397) % 900)}end`, key % 2 ? "again head" : "");
  }
  for (const asked of [["again"], ["end"], ["head", "again"], ["agai"], ["againn"]]) {
    for (const ranking of words.rankings) {
      assert.deepEqual(ranking.rank(asked, { limit: 700 }), words.byFts5(asked), asked.join(" "));
    }
  }
});

test("a word whose postings fill several pages", () => {
  const words = createWords(9);
  words.db.exec("BEGIN");
  for (let key = 1; key <= 9000; key++) {
    words.insert(key * 300, key % 3 === 0 ? "page page" : "page", key % 7 === 0 ? "page" : "pages");
  }
  words.db.exec("COMMIT");
  for (const ranking of words.rankings) {
    assert.equal(ranking.count("page"), 9000);
    assert.deepEqual(
      ranking.rank(["page", "pages"], { limit: 50 }),
      words.byFts5(["page", "pages"]).slice(0, 50),
    );
  }
});

test("rewritten chunks rank the same, although their words come after those of later chunks", () => {
  const words = createWords(12);
  for (let key = 12; key >= 1; key--) {
    words.insert(key, `again ${"other ".repeat(key)}`, key % 3 === 0 ? "rare" : "");
  }
  for (const ranking of words.rankings) {
    for (const asked of [["again"], ["rare", "again"]])
      assert.deepEqual(ranking.rank(asked, { limit: 12 }), words.byFts5(asked), asked.join(" "));
  }
});

test("tokens are looked up in their stored form", () => {
  const words = createWords(10);
  words.insert(1, 'Say"hi" x\0y', "plum\x01");
  for (const ranking of words.rankings) {
    for (const token of ['say"hi"', 'SAY"hi"', "xy", "x\0y", "plum", "PLUM\x01"])
      assert.equal(ranking.count(token), 1);
    for (const token of ["", "\0", " ", "a b", "say", "plum\x010,1"]) assert.equal(ranking.count(token), 0);
    assert.deepEqual(ranking.rank(["", " ", "plum", "PLUM"], { limit: 5 }), [1]);
    assert.deepEqual(ranking.rank(["\0"], { limit: 5 }), []);
  }
});

test("caches do not outlive a change", () => {
  const words = createWords(5);
  words.add(50);
  const [ranking] = words.rankings;
  const before = ranking.rank(["w1"], { limit: 200 });
  words.add(50);
  const after = ranking.rank(["w1"], { limit: 200 });
  assert.ok(after.length > before.length);
  assert.deepEqual(after, words.byFts5(["w1"]));
});

test("another format is not read", () => {
  const words = createWords(6);
  for (const ranking of words.rankings) assert.deepEqual(ranking.rank(["w1"], { limit: 5 }), []);
  words.add(20);
  const statements = prepareFts5Statements(words.db);
  assert.notEqual(createFts5Reader(statements), null);
  assert.equal(createFts5Reader({ ...statements, version: () => 5 }), null);
});

test("a term with unreadable counts is left to FTS5", () => {
  const words = createWords(13);
  words.insert(1, "twice twice", "");
  const statements = prepareFts5Statements(words.db);
  const damaged: Fts5Statements = {
    ...statements,
    block: (id) => {
      const block = statements.block(id)?.slice() ?? null;
      const at = block === null ? -1 : Buffer.from(block).indexOf("twice\x012");
      if (at >= 0) block!.set(Buffer.from("x"), at + "twice\x01".length);
      return block;
    },
  };
  assert.equal(createFts5Reader(statements)?.postings("twice")?.chunks, 1);
  assert.equal(createFts5Reader(damaged)?.postings("twice"), null);
});

test("a chunk without a length is damage of the full-text index", () => {
  const words = createWords(11);
  words.add(20);
  words.db.enableDefensive?.(false);
  words.run("DELETE FROM chunks_fts_docsize WHERE id > 5");
  assert.throws(() => words.rankings[0].rank(["w1"], { limit: 20 }), DamagedWords);
});

test("whatever a damaged page contains, reading ends, with or without a result", () => {
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
    assert.ok(postings === null || postings.chunks >= 0);
  }
});
