import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { locateModel } from "./model-location.ts";

const cache = path.resolve("/cache");

test("An address of the hub has its own path in the cache folder", () => {
  assert.deepEqual(locateModel("hf:ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf", cache), {
    file: path.join(cache, "ggml-org", "embeddinggemma-300M-GGUF", "embeddinggemma-300M-Q8_0.gguf"),
    url: "https://huggingface.co/ggml-org/embeddinggemma-300M-GGUF/resolve/main/embeddinggemma-300M-Q8_0.gguf",
  });
  const { file, url } = locateModel("hf:me/models/small/a.gguf#v1.2", cache);
  assert.equal(file, path.join(cache, "me", "models@v1.2", "small", "a.gguf"));
  assert.equal(url, "https://huggingface.co/me/models/resolve/v1.2/small/a.gguf");
});

test("A path is the user's own file, with nothing to download", () => {
  assert.deepEqual(locateModel("/models/a.gguf", cache), { file: path.resolve("/models/a.gguf"), url: null });
});

test("An https address keeps its host and path as names", () => {
  assert.deepEqual(locateModel("https://models.example:8443/x/a.gguf?sig=1", cache), {
    file: path.join(cache, "models.example_8443", "x", "a.gguf"),
    url: "https://models.example:8443/x/a.gguf?sig=1",
  });
});

for (const address of [
  "hf:",
  "hf:owner/file.gguf",
  "hf:owner/repository",
  "hf:owner/repository:Q8_0",
  "hf:owner/repository/model.safetensors",
  "hf:owner/../file.gguf",
  "hf:owner/repository/../../x.gguf",
  "hf:owner/repository/a b.gguf",
  "hf:owner/repository/a.gguf#x#y",
  "hf:owner/repository/a.gguf#../..",
  "hf:owner/repository//a.gguf",
  "http://models.example/a.gguf",
  "https://user:word@models.example/a.gguf",
  "https://models.example/a.html",
  "https://models.example/%2e%2e/%2e%2e/..%2fa.gguf",
  "https:",
]) {
  test(`${address} is refused with a valid example`, () => {
    assert.throws(
      () => locateModel(address, cache),
      (error: Error & { code?: string; hint?: string }) => {
        assert.equal(error.code, "model-unusable");
        assert.match(error.hint ?? "", /\.gguf/);
        return !error.message.includes("word");
      },
    );
  });
}
