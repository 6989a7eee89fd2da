import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { makeTinyModel } from "../../../test/support/tiny-gguf.ts";
import { embedderContract } from "../embedder.contract.ts";
import { type Embedder, isRefused } from "../embedder.ts";
import { type LocalEmbedderOptions, openLocalEmbedder } from "./local-embedder.ts";
import { findMissingPart } from "./local-model-error.ts";

const folder = mkdtempSync(path.join(tmpdir(), "longhand-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function modelFile(name: string, ...options: Parameters<typeof makeTinyModel>): string {
  const file = path.join(folder, name);
  writeFileSync(file, makeTinyModel(...options));
  return file;
}

const tiny = modelFile("tiny.gguf");
const open = (changes: Partial<LocalEmbedderOptions> = {}) =>
  openLocalEmbedder({
    modelPath: tiny,
    modelCacheDir: path.join(folder, "cache"),
    contextSize: 2048,
    environment: {},
    ...changes,
  });

embedderContract("A local model", { open });

test("Texts with the same letters have similar vectors", async () => {
  await using embedder = await open();
  const query = (await embedder.embedQuery("deploy the release"))!;
  const [near, far] = [
    await embedOne(embedder, "release deployed"),
    await embedOne(embedder, "quick fox jumps"),
  ];
  assert.ok(cosine(query, near) > cosine(query, far) + 0.1);
});

test("A text longer than the context is cut, and its beginning is embedded", async () => {
  await using embedder = await open();
  const long = "abcdefgh ".repeat(20_000);
  const first = await embedOne(embedder, long);
  assert.deepEqual(await embedOne(embedder, `${long}with another end`), first);
  assert.notDeepEqual(await embedOne(embedder, `another beginning ${long}`), first);
});

for (const [contextLength, contextSize] of [
  [100, 2048],
  [512, 64],
  [64, 64],
] as const) {
  test(`A text of any length fits: trained for ${contextLength}, asked for ${contextSize} tokens`, async () => {
    const modelPath = modelFile(`context-${contextLength}.gguf`, { contextLength });
    await using embedder = await open({ modelPath, contextSize });
    // One token per letter: beyond the limit, all texts are cut to the same one.
    const most = Math.min(contextLength, contextSize) - 3;
    const ofTokens = (count: number) => embedOne(embedder, "x ".repeat(count));
    const longest = await ofTokens(600);
    for (let count = most; count <= most + 6; count++) assert.deepEqual(await ofTokens(count), longest);
    assert.notDeepEqual(await ofTokens(most - 1), longest);
    await using roomy = await open({ modelPath, contextSize: contextLength });
    assert.deepEqual(longest, await embedOne(roomy, "x ".repeat(most)), "a narrow context changes nothing");
  });
}

test("The prompts of a model family are put before notes and queries", async () => {
  const modelPath = modelFile("e5.gguf", { name: "e5-tiny" });
  await using e5 = await open({ modelPath });
  const plainPath = modelFile("plain.gguf", { name: "xx-tiny" });
  await using plain = await open({ modelPath: plainPath });
  const [asNote] = await e5.embedDocuments(["deploy"]);
  const [written] = await plain.embedDocuments(["passage: deploy"]);
  assert.deepEqual(asNote, written);
  assert.deepEqual(await e5.embedQuery("deploy"), await plain.embedQuery("query: deploy"));
  assert.notEqual(e5.id, plain.id);
});

test("The user's own prompts replace them, and are part of the identity", async () => {
  const modelPath = modelFile("e5.gguf", { name: "e5-tiny" });
  await using usual = await open({ modelPath });
  await using own = await open({ modelPath, prompts: { query: "", document: "note: " } });
  await using plain = await open({ modelPath: modelFile("plain.gguf", { name: "xx-tiny" }) });
  assert.deepEqual(await own.embedDocuments(["deploy"]), await plain.embedDocuments(["note: deploy"]));
  assert.deepEqual(await own.embedQuery("deploy"), await plain.embedQuery("deploy"));
  assert.notEqual(own.id, usual.id);
});

test("The same file elsewhere is the same embedder; another context is another", async () => {
  await using one = await open();
  await using other = await open({ modelPath: modelFile("copy.gguf") });
  assert.equal(other.id, one.id);
  await using shorter = await open({ contextSize: 128 });
  assert.notEqual(shorter.id, one.id);
});

test("A model that was trained for it can give shorter vectors; any other refuses", async () => {
  const modelPath = modelFile("nomic.gguf", { name: "nomic-embed-tiny" });
  await using whole = await open({ modelPath });
  await using half = await open({ modelPath, outputDimensionality: 32 });
  assert.notEqual(half.id, whole.id);
  const [long, short] = [(await whole.embedQuery("text"))!, (await half.embedQuery("text"))!];
  assert.equal(short.length, 32);
  const length = Math.hypot(...long.subarray(0, 32));
  for (const [i, value] of short.entries()) assert.ok(Math.abs(value - long[i]! / length) < 1e-6);
  await assert.rejects(open({ outputDimensionality: 32 }), { code: "config-invalid", message: /32.*64/ });
});

test("Missing requirements are found without loading anything", async (t) => {
  const modelCacheDir = makeTemporaryFolder(t).dir;
  assert.equal(await findMissingPart({ modelPath: tiny, modelCacheDir }), null);
  for (const modelPath of [folder, path.join(tiny, "below"), "hf:owner/models/a.gguf", "hf:nonsense"]) {
    assert.match((await findMissingPart({ modelPath, modelCacheDir }))!, /^a model file/);
  }
  const lack = await findMissingPart({
    modelPath: "hf:a/b/c.gguf",
    modelCacheDir,
    packageName: "absent-llama",
  });
  assert.match(lack!, /npm install absent-llama.* and a model file/);
});

test("Missing requirements are named, with how to install them", async () => {
  await assert.rejects(open({ packageName: "not-installed-llama" }), {
    code: "dependency-missing",
    hint: /npm install not-installed-llama/,
  });
  await assert.rejects(open({ modelPath: "hf:owner/models/a.gguf" }), {
    code: "model-unusable",
    message: /owner.models.a\.gguf/,
    hint: /longhand models install/,
  });
  await assert.rejects(open({ modelPath: path.join(folder, "absent.gguf") }), { code: "model-unusable" });
});

async function embedOne(embedder: Embedder, text: string): Promise<Float32Array> {
  const [vectors] = await embedder.embedDocuments([text]);
  assert.ok(vectors && !isRefused(vectors));
  return vectors[0]!;
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
