import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { describeTokenizer } from "../../../test/support/tiny-model.ts";
import { parseTokenizerFile } from "./tokenizer-file.ts";

const pieces = ["[PAD]", "[UNK]", "dog", "##s", '"', "\\", "}", "日", "\u2028", "#"];

test("Every piece has its id, however the file is formatted", () => {
  const compact = describeTokenizer(pieces);
  const roomy = JSON.stringify(JSON.parse(compact), null, "\t").replaceAll("\n", "\r\n");
  const escaped = compact.replace('"日"', '"\\u65e5"');
  for (const text of [compact, roomy, escaped]) {
    const { vocabulary, unknownId, specialIds } = parseTokenizerFile(text, "t");
    assert.deepEqual(
      pieces.map((piece) => vocabulary.idOf(piece)),
      pieces.map((_, id) => id),
    );
    assert.equal(vocabulary.idOf("cat"), null);
    assert.equal(vocabulary.highestId, pieces.length - 1);
    assert.equal(unknownId, 1);
    assert.deepEqual(specialIds, new Set([1, 0]));
  }
});

test("Any vocabulary is read as JSON.parse reads it", () => {
  const vocabularies = fc.uniqueArray(fc.string({ unit: "binary", maxLength: 6 }), { maxLength: 60 });
  const check = fc.property(vocabularies, fc.constantFrom(undefined, 2), (words, indent) => {
    const all = ["[PAD]", "[UNK]", ...words.filter((word) => !["[PAD]", "[UNK]"].includes(word))];
    const text = JSON.stringify(JSON.parse(describeTokenizer(all)), null, indent);
    const { vocabulary } = parseTokenizerFile(text, "t");
    for (const [piece, id] of Object.entries(JSON.parse(text).model.vocab)) {
      assert.equal(vocabulary.idOf(piece), id);
    }
  });
  fc.assert(check, { seed: 13, numRuns: 200 });
});

test("Missing settings have the usual defaults", () => {
  const plain = parseTokenizerFile(describeTokenizer(pieces), "t");
  assert.equal(plain.normaliser.stripAccents, true, "lower-casing implies it");
  const cased = parseTokenizerFile(describeTokenizer(pieces, { normalizer: { lowercase: false } }), "t");
  assert.equal(cased.normaliser.stripAccents, false);
  const kept = parseTokenizerFile(describeTokenizer(pieces, { normalizer: { strip_accents: false } }), "t");
  assert.deepEqual([kept.normaliser.lowerCase, kept.normaliser.stripAccents], [true, false]);
});

test("A file that is truncated anywhere is refused", () => {
  const text = describeTokenizer(pieces);
  for (let length = 0; length < text.length; length++) {
    assert.throws(() => parseTokenizerFile(text.slice(0, length), "some/file"), {
      code: "model-unusable",
      message: /some\/file/,
    });
  }
});

test("A tokenizer of another kind is refused with the reason", () => {
  const refused: [string, RegExp][] = [
    ["{}", /has no vocabulary/],
    ["not JSON", /it is not JSON/],
    [describeTokenizer(pieces, { model: { type: "BPE" } }), /it describes BPE, BertNormalizer/],
    [describeTokenizer(pieces, { normalizer: { type: "NFC" } }), /WordPiece, NFC/],
    [describeTokenizer(pieces, { pre_tokenizer: { type: "Whitespace" } }), /BertNormalizer, Whitespace/],
    [describeTokenizer(["[PAD]", "dog"]), /lacks \[UNK\]/],
    [describeTokenizer([]), /lacks \[UNK\]/],
    [describeTokenizer(pieces, { model: { max_input_chars_per_word: 1e9 } }), /is 1000000000 instead of/],
    [describeTokenizer(pieces).replace('"dog":2', '"dog":"two"'), /damaged after 2 pieces/],
    [describeTokenizer(pieces).replace('"dog":2', '"dog":-2'), /damaged after 2 pieces/],
    [describeTokenizer(pieces).replace('"dog":2', '"dog":2.5'), /damaged after 3 pieces/],
    [describeTokenizer(pieces).replace('"dog":2', '"dog":99999999999'), /damaged after 2 pieces/],
    [`{"vocab": {"[UNK]": 1}, "model": {}}`, /not part of its model/],
  ];
  for (const [text, message] of refused) {
    assert.throws(() => parseTokenizerFile(text, "t"), { code: "model-unusable", message }, String(message));
  }
});
