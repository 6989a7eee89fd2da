import assert from "node:assert/strict";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { getLoadablePath } from "sqlite-vec";
import { skipOnWindows } from "../../../test/support/platform.ts";
import { document, openAt } from "../../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createRandom } from "../../eval/compare.ts";
import { embedAll, named, one, similarTo } from "../contract/fixture.ts";
import type { FullStore } from "../store.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { openSession } from "./session.ts";
import { createVectorExtension, loadExtension } from "./vector-extension.ts";

const dimensions = 96;
const random = createRandom(3);
const randomVector = () => Float32Array.from({ length: dimensions }, () => random() - 0.5);

async function fill(store: FullStore, count: number): Promise<void> {
  const texts = Array.from({ length: count }, (_, index) => `word${index}`);
  const half = count >> 1;
  await store.put(
    [
      document("a.md", texts.slice(0, half)),
      // Some texts twice: equal vectors must come in the same order.
      document("b.md", [...texts.slice(half), ...texts.slice(0, 9)]),
    ],
    "cut-1",
  );
  const missing = await store.missingVectors("single", count);
  const entries = missing.map(({ hash }) => ({ hash, vectors: [randomVector()] }));
  await store.putVectors(named("single"), entries, one);
}

async function openBoth(t: TestContext, extension = getLoadablePath(), count = 1500) {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const own = await openAt(path);
  t.after(() => own[Symbol.asyncDispose]());
  await fill(own, count);
  const extended = await openAt(path, { vectorExtension: extension });
  t.after(() => extended[Symbol.asyncDispose]());
  return { path, own, extended };
}

suite("sqlite-vec as the alternative to our own code", {
  skip: skipOnWindows("sqlite-vec is installed for this system only"),
}, () => {
  test("gives the same results as our own code, to the last digit", async (t) => {
    const { own, extended } = await openBoth(t);
    assert.equal((await extended.vectorStatistics("single")).path, "sqlite-vec");
    for (let round = 0; round < 10; round++) {
      const query = randomVector();
      for (const filter of [{}, { pathGlob: "b.md" }]) {
        const options = { limit: 24, filter };
        const [first, second] = [
          await own.byVector("single", query, options),
          await extended.byVector("single", query, options),
        ];
        assert.deepEqual(second.candidates, first.candidates);
        assert.ok(Math.abs(second.median - first.median) < 0.01);
      }
    }
    const { loadError } = await extended.vectorStatistics("single");
    assert.equal(loadError, undefined, "the extension was used throughout");
  });

  test("follows edits, and refuses an invalid query vector", async (t) => {
    const { extended } = await openBoth(t, undefined, 30);
    const asked = randomVector();
    await extended.put([document("c.md", ["new"])], "cut-1");
    await extended.putVectors(named("single"), [{ hash: "hash of new", vectors: [asked] }], one);
    const [best] = (await extended.byVector("single", asked, { limit: 1 })).candidates;
    assert.equal((await extended.chunks([best!.id]))[0]?.text, "new");
    assert.ok(best!.similarity > 0.999999);
    await extended.remove("memory", ["c.md"]);
    const { candidates } = await extended.byVector("single", asked, { limit: 1 });
    assert.ok(candidates[0]!.similarity < 0.9);
    const short = Float32Array.of(1, 2);
    await assert.rejects(extended.byVector("single", short, { limit: 1 }), { code: "vectors-invalid" });
    assert.deepEqual((await extended.byVector("unknown", asked, { limit: 1 })).candidates, []);
  });

  test("is found with or without the extension of its file", async (t) => {
    const bare = getLoadablePath().replace(/\.\w+$/, "");
    const { extended } = await openBoth(t, bare, 10);
    await extended.byVector("single", randomVector(), { limit: 1 });
    assert.equal((await extended.vectorStatistics("single")).path, "sqlite-vec");
  });

  test("is not used for texts with several vectors, and status says so", async (t) => {
    const path = makeTemporaryFolder(t).at("index.sqlite");
    await using store = await openAt(path, { vectorExtension: getLoadablePath() });
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    await embedAll(store);
    assert.deepEqual(await similarTo(store, "pear"), ["pear"]);
    const { path: used, loadError } = await store.vectorStatistics("model");
    assert.equal(used, "builtin");
    assert.match(loadError!, /several small vectors/);
  });

  test("runs on a connection that cannot change the index", async (t) => {
    const path = makeTemporaryFolder(t).at("index.sqlite");
    const session = await openSession(loadSqlite(), {
      path,
      tokens: () => ({ body: "", head: "" }),
      now: Date.now,
      onRepair: () => {},
    });
    t.after(() => session.close());
    const db = session.extended(getLoadablePath());
    assert.equal(db.prepare("SELECT count(*) AS count FROM files").get()?.["count"], 0);
    assert.throws(() => db.exec("INSERT INTO meta VALUES ('a', 'b')"), /readonly/);
  });

  test("leaves a connection that can load nothing more", () => {
    const db = new DatabaseSync(":memory:", { allowExtension: true });
    loadExtension(db, getLoadablePath());
    assert.throws(() => db.loadExtension(getLoadablePath()));
    assert.throws(() => db.prepare("SELECT load_extension(?)").get(getLoadablePath()));
    db.close();
  });
});

