import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import { finish, firstOutput, startProgram } from "../../../test/support/child-process.ts";
import { isWindows, skipDeletingOpenFiles } from "../../../test/support/platform.ts";
import { checkIntegrity, document, openAt, search } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { LonghandError } from "../../errors.ts";
import { fileSystemKind } from "../../file-system-kind.ts";

/** Another process that runs this program, in which `document`, `openAt`, `search` and `path` are defined. */
function run(t: TestContext, path: string, program: string): ChildProcess {
  const support = new URL("../../../test/support/sqlite-index.ts", import.meta.url).href;
  const imports = `import { document, openAt, search } from ${JSON.stringify(support)};`;
  return startProgram(t, `${imports} const path = ${JSON.stringify(path)}; ${program}`);
}

test("a process that is killed while it writes leaves every document old or new, and a sound index", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  // A start takes seconds under Wine.
  const cycles = isWindows ? 4 : 20;
  for (let cycle = 0; cycle < cycles; cycle++) {
    const child = run(
      t,
      path,
      `const store = await openAt(path);
       process.stdout.write("ready");
       for (let round = 0; ; round++) {
         const version = "${cycle}x" + round;
         const chunks = Array.from({ length: 40 }, (_, index) => "v" + version + " chunk" + (index + round % 7));
         await store.put(Array.from({ length: 5 }, (_, index) => document("memory/" + index + ".md", chunks, version)), "cut-1");
         if (round % 5 === 4) await store.remove("memory", ["memory/0.md"]);
       }`,
    );
    await firstOutput(child);
    // A different moment in each cycle: during the first write, between writes, in the middle of a later one.
    await setTimeout(cycle * 4);
    child.kill("SIGKILL");
    await once(child, "close");

    await using store = await openAt(path);
    for (const [known, { version }] of await store.versions("memory")) {
      const chunks = await store.chunksOf("memory", known);
      assert.equal(chunks.length, 40);
      for (const { text } of chunks) assert.equal(text.split(" ")[0], `v${version}`);
      assert.equal((await store.documentFrequencies([`v${version}`])).get(`v${version}`)! % 40, 0);
    }
  }
  checkIntegrity(path);
  assert.deepEqual(
    readdirSync(folder.dir).filter((name) => name.includes("corrupt")),
    [],
  );
});

test("eight processes may open a new index at once, and all their writes are kept", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("new/index.sqlite");
  // Without a write-ahead log, eight writers may find the index busy and have to retry.
  const mayBeBusy = fileSystemKind(folder.dir) === "remote";
  const children = Array.from({ length: 8 }, (_, number) =>
    run(
      t,
      path,
      `await using store = await openAt(path);
       async function retried(work) {
         for (;;) {
           try {
             return await work();
           } catch (error) {
             if (!${mayBeBusy} || error.code !== "index-busy") throw error;
           }
         }
       }
       for (let round = 0; round < 5; round++) {
         const added = document("${number}-" + round + ".md", ["shared own${number}x" + round]);
         await retried(() => store.put([added], "cut-1"));
         const found = await retried(() => search(store, ["own${number}x" + round]));
         if (found.length !== 1) throw new Error("own write not found");
       }
       process.stdout.write("done");`,
    ),
  );
  assert.deepEqual(
    (await Promise.all(children.map(finish))).map(({ stdout, stderr }) => stdout + stderr),
    Array(8).fill("done"),
  );
  {
    await using store = await openAt(path);
    assert.equal((await store.stats()).files, 40);
    assert.equal((await store.documentFrequencies(["shared"])).get("shared"), 40);
  }
  checkIntegrity(path);
});

test("versions and counts follow the writes of another process, whatever this one has cached", async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["alpha"]), document("b.md", ["beta"])], "cut-1");
  const known = async (): Promise<string> => {
    const versions = [...(await store.versions("memory"))].map(([name, { version }]) => `${name} ${version}`);
    const { files, chunks } = await store.stats();
    return [...versions.sort(), `${files} files`, `${chunks} chunks`].join(", ");
  };
  const elsewhere = async (write: string): Promise<string> => {
    const before = await known();
    await store.writeFact("last", before);
    assert.equal(await known(), before);
    const { stderr } = await finish(run(t, path, `await using store = await openAt(path); ${write};`));
    assert.equal(stderr, "");
    return await known();
  };
  assert.equal(await known(), "a.md 1, b.md 1, 2 files, 2 chunks");
  assert.equal(
    await elsewhere(`await store.put([document("a.md", ["alpha", "gamma"], "2")], "cut-1")`),
    "a.md 2, b.md 1, 2 files, 3 chunks",
  );
  assert.equal(
    await elsewhere(`await store.touch("memory", new Map([["b.md", "3"]]))`),
    "a.md 2, b.md 3, 2 files, 3 chunks",
  );
  assert.equal(await elsewhere(`await store.remove("memory", ["a.md"])`), "b.md 3, 1 files, 1 chunks");
  {
    using db = new DatabaseSync(path);
    db.exec("DELETE FROM files");
  }
  assert.equal(await elsewhere("await store.repair()"), "0 files, 0 chunks");
});

