import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { openSearchFixture } from "../../test/support/search-fixture.ts";
import { createAnalyzer } from "../text/words/analyze.ts";
import { assignTermWeights, compoundParts, type Vocabulary } from "./query-terms.ts";
import { readQueryWords } from "./query-words.ts";

const analyzer = createAnalyzer();

function createVocabulary(tokens: Readonly<Record<string, number>>): Vocabulary {
  return {
    documentFrequencies: async (wanted) => new Map(wanted.map((token) => [token, tokens[token] ?? 0])),
    tokensWithPrefix: async (prefix, limit) =>
      Object.entries(tokens)
        .filter(([token]) => token.startsWith(prefix))
        .map(([token, chunks]) => ({ token, chunks }))
        .slice(0, limit),
  };
}

const termsOf = (query: string, tokens: Readonly<Record<string, number>>, totalChunks = 1000) =>
  assignTermWeights(readQueryWords(query, analyzer), createVocabulary(tokens), totalChunks);

suite("assignTermWeights", () => {
  test("weighs a word the more the rarer it is", async () => {
    const [common, rare] = await termsOf("meeting quokka", { meet: 500, quokka: 2 });
    assert.ok(rare!.weight > 2 * common!.weight);
    assert.equal(common!.chunks, 500);
  });

  test("keeps a word that the notes lack, with the weight of the rarest", async () => {
    const [unknown, rare] = await termsOf("zyzzyva quokka", { quokka: 1 });
    assert.equal(unknown!.chunks, 0);
    assert.equal(unknown!.weight, rare!.weight);
  });

  test("drops exact forms that the notes lack, and weights the others at most like a word", async () => {
    assert.deepEqual(
      (await termsOf("--dry-run", { dry: 1, run: 1 })).map(({ text }) => text),
      ["dry", "run"],
    );
    const terms = await termsOf("--dry-run", { dry: 1, run: 1, "--dryrun": 1 });
    const exact = terms.find(({ kind }) => kind === "exact")!;
    assert.ok(exact.weight > 0 && exact.weight <= Math.max(...terms.map(({ weight }) => weight)));
  });

  test("looks for other forms of a word in the language of the query", async () => {
    const [haus] = (await termsOf("Wo sind die Häuser und die Schlüssel?", { haus: 4 })).filter(
      ({ text }) => text === "hauser",
    );
    assert.ok(haus!.forms.has("haus"), [...haus!.forms.keys()].join());
    assert.ok(haus!.forms.get("haus")! < 1);
  });

  test("looks for similar spellings of an unknown word only", async () => {
    const [typo] = await termsOf("kuberentes", { kubernet: 3 });
    assert.ok(typo!.forms.has("kubernet"));
    assert.equal(typo!.chunks, 3);
    const [known] = await termsOf("kubernetes", { kubernet: 3, kubernetz: 3 });
    assert.deepEqual([...known!.forms.keys()], ["kubernet"]);
    const alike = await termsOf("kuberentes", { kubernex: 3, kubernet: 3, kubernez: 4, kuberned: 3 });
    assert.deepEqual([...alike[0]!.forms.keys()].slice(1), ["kubernet", "kubernez", "kuberned"]);
  });

  test("finds a commit id by its prefix, and its short form by the full id", async () => {
    const [short] = await termsOf("7f3a2b1", { "7f3a2b1c9d8e": 1, "7f3a2c": 1 });
    assert.deepEqual([...short!.forms.keys()], ["7f3a2b1", "7f3a2b1c9d8e"]);
    const [long] = await termsOf("7f3a2b1c9d8e0f11", { "7f3a2b1": 1, "7f3a2b1c": 2, "7f3": 9 });
    assert.deepEqual(new Set(long!.forms.keys()), new Set(["7f3a2b1c9d8e0f11", "7f3a2b1", "7f3a2b1c"]));
  });

  test("matches a single character with every word that begins with it", async () => {
    const pairs = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`水${String.fromCharCode(0x4e00 + i)}`, 1]),
    );
    const [water] = await termsOf("水", { ...pairs, 火山: 1 });
    assert.equal(water!.forms.size, 301);
    assert.ok(!water!.forms.has("火山"));
  });

  test("keeps the heaviest words of a very long question", async () => {
    const words = Array.from(
      { length: 200 },
      (_, i) => `w${String.fromCharCode(97 + (i % 26))}${"x".repeat(1 + i / 26)}`,
    );
    const terms = await termsOf(
      `${words.join(" ")} quokka`,
      Object.fromEntries(words.map((word) => [word, 900])),
    );
    assert.ok(terms.length <= 32);
    assert.ok(terms.some(({ text }) => text === "quokka"));
    const pairs = await termsOf(
      "会".repeat(3) + [..."天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳"].join("一"),
      {},
    );
    assert.ok(pairs.length > 32 && pairs.length <= 64, "pairs are smaller than words");
  });

  test("gives the same result with a real index", async (t) => {
    const { store } = await openSearchFixture(t, {
      "memory/a.md": "The staging database runs on port 5433.",
      "memory/b.md": "东京的会议改到星期三。",
    });
    const { chunks } = await store.stats();
    const terms = await assignTermWeights(readQueryWords("staging databse 会", analyzer), store, chunks);
    assert.deepEqual(
      terms.map(({ text, chunks: found }) => [text, found]),
      [
        ["staging", 1],
        ["databse", 1],
        ["会", 1],
      ],
    );
    assert.ok(terms[1]!.forms.has("databas"));
    assert.ok(terms[2]!.forms.has("会议"));
  });
});

