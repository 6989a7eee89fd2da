import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { encodeGguf, makeTinyModel } from "../../../test/support/tiny-gguf.ts";
import { readModelFile } from "./model-file.ts";

const model = makeTinyModel({ contextLength: 100, name: "multilingual-e5-tiny" });

async function readChanged(t: TestContext, change: (bytes: Uint8Array) => Uint8Array) {
  return await readModelFile(makeTemporaryFolder(t).write("model.gguf", change(model.slice())));
}

test("The metadata of a model file is read", async (t) => {
  const { dimensions, trainedTokens, family, sizeBytes } = await readChanged(t, (bytes) => bytes);
  assert.deepEqual(
    { dimensions, trainedTokens, family: family.name, sizeBytes },
    { dimensions: 64, trainedTokens: 100, family: "e5", sizeBytes: model.length },
  );
});

test("The same content is the same model, wherever it is; one different byte makes another", async (t) => {
  const folder = makeTemporaryFolder(t);
  const fingerprintOf = async (name: string, bytes: Uint8Array) =>
    (await readModelFile(folder.write(name, bytes))).fingerprint;
  const first = await fingerprintOf("a.gguf", model);
  assert.equal(await fingerprintOf("deep/er/b.gguf", model), first);
  const changed = model.slice();
  changed[changed.length - 1]! ^= 1;
  assert.notEqual(await fingerprintOf("c.gguf", changed), first);
});

test("The id of a large file depends on its header, beginning and end", async (t) => {
  const folder = makeTemporaryFolder(t);
  const large = makeTinyModel({ contextLength: 32_768 });
  assert.ok(large.length > 2 ** 22);
  const nameAt = Buffer.from(large).indexOf("tiny-letters");
  const fingerprints = new Set<string>();
  for (const at of [nameAt, nameAt + 1, large.length - 1]) {
    const bytes = large.slice();
    bytes[at]! ^= 1;
    fingerprints.add((await readModelFile(folder.write("large.gguf", bytes))).fingerprint);
  }
  assert.equal(fingerprints.size, 3);
});

for (const share of [0.001, 0.2, 0.6, 0.999]) {
  test(`A file of which ${share} has arrived is refused before native code sees it`, async (t) => {
    await assert.rejects(
      readChanged(t, (bytes) => bytes.subarray(0, Math.floor(share * bytes.length))),
      { code: "model-unusable", message: /ends after|end is missing/ },
    );
  });
}

test("A file that is not a model is refused with its path and the reason", async (t) => {
  const folder = makeTemporaryFolder(t, { "page.gguf": "<html>Not found</html>", "empty.gguf": "" });
  const refuse = (name: string, message: RegExp) =>
    assert.rejects(readModelFile(folder.at(name)), (error: Error & { code?: string; hint?: string }) => {
      assert.equal(error.code, "model-unusable");
      assert.ok(error.message.includes(folder.at(name)));
      assert.match(error.message, message);
      return error.hint !== "";
    });
  await refuse("page.gguf", /not a GGUF file/);
  await refuse("empty.gguf", /ends after 0 bytes/);
  await refuse("absent.gguf", /does not exist/);
  await refuse(".", /is a folder/);
  folder.write("silent.gguf", encodeGguf({ "general.architecture": { type: "text", value: "bert" } }, []));
  await refuse("silent.gguf", /does not say/);
  folder.write("part.gguf", encodeGguf({ "split.count": { type: "u32", value: 3 } }, []));
  await refuse("part.gguf", /one of 3 parts/);
});
