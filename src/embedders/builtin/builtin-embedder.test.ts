import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { describeTokenizer, encodeSafetensors } from "../../../test/support/tiny-model.ts";
import { embedderContract } from "../embedder.contract.ts";
import { openBuiltinEmbedder } from "./builtin-embedder.ts";

const shipped = fileURLToPath(new URL("../../../models/builtin", import.meta.url));
const embedder = await openBuiltinEmbedder();

embedderContract("The builtin model", { open: () => openBuiltinEmbedder() });

test("The reference vectors of the model are reproduced", async () => {
  const examples: { text: string; vector: number[]; zero: boolean }[] = JSON.parse(
    fs.readFileSync(path.join(shipped, "test-vectors.json"), "utf8"),
  );
  for (const { text, vector, zero } of examples) {
    const found = await embedder.embedQuery(text);
    assert.equal(found === null, zero, text);
    if (found === null) continue;
    vector.forEach((value, i) => {
      assert.ok(Math.abs(value - found[i]!) < 1e-4, `${text}: ${found[i]} for ${value}`);
    });
    const [windows] = await embedder.embedDocuments([text]);
    assert.deepEqual(windows, [found], "a short text is one window");
  }
});

test("A question finds the note that shares no word with it", async () => {
  const notes = [
    "Ask the doctor about the pills.",
    "The build server is slow today.",
    "Buy bread and butter.",
  ];
  const best = await nearest("physician prescribing medicine", notes);
  assert.equal(best, notes[0]);
});

test("A long text has a window for each part of it, and the best one finds a sentence in its middle", async () => {
  const filler = "The committee met in the town hall and spoke about the budget of the coming year. ".repeat(
    12,
  );
  const [windows] = await embedder.embedDocuments([`${filler} Her dog is afraid of thunder. ${filler}`]);
  assert.ok(windows!.length > 10, `${windows!.length} windows`);
  const question = (await embedder.embedQuery("which animal fears storms"))!;
  const scores = windows!.map((window) => window.reduce((sum, value, i) => sum + value * question[i]!, 0));
  const best = scores.indexOf(Math.max(...scores)) / scores.length;
  assert.ok(best > 0.3 && best < 0.7, `best window at ${best}`);
});

test("Every text gives unit vectors or none", async () => {
  const parts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("word ", "\ud800", "\udfff", "\u0000", "####", "a".repeat(50), "東京", "[UNK] [PAD]"),
  );
  const check = fc.asyncProperty(fc.array(parts, { maxLength: 30 }), async (pieces) => {
    const text = pieces.join("");
    const question = await embedder.embedQuery(text);
    const [windows] = await embedder.embedDocuments([text]);
    assert.equal(windows!.length === 0, question === null);
    for (const vector of [...windows!, ...(question === null ? [] : [question])]) {
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    }
  });
  await fc.assert(check, { seed: 16, numRuns: 500 });
});

test("A megabyte of one word has no vector, and a megabyte of words has them", async () => {
  assert.deepEqual(await embedder.embedDocuments(["x".repeat(1 << 20)]), [[]]);
  assert.deepEqual(await embedder.embedDocuments(["𒀀".repeat(1 << 19), "\u0000".repeat(1 << 20)]), [[], []]);
  const [windows] = await embedder.embedDocuments(["dog ".repeat(1 << 18)]);
  assert.equal(windows!.length, Math.ceil((1 << 18) / 20) - 1);
});

const pieces = ["[PAD]", "[UNK]", "dog", "cat"];
const table = { type: "F32", shape: [4, 2], values: [9, 9, 9, 9, 1, 0, 0, 1] } as const;

function writeModel(t: TestContext): TemporaryFolder {
  const folder = makeTemporaryFolder(t, { "tokenizer.json": describeTokenizer(pieces) });
  folder.write("embeddings.safetensors", encodeSafetensors({ embeddings: table }));
  return folder;
}

test("Any folder with the layout is a model, and unknown words are ignored", async (t) => {
  await using tiny = await openBuiltinEmbedder({ folder: writeModel(t).dir });
  assert.equal(tiny.dimensions, 2);
  assert.deepEqual(await tiny.embedQuery("dog house"), new Float32Array([1, 0]));
  assert.equal(await tiny.embedQuery("house"), null);
});

test("The identity is that of the files' contents, wherever they are", async (t) => {
  const [one, two] = [writeModel(t), writeModel(t)];
  const id = async (folder: TemporaryFolder): Promise<string> =>
    (await openBuiltinEmbedder({ folder: folder.dir })).id;
  const before = await id(one);
  assert.equal(await id(two), before);
  two.write(
    "embeddings.safetensors",
    encodeSafetensors({ embeddings: { ...table, values: [9, 9, 9, 9, 1, 0, 0, 2] } }),
  );
  assert.notEqual(await id(two), before);
  one.write("tokenizer.json", describeTokenizer(["[PAD]", "[UNK]", "cat", "dog"]));
  assert.notEqual(await id(one), before);
});

test("The error for missing, truncated or mismatched files names them and says how to repair them", async (t) => {
  const table3 = { ...table, shape: [3, 2], values: table.values.slice(0, 6) };
  const damage: [(folder: TemporaryFolder) => void, RegExp][] = [
    [({ at }) => fs.rmSync(at("tokenizer.json")), /tokenizer\.json cannot be used: it does not exist/],
    [({ at }) => fs.rmSync(at("embeddings.safetensors")), /embeddings\.safetensors .*does not exist/],
    [({ at }) => fs.truncateSync(at("embeddings.safetensors"), 90), /embeddings\.safetensors cannot be used/],
    [({ at }) => fs.truncateSync(at("tokenizer.json"), 200), /tokenizer\.json cannot be used/],
    [({ at }) => fs.truncateSync(at("tokenizer.json"), 0), /tokenizer\.json cannot be used: it is not JSON/],
    [({ at }) => fs.truncateSync(at("embeddings.safetensors"), 2 ** 30 + 1), /has 1073741825 bytes, over/],
    [
      ({ write }) => write("embeddings.safetensors", encodeSafetensors({ embeddings: table3 })),
      /has 3 rows, but the word pieces in tokenizer\.json go up to number 3/,
    ],
    [
      ({ at, makeFolder }) => {
        fs.rmSync(at("tokenizer.json"));
        makeFolder("tokenizer.json");
      },
      /tokenizer\.json cannot be used: it is not a regular file/,
    ],
  ];
  for (const [apply, message] of damage) {
    const folder = writeModel(t);
    apply(folder);
    await assert.rejects(openBuiltinEmbedder({ folder: folder.dir }), {
      code: "model-unusable",
      message,
      hint: /install the package again.*local\.modelPath/,
    });
  }
});

async function nearest(question: string, notes: readonly string[]): Promise<string> {
  const asked = (await embedder.embedQuery(question))!;
  const embedded = await embedder.embedDocuments(notes);
  const scores = embedded.map(([vector]) => vector!.reduce((sum, value, i) => sum + value * asked[i]!, 0));
  return notes[scores.indexOf(Math.max(...scores))]!;
}
