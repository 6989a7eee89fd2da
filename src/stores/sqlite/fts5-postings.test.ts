import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createFts5Reader, readTotals } from "./fts5-postings.ts";
import { prepareFullText } from "./full-text.ts";
import {
  createVocabularyReader,
  type Fts5Statements,
  type Postings,
  prepareFts5Statements,
} from "./postings.ts";
import { writeSchema } from "./schema.ts";

function createIndex() {
  const db = new DatabaseSync(":memory:");
  writeSchema(db, { fullText: true });
  const words = { body: "", head: "" };
  const fullText = prepareFullText(db, () => words);
  return {
    db,
    /** One transaction, and so one segment. */
    change: (work: () => void): void => {
      db.exec("BEGIN");
      work();
      db.exec("COMMIT");
    },
    insert: (key: number, body: string, head = ""): void => {
      Object.assign(words, { body, head });
      fullText.insert(key, { text: "", headings: [], path: "" });
    },
    remove: (key: number): void => fullText.remove(key),
    run: (command: string): void => db.exec(`INSERT INTO chunks_fts (chunks_fts${command}`),
  };
}

function shown(postings: Postings | null | undefined) {
  return postings?.groups
    .map(({ body, head, keys }) => `${body},${head}: ${keys.join(" ")}`)
    .sort()
    .concat(`${postings.chunks}`);
}

/** Both readers agree on these tokens. Returns how many chunks each of them has. */
function compare({ db }: ReturnType<typeof createIndex>, tokens: readonly string[]): number[] {
  const reader = createFts5Reader(prepareFts5Statements(db));
  const vocabulary = createVocabularyReader(db);
  return tokens.map((token) => {
    const expected = vocabulary.postings(token);
    assert.deepEqual(shown(reader?.postings(token)), shown(expected), token);
    return expected!.chunks;
  });
}

const names = Array.from(
  { length: 300 },
  (_, at) => `${"abc"[at % 3]}${"x".repeat(at % 5)}${at.toString(6)}`,
);

test("each of many terms on a page is found, and none that is not there", () => {
  const index = createIndex();
  index.change(() => {
    for (const [at, name] of names.entries()) index.insert(at + 1, name, at % 4 === 0 ? name : "");
  });
  assert.ok(compare(index, names).every((count) => count > 0));
  const others = names.flatMap((name) => [`${name}y`, name.slice(0, -1), `${name}0`, `!${name}`]);
  compare(index, [...others, "", "a", "z", "ax", "\u{10ffff}", "日本"]);
});

test("terms of one letter, of hundreds of letters, and in other scripts are found", () => {
  const index = createIndex();
  const long = ["m".repeat(127), "m".repeat(128), "m".repeat(129), "m".repeat(600), `${"m".repeat(600)}n`];
  const tokens = [...long, "m", "n", "é", "éa", "日本", "日本語", "😀", `${"日".repeat(60)}`];
  index.change(() => {
    for (const [at, token] of tokens.entries()) index.insert(at + 1, `${token} ${token} all`, "all");
  });
  assert.ok(compare(index, [...tokens, "all"]).every((count) => count > 0));
  compare(index, ["m".repeat(126), "m".repeat(130), "日", "本", "alla", "al"]);
});

test("the end of one term and the beginning of the next are not taken for a term", () => {
  const index = createIndex();
  index.change(() => {
    for (const [at, token] of ["ab", "x", "xyz", "yz"].entries()) index.insert(at + 1, token);
  });
  assert.deepEqual(compare(index, ["abx", "abyz", "xz", "yyz", "xyzyz", "x"]), [0, 0, 0, 0, 0, 1]);
});

test("a token that occurs in each chunk another number of times is read over pages", () => {
  const index = createIndex();
  const long = "again".repeat(20);
  index.change(() => {
    for (let times = 1; times <= 120; times++) {
      index.insert(times * 1000, `${`${long} `.repeat(times)}z`, times % 2 === 0 ? long : "");
    }
    index.insert(1, `${long}s`);
    index.insert(2, long.slice(0, -1));
  });
  assert.deepEqual(compare(index, [long, `${long}s`, long.slice(0, -1), "z"]), [120, 1, 1, 120]);
});

test("a term that fills several pages, with small and large key deltas, is read to its end", () => {
  const index = createIndex();
  index.change(() => {
    let key = 0;
    for (let at = 0; at < 4000; at++) {
      key += [1, 127, 128, 16_384, 2_097_152][at % 5]!;
      index.insert(key, at % 3 === 0 ? "page page" : "page", at % 7 === 0 ? "page zebra" : "ant");
    }
    index.insert(2 ** 40, "page");
  });
  assert.deepEqual(compare(index, ["page", "zebra", "ant", "pag", "pagf"]).slice(0, 1), [4001]);
});

/** The tables of deleted keys. FTS5 merges a segment at once when a tenth of its rows is deleted. */
function tombstones({ db }: ReturnType<typeof createIndex>): number {
  const row = db.prepare("SELECT count(*) AS count FROM chunks_fts_data WHERE id >= 65536 << 37").get();
  return row!["count"] as number;
}

test("deleted rows are left out, even with keys of eight bytes, and after a merge", () => {
  const tokens = ["common", "other", "rare"];
  for (const first of [1, 2 ** 32 - 100, 2 ** 40]) {
    const index = createIndex();
    for (let round = 0; round < 3; round++) {
      index.change(() => {
        for (let at = 0; at < 200; at++)
          index.insert(first + at * 3 + round, "common other", at === 9 ? "rare" : "");
      });
    }
    assert.deepEqual(compare(index, tokens), [600, 600, 3]);
    index.change(() => {
      for (const at of [0, 9, 10, 40, 199]) for (const round of [0, 2]) index.remove(first + at * 3 + round);
    });
    assert.equal(tombstones(index), 2);
    assert.deepEqual(compare(index, tokens), [590, 590, 1]);
    index.run(", rank) VALUES ('merge', 1)");
    assert.deepEqual(compare(index, tokens), [590, 590, 1]);
    index.change(() => index.remove(first + 1));
    assert.deepEqual(compare(index, tokens), [589, 589, 1]);
    index.run(") VALUES ('optimize')");
    assert.equal(tombstones(index), 0);
    assert.deepEqual(compare(index, tokens), [589, 589, 1]);
  }
});

