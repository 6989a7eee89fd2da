import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { writeSchema } from "./schema.ts";
import { prepareWordCounts } from "./word-counts.ts";

function createWords() {
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: true });
  db.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, chunks_fts, row)");
  const insert = db.prepare("INSERT INTO chunks_fts (body) VALUES (?)");
  const state = { revision: 0 };
  return {
    count: prepareWordCounts(db, () => state.revision, {
      limits: { smallIndex: 200, countedChunks: 100, largeCount: 50 },
    }),
    /** Of each hundred chunks, all say `all`, half `half`, ten `tenth` and one `rare`. */
    addHundreds: (hundreds: number) => {
      for (let number = 0; number < hundreds * 100; number++) {
        const words = [
          "all",
          number % 2 === 0 && "half",
          number % 10 === 0 && "tenth",
          number % 100 === 7 && "rare",
        ];
        insert.run(words.filter(Boolean).join(" "));
      }
      state.revision++;
    },
    deleteUpTo: (key: number) => {
      db.exec(`DELETE FROM chunks_fts WHERE rowid <= ${key}`);
      state.revision++;
    },
  };
}

const words = ["all", "half", "tenth", "rare", "never"];

test("in a small index every count is exact", () => {
  const index = createWords();
  index.addHundreds(2);
  assert.deepEqual([...index.count(words).values()], [200, 100, 20, 2, 0]);
  index.deleteUpTo(100);
  assert.deepEqual([...index.count(words).values()], [100, 50, 10, 1, 0]);
});

test("in a large one the counts of common words are near, and those of others exact", () => {
  const index = createWords();
  index.addHundreds(9);
  const [all, half, tenth, rare, never] = index.count(words).values();
  assert.deepEqual([all, tenth, rare, never], [900, 90, 9, 0]);
  assertNear(half, 450);
});

test("chunks that were deleted do not lead the estimate astray", () => {
  const index = createWords();
  index.addHundreds(20);
  index.deleteUpTo(1000);
  const [all, half] = index.count(words).values();
  assertNear(all, 1000);
  assertNear(half, 500);
});

test("large counts are kept over small changes and renewed after larger ones", () => {
  const index = createWords();
  index.addHundreds(300);
  assert.equal(index.count(["all"]).get("all"), 30_000);
  index.addHundreds(1);
  assert.equal(index.count(["all"]).get("all"), 30_000);
  index.addHundreds(5);
  assert.equal(index.count(["all"]).get("all"), 30_600);
  index.deleteUpTo(15_000);
  assert.equal(index.count(["all"]).get("all"), 15_600);
});

function assertNear(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs(actual! - expected) <= expected * 0.03, `${actual} is not near ${expected}`);
}
