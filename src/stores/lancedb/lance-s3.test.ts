import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { document, openLanceAt, search, texts } from "../../../test/support/lance-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";

interface ObjectServer {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** An object storage on loopback with one bucket, kept in a temporary folder. */
async function startStorage(t: TestContext): Promise<string> {
  // Not a literal specifier, because the package has no types.
  const name: string = "s3rver";
  const { default: Server } = (await import(name)) as { default: new (options: object) => ObjectServer };
  const server = new Server({
    ...{ address: "127.0.0.1", port: 0, silent: true, directory: makeTemporaryFolder(t).dir },
    configureBuckets: [{ name: "memory" }],
  });
  const { port } = await server.run();
  t.after(() => server.close());
  return `s3://memory/agents/main?region=us-east-1&endpoint=http://127.0.0.1:${port}`;
}

// Credentials that the server accepts from anybody.
const storageOptions = { aws_access_key_id: "S3RVER", aws_secret_access_key: "S3RVER" };

test("An index in object storage is shared by two handles, which see each other's documents whole", async (t) => {
  const address = await startStorage(t);
  await using first = await openLanceAt(address, { storageOptions });
  await using second = await openLanceAt(address, { storageOptions });
  await first.put([document("a.md", ["alpha", "beta"]), document("b.md", ["beta"])], "cut-1");
  assert.deepEqual((await search(second, ["beta"])).sort(), ["beta", "beta"]);
  await second.put([document("a.md", ["gamma", "beta", "delta"])], "cut-1");
  assert.deepEqual(await texts(first, "a.md"), ["gamma", "beta", "delta"]);
  const embedder = { id: "m", provider: "test", model: "m" };
  const entries = (await first.missingVectors("m", 9)).map(({ hash, text }) => ({
    hash,
    vectors: [Float32Array.of(text.length, text.charCodeAt(0) - 96)],
  }));
  await first.putVectors(embedder, entries, { vectorsPerText: "one" });
  assert.deepEqual(await second.missingVectors("m", 9), []);
  const { candidates } = await second.byVector("m", Float32Array.of(5, 7), { limit: 1 });
  assert.equal((await second.chunks(candidates.map(({ id }) => id)))[0]?.text, "gamma");
  await first.remove("memory", ["b.md"]);
  await first.writeFact("last", "sync");
  assert.equal(await second.readFact("last"), "sync");
  assert.equal((await second.stats()).files, 1);
});

test("Storage that cannot be reached is reported at once", async () => {
  const nobody = "s3://memory/x?region=us-east-1&endpoint=http://127.0.0.1:1";
  await assert.rejects(openLanceAt(nobody, { storageOptions }), {
    code: "store-unreachable",
    message: /Could not reach the storage s3:\/\/memory\/x: connect ECONNREFUSED 127\.0\.0\.1:1\./,
  });
});

test("An address with another scheme, or an unknown part, is refused", async () => {
  await assert.rejects(openLanceAt("gs://bucket/x"), { code: "config-invalid" });
  await assert.rejects(openLanceAt("s3://bucket/x?secret=1"), { code: "config-invalid" });
});