test("many deleted rows fill several tables of a segment, and one that is missing is left to FTS5", () => {
  const index = createIndex();
  index.change(() => {
    for (let key = 1; key <= 20_000; key++) index.insert(key, "common");
  });
  index.change(() => {
    for (let key = 12; key <= 20_000; key += 12) index.remove(key);
  });
  assert.ok(tombstones(index) > 1);
  assert.deepEqual(compare(index, ["common"]), [20_000 - 1666]);
  const statements = prepareFts5Statements(index.db);
  const block: Fts5Statements["block"] = (id) => (typeof id === "bigint" ? null : statements.block(id));
  assert.equal(createFts5Reader({ ...statements, block }), null);
  assert.equal(createFts5Reader({ ...statements, version: () => 5 }), null);
});

test("an unfinished merge is read correctly", () => {
  const index = createIndex();
  for (let round = 0; round < 20; round++) {
    index.change(() => {
      for (let key = 1; key <= 60; key++)
        index.insert(round * 100 + key, names.slice(key, key + 40).join(" "));
    });
    if (round % 4 === 3) index.run(", rank) VALUES ('merge', 3)");
    compare(index, names.slice(0, 30));
  }
});

test("the totals are those of FTS5", () => {
  const index = createIndex();
  const totals = () => readTotals(prepareFts5Statements(index.db));
  index.change(() => {
    index.insert(1, "one two two", "head");
    index.insert(2, "a ".repeat(300));
  });
  assert.deepEqual(totals(), { chunks: 2, tokens: 304 });
  const statements = prepareFts5Statements(index.db);
  assert.equal(readTotals({ ...statements, block: () => null }), null);
  const cut = (length: number): Fts5Statements => ({
    ...statements,
    block: (id) => statements.block(id)?.subarray(0, length) ?? null,
  });
  assert.equal(readTotals(cut(2)), null);
});

test("pages that are truncated, too long or missing are left to FTS5", () => {
  const index = createIndex();
  index.change(() => {
    for (let key = 1; key <= 20; key++) index.insert(key, `common n${key}`);
  });
  index.change(() => index.remove(3));
  const statements = prepareFts5Statements(index.db);
  const structureId = 10;
  const structure = statements.block(structureId)!;
  const readerWith = (change: (id: number | bigint, block: Uint8Array | null) => Uint8Array | null) =>
    createFts5Reader({ ...statements, block: (id) => change(id, statements.block(id)) });
  const postingsWith = (change: (block: Uint8Array) => Uint8Array | null) =>
    readerWith((id, block) =>
      id === structureId || block === null || block.length < 60 ? block : change(block),
    )?.postings("common") ?? null;

  for (let length = 0; length < structure.length; length++) {
    const reader = readerWith((id, block) => (id === structureId ? structure.subarray(0, length) : block));
    assert.equal(reader, null, `a structure of ${length} bytes`);
  }
  const longer = Uint8Array.from([...structure, 0]);
  assert.equal(
    readerWith((id, block) => (id === structureId ? longer : block)),
    null,
  );
  const other = Uint8Array.from(structure, (byte, at) => (at === 7 ? byte + 1 : byte));
  assert.equal(
    readerWith((id, block) => (id === structureId ? other : block)),
    null,
  );
  assert.equal(
    readerWith((id, block) => (id === structureId ? null : block)),
    null,
  );

  assert.equal(postingsWith((block) => block)?.chunks, 19);
  assert.equal(
    postingsWith(() => null),
    null,
  );
  assert.equal(
    postingsWith((block) => block.subarray(0, 3)),
    null,
  );
  assert.equal(
    postingsWith((block) => block.subarray(0, 4)),
    null,
  );
});

test("a list of keys that is damaged, or goes on where there is no page, is left to FTS5", () => {
  const index = createIndex();
  index.change(() => {
    for (let key = 1; key <= 3000; key++) index.insert(key * 200, "common");
  });
  const statements = prepareFts5Statements(index.db);
  const segmentPages = 2 ** 37;
  const postingsWith = (number: number, change: (page: Buffer, end: number) => Uint8Array | null) => {
    const block: Fts5Statements["block"] = (id) => {
      const page = statements.block(id);
      if (page === null || typeof id === "bigint" || id < segmentPages) return page;
      return id % segmentPages === number ? change(Buffer.from(page), page[2]! * 256 + page[3]!) : page;
    };
    return createFts5Reader({ ...statements, block })?.postings("common") ?? null;
  };
  assert.equal(postingsWith(1, (page) => page)?.chunks, 3000);
  assert.equal(
    postingsWith(2, () => null),
    null,
  );
  // A key of zero, and one that goes on behind the end of its page.
  const setByte = (at: (end: number) => number, value: number) => (page: Buffer, end: number) => {
    page[at(end)] = value;
    return page;
  };
  assert.equal(
    postingsWith(
      1,
      setByte((end) => end - 2, 0),
    ),
    null,
    "a wide number that is zero",
  );
  for (const number of [1, 2])
    assert.equal(
      postingsWith(
        number,
        setByte((end) => end - 1, 0xff),
      ),
      null,
    );
});
