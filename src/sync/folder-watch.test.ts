import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { suite, type TestContext, test } from "node:test";
import { finish, startProgram } from "../../test/support/child-process.ts";
import { hangLimitMs } from "../../test/support/hang-limit.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { ListedFolder } from "../sources/source.ts";
import { createFolderWatch, type FolderWatchOptions } from "./folder-watch.ts";

function listFolder(path: string, concerns = (name: string) => !name.startsWith(".")): ListedFolder {
  const { dev, ino, birthtimeMs } = statSync(path);
  return { path, id: `${dev}:${ino}:${birthtimeMs}`, concerns, isUnchanged: () => true };
}

function openFixture(t: TestContext, options: Partial<FolderWatchOptions> = {}) {
  const folder = makeTemporaryFolder(t);
  let hinted = Promise.withResolvers<void>();
  const reasons: string[] = [];
  const watch = createFolderWatch({
    onHint: () => hinted.resolve(),
    onUnusable: (reason) => reasons.push(reason),
    ...options,
  });
  t.after(() => watch[Symbol.dispose]());
  return {
    folder,
    watch,
    reasons,
    /** Resolves with the first hint after the change; without one, the test times out. */
    async hintAfter(change: () => void): Promise<void> {
      // Lets events from before the change arrive.
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      hinted = Promise.withResolvers<void>();
      change();
      await hinted.promise;
    },
  };
}

suite("every way to save a file is a hint", { timeout: hangLimitMs }, () => {
  const saves: Record<string, (file: string) => void> = {
    "write in place": (file) => writeFileSync(file, "new"),
    "truncate, then write": (file) => {
      truncateSync(file, 0);
      appendFileSync(file, "new");
    },
    "move the old one away, write, delete the old one": (file) => {
      renameSync(file, `${file}~`);
      writeFileSync(file, "new");
      unlinkSync(`${file}~`);
    },
    "write another, move it over": (file) => {
      writeFileSync(`${file}.tmp`, "new");
      renameSync(`${file}.tmp`, file);
    },
    append: (file) => appendFileSync(file, "new"),
    delete: (file) => unlinkSync(file),
  };
  for (const [name, save] of Object.entries(saves)) {
    test(name, async (t) => {
      const { folder, watch, hintAfter } = openFixture(t);
      const file = folder.write("a.md", "old");
      watch.follow([listFolder(folder.dir)]);
      await hintAfter(() => save(file));
    });
  }
});

test("names that do not concern the listing are not a hint, unless there are a thousand of them", {
  timeout: hangLimitMs,
}, async (t) => {
  const { folder, watch, hintAfter } = openFixture(t);
  folder.write("MEMORY.md", "1");
  watch.follow([listFolder(folder.dir, (name) => name === "MEMORY.md")]);
  const before = watch.hints;
  folder.write("other.txt", "1");
  await hintAfter(() => unlinkSync(folder.at("MEMORY.md")));
  const after = watch.hints;
  // Elsewhere a deletion may be several events.
  if (process.platform === "linux") assert.equal(after, before + 1);
  else assert.ok(after > before);
  await hintAfter(() => {
    // Different names, because the system merges equal events.
    for (let index = 0; index < 1000; index++) folder.write(`other-${index}.txt`);
  });
  assert.ok(watch.hints > after);
});

test("folders that appear, disappear or are swapped are followed, with one watch per folder", {
  timeout: hangLimitMs,
}, async (t) => {
  const { folder, watch, hintAfter } = openFixture(t);
  const inner = folder.makeFolder("inner");
  for (let index = 0; index < 50; index++) folder.write(`inner/${index}.md`);
  watch.follow([listFolder(folder.dir), listFolder(inner)]);
  assert.equal(watch.watches, 2);
  assert.equal(watch.isSure(), process.platform === "linux");

  await hintAfter(() => rmSync(inner, { recursive: true }));
  // At the same path, perhaps with the same inode.
  mkdirSync(inner);
  const before = watch.hints;
  watch.follow([listFolder(folder.dir), listFolder(inner)]);
  assert.ok(watch.hints > before, "what happened in it before the watch is unknown");
  await hintAfter(() => folder.write("inner/new.md"));

  unlinkSync(folder.at("inner/new.md"));
  rmdirSync(inner);
  watch.follow([listFolder(folder.dir)]);
  assert.equal(watch.watches, 1);
});