test("an index that is deleted while it is open is built again, whatever was left of it", {
  skip: skipDeletingOpenFiles,
}, async (t) => {
  const leftovers = [["", "-wal", "-shm"], [""], ["-wal"], ["-shm"], ["-wal", "-shm"], ["", "-wal"]];
  for (const deleted of leftovers) {
    const folder = makeTemporaryFolder(t);
    const path = folder.at("index.sqlite");
    {
      await using store = await openAt(path);
      await using other = await openAt(path);
      await store.put([document("old.md", ["old words"])], "cut-1");
      assert.deepEqual(await search(other, ["old"]), ["old words"]);
      for (const suffix of deleted) rmSync(path + suffix);

      const known = await store.versions("memory");
      if (deleted.includes("")) assert.equal(known.size, 0, "the next sync sees an empty index");
      await store.put([document("old.md", ["old words"]), document("new.md", ["new words"])], "cut-1");
      assert.deepEqual(await search(store, ["new"]), ["new words"]);
      assert.deepEqual(await search(other, ["new"]), ["new words"]);
      await other.put([document("more.md", ["more words"])], "cut-1");
      assert.deepEqual((await search(store, ["words"])).sort(), ["more words", "new words", "old words"]);
    }
    checkIntegrity(path);
  }
});

test("an index that is deleted during a write does not lose the next one", {
  skip: skipDeletingOpenFiles,
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("state/index.sqlite");
  {
    await using store = await openAt(path);
    const many = Array.from({ length: 2000 }, (_, index) => `word${index} text`);
    const writing = store.put([document("big.md", many)], "cut-1");
    await setImmediate();
    rmSync(folder.at("state"), { recursive: true });
    await writing;
    await store.put([document("a.md", ["alpha"])], "cut-1");
    assert.deepEqual(await search(store, ["alpha"]), ["alpha"]);
  }
  checkIntegrity(path);
});

test("a write waits for another process without blocking the event loop", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await using store = await openAt(path);
  await store.put([document("a.md", ["alpha"])], "cut-1");
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  let isWritten = false;
  const writing = store.put([document("b.md", ["beta"])], "cut-1").then(() => {
    isWritten = true;
  });
  for (let turn = 0; turn < 20; turn++) await setTimeout(2);
  assert.equal(isWritten, false);
  assert.deepEqual(await search(store, ["alpha"]), ["alpha"], "reading goes on");
  other.exec("COMMIT");
  other.close();
  await writing;
  assert.deepEqual(await search(store, ["beta"]), ["beta"]);
});

test("a write gives up if the index stays locked, and says that it can be retried", async (t) => {
  const folder = makeTemporaryFolder(t);
  const path = folder.at("index.sqlite");
  await using store = await openAt(path, { writeWaitMs: 30 });
  await store.put([document("a.md", ["alpha"])], "cut-1");
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  await assert.rejects(store.put([document("b.md", ["beta"])], "cut-1"), (error) => {
    assert.ok(error instanceof LonghandError);
    assert.deepEqual([error.code, error.retryable], ["index-busy", true]);
    return true;
  });
  other.close();
  await store.put([document("b.md", ["beta"])], "cut-1");
  assert.equal((await store.stats()).files, 2);
});

test("writing a large document yields to the event loop", async (t) => {
  const folder = makeTemporaryFolder(t);
  await using store = await openAt(folder.at("index.sqlite"));
  const many = Array.from({ length: 8000 }, (_, index) => `word${index} and some more text to index here`);
  let turns = 0;
  let isWriting = true;
  const writing = store.put([document("big.md", many)], "cut-1").then(() => {
    isWriting = false;
  });
  while (isWriting) {
    await setImmediate();
    turns++;
  }
  await writing;
  assert.ok(turns > 3, `only ${turns} turns`);
});
