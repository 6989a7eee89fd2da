import assert from "node:assert/strict";
import { test } from "node:test";
import { compoundParts } from "./compound-parts.ts";
import type { Vocabulary } from "./query-terms.ts";

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
});

test("short words, other scripts and words without known parts stay whole", async () => {
  assert.deepEqual(await partsOf("handbuch", "hand", "buch"), []);
  assert.deepEqual(await partsOf("электростанция", "электро"), []);
  assert.deepEqual(await partsOf("glasfaseranschluss", "haus"), []);
});