test("a folder that is gone before it is watched is left to the next listing", (t) => {
  const { folder, watch, reasons } = openFixture(t);
  const gone = { ...listFolder(folder.dir), path: folder.at("gone") };
  watch.follow([gone]);
  assert.deepEqual([watch.watches, watch.isSure(), reasons], [0, false, []]);
});

test("when watches run out, all are released, and one warning is given", (t) => {
  const { folder, watch, reasons } = openFixture(t, { maxWatches: 3 });
  const folders = ["a", "b", "c", "d", "e"].map((name) => listFolder(folder.makeFolder(name)));
  watch.follow(folders);
  assert.equal(watch.watches, 0);
  watch.follow(folders);
  assert.equal(reasons.length, 1);
  assert.match(reasons[0]!, /more than 3 folders/);
});

test("a file system that does not report all changes is not watched", (t) => {
  const { folder, watch, reasons } = openFixture(t, { kindOf: () => "remote" });
  watch.follow([listFolder(folder.dir)]);
  assert.match(reasons.join(), /does not report all changes/);
});

test("a refused watch is reported with its reason; removed and unreadable folders are not", (t) => {
  const reasonFor = (code: string): string[] => {
    const { folder, watch, reasons } = openFixture(t, {
      kindOf(path) {
        if (path.endsWith("b")) throw Object.assign(new Error("refused"), { code });
        return "local";
      },
    });
    watch.follow([listFolder(folder.makeFolder("a")), listFolder(folder.makeFolder("b"))]);
    assert.equal(watch.watches, reasons.length === 0 ? 1 : 0);
    return reasons;
  };
  assert.deepEqual(reasonFor("ENOSPC"), ["the system gives out no more watches after 1 folders (ENOSPC)"]);
  assert.deepEqual(reasonFor("EMFILE"), ["too many files are open after 1 folders (EMFILE)"]);
  assert.deepEqual(reasonFor("ENFILE"), ["too many files are open after 1 folders (ENFILE)"]);
  assert.deepEqual(reasonFor("EIO"), ["the system refuses to watch (EIO)"]);
  for (const code of ["ENOENT", "ENOTDIR", "EACCES", "EPERM"]) assert.deepEqual(reasonFor(code), []);
});

test("a bug in the program is not reported as a refused watch", (t) => {
  const { folder, watch, reasons } = openFixture(t, {
    kindOf() {
      throw new TypeError("a bug");
    },
  });
  assert.throws(() => watch.follow([listFolder(folder.dir)]), /a bug/);
  assert.deepEqual(reasons, []);
});

test("a process that has reached its limit of open files is reported", {
  skip: process.platform !== "linux" && "needs Linux",
}, async (t) => {
  const folder = makeTemporaryFolder(t);
  const source = `
    import { openSync, statSync } from "node:fs";
    import { createFolderWatch } from ${JSON.stringify(new URL("./folder-watch.ts", import.meta.url).href)};
    const path = process.argv[1];
    const folder = { path, id: "1", concerns: () => true, isUnchanged: () => true };
    const watch = createFolderWatch({ onHint() {}, onUnusable: (reason) => reasons.push(reason) });
    const reasons = [];
    // Lazy imports must happen before no more files can be opened.
    statSync(path);
    try {
      for (;;) openSync(path, "r");
    } catch {
      // The system now refuses the next file, which is the state to test.
    }
    watch.follow([folder]);
    process.stdout.write(JSON.stringify(reasons));`;
  const { stdout } = await finish(startProgram(t, source, [folder.dir]));
  assert.match(stdout, /too many files are open|EMFILE/);
});
