import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { makeMemoryFixture } from "../support/memory-fixture.ts";

/* Placeholders of a cloud service, as cloud.py shows them: npm run test:filesystems -- cloud */

const skip = isCloud() ? false : "the temporary folder is not in a cloud folder";

function isCloud(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "longhand-probe-"));
  try {
    writeFileSync(join(folder, "a.md"), "(not downloaded: 0)\n".repeat(300));
    return statSync(join(folder, "a.md")).blocks === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function setUp(t: TestContext) {
  const fixture = makeMemoryFixture(t, {
    "memory/kiln.md": "The kiln is fired on Wednesdays.\n",
    "memory/glaze.md": "The glaze is blue.\n",
  });
  const memory = await fixture.open({
    config: { agents: { defaults: { memorySearch: { provider: "none", sync: { searchWaitMs: 300 } } } } },
  });
  await memory.sync();
  const evict = (action: string): void =>
    writeFileSync(fixture.at("memory/glaze.md"), `The glaze is green.\n\n(not downloaded: ${action})\n`);
  const find = async (query: string) => {
    const { results, stale, degraded } = await memory.search(query);
    return { snippet: results[0]?.snippet, stale, degraded: degraded.join() };
  };
  return { fixture, memory, evict, find };
}

suite("A note that is not downloaded", { skip }, () => {
  for (const error of ["EDEADLK", "ETIMEDOUT", "EIO", "EAGAIN"]) {
    test(`stays indexed and is named where reading it fails with ${error}; others are found`, async (t) => {
      const { fixture, memory, evict, find } = await setUp(t);
      evict(`0 ${error}`);
      writeFileSync(fixture.at("memory/wheel.md"), "The wheel is oak.\n");
      const { failed } = await memory.sync();
      assert.deepEqual(
        failed.map(({ path }) => path),
        ["memory/glaze.md"],
      );
      assert.match((await find("wheel")).snippet ?? "", /oak/);
      assert.match((await find("glaze")).snippet ?? "", /blue/);
      const { skipped } = (await memory.status()).onDisk;
      assert.match(skipped.find(({ path }) => path === "memory/glaze.md")?.detail ?? "", new RegExp(error));
    });
  }

  test("is indexed although its folder lists it as a link", async (t) => {
    const { fixture, memory, evict, find } = await setUp(t);
    evict("0");
    fixture.write("memory/Cloud/wheel.md", "The wheel is oak.\n");
    const listed = readdirSync(fixture.at("memory"), { withFileTypes: true });
    assert.deepEqual(
      listed
        .filter((entry) => entry.isSymbolicLink())
        .map(({ name }) => name)
        .sort(),
      ["Cloud", "glaze.md"],
    );
    await memory.sync();
    assert.match((await find("glaze")).snippet ?? "", /green/);
    assert.match((await find("wheel")).snippet ?? "", /oak/);
    assert.deepEqual((await memory.status()).onDisk.skipped, []);
  });

  test("is not waited for by a search, and is found once it has been downloaded", async (t) => {
    const { fixture, memory, evict, find } = await setUp(t);
    evict("7");
    writeFileSync(fixture.at("memory/wheel.md"), "The wheel is oak.\n");
    const startedMs = performance.now();
    assert.match((await find("wheel")).snippet ?? "", /oak/);
    assert.match((await find("glaze")).snippet ?? "", /blue/);
    assert.ok(performance.now() - startedMs < 7000);
    writeFileSync(fixture.at("memory/glaze.md"), "The glaze is red.\n");
    await memory.sync();
    assert.match((await find("glaze")).snippet ?? "", /red/);
  });
});
