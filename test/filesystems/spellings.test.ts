import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { suite, test } from "node:test";
import { makeMemoryFixture } from "../support/memory-fixture.ts";
import { ignoresCase } from "../support/platform.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/* Where names differ only in letter case or normal form: npm run test:filesystems -- folding */

const composed = "memory/Café.md".normalize("NFC");
const decomposed = composed.normalize("NFD");

suite("A note under other spellings of its name", {
  skip: !ignoresCase && "the file system keeps names apart",
}, () => {
  test("is added to, found, read and forgotten as one note", async (t) => {
    const fixture = makeMemoryFixture(t, { "memory/Kiln.md": "The kiln is fired on Wednesdays.\n" });
    const memory = await fixture.open();
    assert.equal((await memory.add("It cools for a day.", { to: "memory/KILN.md" })).path, "memory/Kiln.md");
    const { results } = await memory.search("kiln cools");
    assert.deepEqual([...new Set(results.map(({ path }) => path))], ["memory/Kiln.md"]);
    assert.match((await memory.readNote({ path: "memory/kiln.md" }))?.text ?? "", /cools for a day/);
    const { removed } = await memory.forget({ path: "memory/kILN.md" });
    assert.deepEqual(
      removed.map(({ path }) => path),
      ["memory/Kiln.md"],
    );
    assert.deepEqual(readdirSync(fixture.at("memory")), []);
    assert.deepEqual((await memory.search("kiln cools")).results, []);
  });

  test("leaves no trace when lines of it are forgotten", async (t) => {
    const fixture = makeMemoryFixture(t, {
      "memory/Kiln.md": "The kiln is fired on Wednesdays.\n\nIt is old.\n",
    });
    const memory = await fixture.open();
    await memory.sync();
    const text = "The kiln is fired on Wednesdays.";
    const { removed, chunks } = await memory.forget({
      passages: [{ path: "memory/KILN.md", startLine: 1, endLine: 1, text }],
    });
    assert.deepEqual(removed, [{ path: "memory/Kiln.md", startLine: 1, endLine: 1 }]);
    assert.ok(chunks > 0);
    const { dbPath } = await memory.status();
    await memory.close();
    assert.ok(!readFileSync(dbPath).includes("Wednesdays"));
  });

  test("stays one note when only the letter case of its name changes", async (t) => {
    const fixture = makeMemoryFixture(t, { "memory/kiln.md": "The kiln is fired on Wednesdays.\n" });
    const memory = await fixture.open();
    await memory.sync();
    writeFileSync(fixture.at("memory/KILN.md"), "The kiln is fired on Fridays.\n");
    const { results } = await memory.search("when is the kiln fired");
    assert.deepEqual(
      results.map(({ path, snippet }) => [path, /Fridays/.test(snippet)]),
      [["memory/kiln.md", true]],
    );
  });

  test("may be composed or decomposed", async (t) => {
    const probe = makeTemporaryFolder(t);
    writeFileSync(probe.at("é".normalize("NFC")), "");
    if (!existsSync(probe.at("é".normalize("NFD"))))
      return t.skip("the file system keeps normal forms apart");
    const fixture = makeMemoryFixture(t);
    const memory = await fixture.open();
    await memory.add("The oat milk is free.", { to: composed });
    await memory.add("The cake is not.", { to: decomposed });
    assert.equal(readdirSync(fixture.at("memory")).length, 1);
    const { results } = await memory.search("oat milk cake");
    assert.equal(new Set(results.map(({ path }) => path)).size, 1);
    for (const path of [composed, decomposed, results[0]!.path]) {
      assert.match((await memory.readNote({ path }))?.text ?? "", /oat milk.*cake/s);
      assert.equal((await memory.search("oat milk", { path })).results.length, 1, "as a glob");
    }
    await memory.forget({ path: composed });
    assert.deepEqual(readdirSync(fixture.at("memory")), []);
    assert.deepEqual((await memory.search("oat milk")).results, []);
  });
});