test("The weight falls with every chunk that has the word, and is always a positive number", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1_000_000), fc.nat(1_000_000), async (chunks, total) => {
      const weightOf = async (count: number) =>
        (await termsOf("quokka", { quokka: count }, total))[0]!.weight;
      const weight = await weightOf(chunks);
      assert.ok(Number.isFinite(weight) && weight > 0);
      assert.ok((await weightOf(chunks + 1)) <= weight);
    }),
    { seed: 32 },
  );
});

function vocabularyOf(...known: string[]): Vocabulary {
  return {
    documentFrequencies: async (tokens) =>
      new Map(tokens.map((token) => [token, known.includes(token) ? 1 : 0])),
    tokensWithPrefix: async () => [],
  };
}

const partsOf = async (word: string, ...known: string[]) =>
  (await compoundParts(word, vocabularyOf(...known))).map(({ token }) => token);

test("a compound is found by both of its parts, or by the one that the notes have", async () => {
  assert.deepEqual(await partsOf("glasfaseranschluss", "glasfas", "anschluss"), ["glasfas", "anschluss"]);
  assert.deepEqual(await partsOf("glasfaseranschluss", "glasfas"), ["glasfas"]);
  assert.deepEqual(await partsOf("geburtstagsfeier", "geburtstag", "feier"), ["geburtstag", "feier"]);
  assert.deepEqual(await partsOf("glasfaserweg", "glasfas", "weg"), ["glasfas"], "three letters are no part");
  assert.deepEqual(await partsOf("handtasch", "hand", "tasch"), ["hand", "tasch"], "nine letters are enough");
  assert.deepEqual(await partsOf("handtasche", "hand"), [], "four letters alone say too little");
  assert.deepEqual(await partsOf("glasfaseranschluss", "glas", "faseranschluss", "glasfas", "anschluss"), [
    ...["glasfas", "anschluss"],
  ]);
});

test("short words, other scripts and words without known parts stay whole", async () => {
  assert.deepEqual(await partsOf("handbuch", "hand", "buch"), []);
  assert.deepEqual(await partsOf("электростанция", "электро"), []);
  assert.deepEqual(await partsOf("glasfaseranschluss", "haus"), []);
});
