import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { finish, firstOutput, startProgram } from "../../../test/support/child-process.ts";
import { document, openLanceAt, search, texts } from "../../../test/support/lance-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { FullStore } from "../store.ts";

/** Another process that runs this program, in which `document`, `openLanceAt`, `search` and `path` are defined. */
function run(t: TestContext, path: string, program: string): ChildProcess {
  const support = new URL("../../../test/support/lance-index.ts", import.meta.url).href;
  const imports = `import { document, openLanceAt, search } from ${JSON.stringify(support)};`;
  return startProgram(t, `${imports} const path = ${JSON.stringify(path)}; ${program}`);
}

const vectorOf = (text: string) =>
  Float32Array.from({ length: 8 }, (_, index) => text.charCodeAt(index % text.length));
const embedder = { id: "paid", provider: "test", model: "m" };

async function embedMissing(store: FullStore): Promise<string[]> {
  await store.reuseVectors(embedder);
  const missing = await store.missingVectors(embedder.id, 100);
  const entries = missing.map(({ hash, text }) => ({ hash, vectors: [vectorOf(text)] }));
  if (entries.length > 0) await store.putVectors(embedder, entries, { vectorsPerText: "one" });
  return missing.map(({ text }) => text);
}

test("A process that is killed while it writes leaves every document old or new, and the next put completes it", async (t) => {
  const path = makeTemporaryFolder(t).at("index.lance");
  for (let cycle = 0; cycle < 6; cycle++) {
    const child = run(
      t,
      path,
      `const store = await openLanceAt(path);
       process.stdout.write("ready");
       for (let round = 0; ; round++) {
         const version = "${cycle}x" + round;
         const chunks = Array.from({ length: 40 }, (_, index) => "v" + version + " chunk" + (index + round % 7));
         await store.put(Array.from({ length: 5 }, (_, index) => document("memory/" + index + ".md", chunks, { version })), "cut-1");
         if (round % 5 === 4) await store.remove("memory", ["memory/0.md"]);
       }`,
    );
    await firstOutput(child);
    // A different moment in each cycle: during the first write, between writes, in the middle of a later one.
    await setTimeout(cycle * 17);
    child.kill("SIGKILL");
    await once(child, "close");

    await using store = await openLanceAt(path);
    for (const [known, { version }] of await store.versions("memory")) {
      const chunks = await store.chunksOf("memory", known);
      assert.equal(chunks.length, 40);
      for (const { text } of chunks) assert.equal(text.split(" ")[0], `v${version}`);
      assert.equal((await store.documentFrequencies([`v${version}`])).get(`v${version}`)! % 40, 0);
    }
    assert.deepEqual(await store.repair(), []);
  }
});

test("Processes may open a new index at once, and each write of theirs is kept", async (t) => {
  const path = makeTemporaryFolder(t).at("new/index.lance");
  const children = Array.from({ length: 3 }, (_, number) =>
    run(
      t,
      path,
      `await using store = await openLanceAt(path);
       for (let round = 0; round < 5; round++) {
         await store.put([document("${number}-" + round + ".md", ["shared own${number}x" + round])], "cut-1");
         if ((await search(store, ["own${number}x" + round])).length !== 1) throw new Error("own write not found");
         await store.put([document("all.md", ["all${number} x" + round, "all${number} y" + round])], "cut-1");
       }
       process.stdout.write("done");`,
    ),
  );
  assert.deepEqual(
    (await Promise.all(children.map(finish))).map(({ stdout, stderr }) => stdout + stderr),
    Array(3).fill("done"),
  );
  await using store = await openLanceAt(path);
  assert.equal((await store.stats()).files, 16);
  assert.equal((await store.documentFrequencies(["shared"])).get("shared"), 15);
  const words = (await texts(store, "all.md")).map((text) => text.split(" ")[0]);
  assert.deepEqual([words.length, new Set(words).size], [2, 1]);
});

test("An index that is deleted while it is open is created again", async (t) => {
  const path = makeTemporaryFolder(t).at("index.lance");
  await using store = await openLanceAt(path);
  await store.put([document("a.md", ["alpha"])], "cut-1");
  const revision = await store.revision?.();
  rmSync(path, { recursive: true });
  assert.deepEqual(await search(store, ["alpha"]), []);
  await store.put([document("a.md", ["beta"])], "cut-1");
  assert.deepEqual(await search(store, ["beta"]), ["beta"]);
  assert.notEqual(await store.revision?.(), revision);
  rmSync(join(path, "chunks.lance"), { recursive: true });
  await store.put([document("b.md", ["gamma"])], "cut-1");
  assert.deepEqual(await search(store, ["beta", "gamma"]), ["gamma"]);
});

