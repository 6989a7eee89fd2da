import assert from "node:assert/strict";
import { test } from "node:test";
import { similarTokens, type Vocabulary } from "./query-terms.ts";

/** A vocabulary in memory that records the requested prefixes. */
function createVocabulary(
  tokens: Readonly<Record<string, number>>,
): Vocabulary & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    documentFrequencies: async (wanted) => new Map(wanted.map((token) => [token, tokens[token] ?? 0])),
    async tokensWithPrefix(prefix, limit) {
      asked.push(prefix);
      return Object.entries(tokens)
        .filter(([token]) => token.startsWith(prefix))
        .map(([token, chunks]) => ({ token, chunks }))
        .sort((a, b) => (a.token < b.token ? -1 : 1))
        .slice(0, limit);
    },
  };
}

const similarTo = async (token: string, tokens: Readonly<Record<string, number>>) =>
  (await similarTokens(token, createVocabulary(tokens))).map((found) => found.token);

test("A typo finds the intended word", async () => {
  const known = { kubernet: 3, kubectl: 2, kitchen: 9, deploi: 4 };
  assert.deepEqual(await similarTo("kubernets", known), ["kubernet"]);
  assert.deepEqual(await similarTo("kuberenet", known), ["kubernet"]);
  assert.deepEqual(await similarTo("kbuernet", known), ["kubernet"], "a typo in the first letters");
});

test("The most similar come first, then the most common, and there are few", async () => {
  const similar = await similarTokens(
    "migrat",
    createVocabulary({ migratx: 1, migratz: 5, migrato: 5, migratio: 1, migra: 2 }),
  );
  assert.deepEqual(
    similar.map(({ token }) => token),
    ["migrato", "migratz", "migra"],
  );
  for (const { similarity } of similar) assert.ok(similarity > 0 && similarity < 1);
});

test("Words that look different are not guessed", async () => {
  assert.deepEqual(await similarTo("kubernets", { kubota: 1, kitchen: 1, k: 1 }), []);
  assert.deepEqual(await similarTo("kubernets", {}), []);
});

test("Short words, numbers and exact forms are not guessed at", async () => {
  const vocabulary = createVocabulary({ cats: 1, a1b2c3: 1, "max.results": 1 });
  for (const token of ["cat", "cart", "a1b2c4", "max.result", "--flag"]) {
    assert.deepEqual(await similarTokens(token, vocabulary), [], token);
  }
  assert.deepEqual(vocabulary.asked, [], "and need no lookup");
});

test("Letters are counted by code point", async () => {
  assert.deepEqual(await similarTo("встреч", { встрече: 2 }), ["встрече"]);
  assert.deepEqual(await similarTo("𐐨𐐨𐐨𐐨", { 𐐨𐐨𐐨𐐩: 1 }), [], "four letters are too few");
});