suite("sqlite-vec that does not work", {
  skip: skipOnWindows("sqlite-vec is installed for this system only"),
}, () => {
  const answers = async (t: TestContext, extension: string) => {
    const { own, extended } = await openBoth(t, extension, 50);
    const query = randomVector();
    const options = { limit: 5 };
    assert.deepEqual(
      await extended.byVector("single", query, options),
      await own.byVector("single", query, options),
    );
    const { path, loadError } = await extended.vectorStatistics("single");
    assert.equal(path, "builtin");
    assert.ok(loadError?.startsWith(`sqlite-vec could not be loaded from ${extension}: `), loadError);
    assert.ok(!loadError?.includes("\n"));
    assert.doesNotMatch(loadError ?? "", /did not load within/);
  };

  test("because it is missing costs no answer, and status says so in one line", async (t) => {
    await answers(t, makeTemporaryFolder(t).at("vec0.so"));
  });

  test("because the file is not a library costs no answer", async (t) => {
    const broken = makeTemporaryFolder(t).at("vec0.so");
    writeFileSync(broken, "\x7fELF nothing of the kind");
    await answers(t, broken);
  });

  test("because half of it is missing costs no answer, even if that crashes the trial process", async (t) => {
    const half = makeTemporaryFolder(t).at("half.so");
    const library = readFileSync(getLoadablePath());
    writeFileSync(half, library.subarray(0, library.length >> 1));
    const problem = await createVectorExtension(half).problem();
    assert.match(problem ?? "", /^sqlite-vec could not be loaded from /);
    assert.doesNotMatch(problem ?? "", /DatabaseSync/, "the reason, not the program that found it");
  });

  test("because it was removed after the trial costs no answer", async (t) => {
    const folder = makeTemporaryFolder(t);
    const path = folder.at("index.sqlite");
    const library = folder.at("vec0.so");
    copyFileSync(getLoadablePath(), library);
    await using store = await openAt(path, { vectorExtension: library });
    await fill(store, 20);
    assert.equal((await store.vectorStatistics("single")).path, "sqlite-vec");
    rmSync(library);
    assert.equal((await store.byVector("single", randomVector(), { limit: 5 })).candidates.length, 5);
    assert.equal((await store.vectorStatistics("single")).path, "builtin");
  });

  test("because it hangs is given up", async () => {
    const problem = await createVectorExtension(getLoadablePath(), 1).problem();
    assert.match(problem!, /did not load within 0\.001 s/);
  });
});