test("A damaged table is quarantined and filled again, and paid vectors are not requested again", async (t) => {
  const damages: Record<string, (folder: string) => void> = {
    "data that are cut": (folder) =>
      forEachFile(join(folder, "data"), (file) => writeFileSync(file, readFileSync(file).subarray(0, 40))),
    "data that are gone": (folder) => rmSync(join(folder, "data"), { recursive: true }),
    "versions of zeros": (folder) =>
      forEachFile(join(folder, "_versions"), (file) => writeFileSync(file, Buffer.alloc(300))),
  };
  for (const [damage, make] of Object.entries(damages)) {
    const folder = makeTemporaryFolder(t);
    const path = folder.at("index.lance");
    const repairs: string[] = [];
    const document1 = document("a.md", ["alpha", "beta"]);
    {
      await using store = await openLanceAt(path);
      await store.put([document1], "cut-1");
      assert.deepEqual(await embedMissing(store), ["alpha", "beta"]);
    }
    make(join(path, "chunks.lance"));
    await using store = await openLanceAt(path, { onRepair: ({ movedTo }) => repairs.push(movedTo) });
    assert.deepEqual(await search(store, ["alpha"]), [], damage);
    assert.deepEqual(await store.versions("memory"), new Map());
    await store.put([document1], "cut-1");
    assert.deepEqual(await search(store, ["alpha"]), ["alpha"]);
    assert.deepEqual(await embedMissing(store), []);
    assert.deepEqual(repairs, [folder.at("index.lance.corrupt-1/chunks.lance")], damage);
  }
});

test("Another agent's index and a newer one are refused, and another analyzer rebuilds all tokens", async (t) => {
  const path = makeTemporaryFolder(t).at("index.lance");
  {
    await using store = await openLanceAt(path, { owner: "ann" });
    await store.put([document("a.md", ["Alpha beta"])], "cut-1");
  }
  await assert.rejects(openLanceAt(path, { owner: "bob" }), { code: "index-shared" });
  {
    const loud = ({ text }: { text: string }) => ({ body: text.toUpperCase(), head: "" });
    await using store = await openLanceAt(path, { owner: "ann", analyzerId: "loud", tokens: loud });
    assert.equal((await store.versions("memory")).size, 1);
    assert.deepEqual(await search(store, ["ALPHA"]), ["Alpha beta"]);
    assert.deepEqual(await search(store, ["alpha"]), []);
  }
});

test("Purging rewrites all tables: no earlier version, no file of one, and no unused vector", async (t) => {
  const path = makeTemporaryFolder(t).at("index.lance");
  await using store = await openLanceAt(path);
  const lines = Array.from({ length: 60 }, (_, index) => `line number ${index} of the note`);
  const secret = "the secret recipe of the house";
  const other = "zanzibarphrase quixoticmarker";
  await store.put([document("a.md", [...lines, secret, other])], "cut-1");
  await store.put([document("b.md", ["they said: the secret recipe of the house"])], "cut-1");
  await embedMissing(store);
  await store.put([document("a.md", lines)], "cut-1");
  // An index this small is not compressed, so its bytes can be searched.
  assert.notDeepEqual(findInFiles(path, "quixoticmarker"), []);
  const report = await store.purge?.({ texts: [secret, other] });
  assert.deepEqual(findInFiles(path, "quixoticmarker"), []);
  assert.equal(report?.cacheEntries, 2);
  assert.equal(report.rawSearch, "not-possible");
  assert.deepEqual(report.stillIn, [{ path: "b.md", line: 1 }]);
  assert.deepEqual(await search(store, ["recipe"]), ["they said: the secret recipe of the house"]);
  assert.equal((await store.documentFrequencies(["line"])).get("line"), 60);
  for (const table of readdirSync(path).filter((name) => name.endsWith(".lance"))) {
    const versions = readdirSync(join(path, table, "_versions")).filter((name) => name.endsWith(".manifest"));
    assert.equal(versions.length, 1, table);
  }
  assert.ok(findInFiles(path, "").every((file) => !file.includes("_deletions")));
  assert.deepEqual(await embedMissing(store), []);
});

test("A read-only folder, and a file instead of the folder, are errors that say so", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write("file", "text");
  await assert.rejects(openLanceAt(folder.at("file")), { code: "index-unusable" });
});

function findInFiles(folder: string, needle: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(needle));
}

function forEachFile(folder: string, work: (path: string) => void): void {
  for (const name of readdirSync(folder)) work(join(folder, name));
}
