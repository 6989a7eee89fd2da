import assert from "node:assert/strict";
import { test } from "node:test";
import { packageFile } from "../../package-files.ts";
import { loadModel } from "./load-model.ts";
import { decodePreparedModel, encodePreparedModel, preparedHeadBytes } from "./prepared-model.ts";
import { createWordPieceTokenizer } from "./word-piece.ts";

test("A prepared model tokenizes texts as its files do, and has their digest", async () => {
  const { model: _, ...loaded } = await loadModel(packageFile("models", "builtin"));
  const bytes = encodePreparedModel(loaded);
  const prepared = decodePreparedModel(bytes.slice(0, preparedHeadBytes), () => bytes.slice());
  assert.ok(prepared);
  assert.deepEqual(prepared.tokenizer.tables, loaded.tokenizer.tables);
  const { vocabulary: a, ...expected } = loaded.tokenizer;
  const { vocabulary: b, ...found } = prepared.tokenizer;
  assert.deepEqual(
    { ...prepared, tokenizer: found, vocabulary: b.highestId },
    { ...loaded, tokenizer: expected, vocabulary: a.highestId },
  );
  const text = "Unbelievable! The café's naïve résumé, 東京 and x_y_z: 42 — [UNK] ###";
  assert.deepEqual(
    createWordPieceTokenizer(prepared.tokenizer).tokenize(text),
    createWordPieceTokenizer(loaded.tokenizer).tokenize(text),
  );
});

test("A prepared model for another kind of machine is not used", async () => {
  const { model: _, ...loaded } = await loadModel(packageFile("models", "builtin"));
  const bytes = new Uint8Array(encodePreparedModel(loaded));
  const mark = new TextEncoder().encode('"little"');
  const at = bytes.findIndex((_byte, index) => mark.every((each, i) => bytes[index + i] === each));
  bytes.set(new TextEncoder().encode('"other!"'), at);
  assert.equal(
    decodePreparedModel(bytes, () => bytes),
    null,
  );
});
