import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { asOrdinaryUser } from "../../test/support/ordinary-user.ts";
import {
  skipWhereCaseIsIgnored,
  skipWithoutHardLinks,
  skipWithoutLinks,
  skipWithoutModes,
  skipWithoutOddNames,
  skipWithoutPipes,
} from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Listing } from "../sources/source.ts";
import { openNotes } from "./notes.ts";

interface ScanOptions {
  extraPaths?: string[];
  exclude?: string[];
  signal?: AbortSignal;
  onProgress?: (count: number) => void;
}

function scan(
  workspaceDir: string,
  { extraPaths = [], exclude = [], ...options }: ScanOptions = {},
): Promise<Listing> {
  const notes = openNotes({
    workspaceDir,
    extraPaths,
    exclude,
    timezone: "UTC",
    withLock: async (work) => work(),
  });
  return notes.scan(options);
}

function paths(listing: Listing): string[] {
  return listing.entries.map(({ path }) => path);
}

function skips(listing: Listing): string[] {
  return listing.skipped.map(({ path, reason }) => `${path} ${reason}`);
}

function workspaceOf(t: TestContext, ...names: string[]) {
  return makeTemporaryFolder(t, Object.fromEntries(names.map((name) => [name, name])));
}

test("notes are MEMORY.md and all .md files below memory/, in a fixed order", async (t) => {
  const names = [
    "memory/b.md",
    "memory/a/z.md",
    "memory/a.md",
    "MEMORY.md",
    "memory/c/d/e/f.md",
    "memory/E.md",
  ];
  const { dir } = workspaceOf(t, ...names, "README.md", "docs/x.md", "memory/image.png", "memory/a.markdown");
  const listing = await scan(dir);
  assert.deepEqual(paths(listing), [
    "MEMORY.md",
    "memory/E.md",
    "memory/a/z.md",
    "memory/a.md",
    "memory/b.md",
    "memory/c/d/e/f.md",
  ]);
  assert.deepEqual(listing.skipped, []);
});

test("an empty workspace has no notes", async (t) => {
  const { entries, skipped } = await scan(makeTemporaryFolder(t).dir);
  assert.deepEqual({ entries, skipped }, { entries: [], skipped: [] });
});

test("memory.md is listed only while there is no MEMORY.md, and is reported otherwise", {
  skip: skipWhereCaseIsIgnored,
}, async (t) => {
  const folder = workspaceOf(t, "memory.md");
  assert.deepEqual(paths(await scan(folder.dir)), ["memory.md"]);
  folder.write("MEMORY.md");
  const listing = await scan(folder.dir);
  assert.deepEqual([paths(listing), skips(listing)], [["MEMORY.md"], ["memory.md excluded"]]);
  // On a case-insensitive file system both names lead to one file; to the scan a hard link looks the same.
  renameSync(folder.at("memory.md"), folder.at("MEMORY.md"));
  linkSync(folder.at("MEMORY.md"), folder.at("memory.md"));
  const twin = await scan(folder.dir);
  assert.deepEqual([paths(twin), skips(twin)], [["MEMORY.md"], []]);
});

test("hidden folders, node_modules and .git are never entered; hidden notes are reported", async (t) => {
  const names = [
    "memory/.git/a.md",
    "memory/.obsidian/b.md",
    "memory/node_modules/c/d.md",
    "memory/ok.md",
    "memory/.e.md",
    // macOS writes it on file systems that cannot store the attributes of ok.md.
    "memory/._ok.md",
  ];
  const listing = await scan(workspaceOf(t, ...names).dir);
  assert.deepEqual([paths(listing), skips(listing)], [["memory/ok.md"], ["memory/.e.md excluded"]]);
});

test("only .md in lower case is a note; other spellings are reported", async (t) => {
  const listing = await scan(workspaceOf(t, "memory/a.MD", "memory/b.Md", "memory/c.md", "memory/d.txt").dir);
  assert.deepEqual(paths(listing), ["memory/c.md"]);
  assert.deepEqual(skips(listing), ["memory/a.MD excluded", "memory/b.Md excluded"]);
});

test("symlinks are reported and not followed, loops included", { skip: skipWithoutLinks }, async (t) => {
  const folder = workspaceOf(t, "ws/memory/a.md", "out/b.md");
  symlinkSync(folder.at("out/b.md"), folder.at("ws/memory/link.md"));
  symlinkSync(folder.at("out"), folder.at("ws/memory/folder"));
  symlinkSync("..", folder.at("ws/memory/up"));
  symlinkSync("self.md", folder.at("ws/memory/self.md"));
  symlinkSync(folder.at("out/b.md"), folder.at("ws/MEMORY.md"));
  const listing = await scan(folder.at("ws"));
  assert.deepEqual(paths(listing), ["memory/a.md"]);
  const links = ["MEMORY.md", "memory/folder", "memory/link.md", "memory/self.md", "memory/up"];
  assert.deepEqual(
    skips(listing),
    links.map((link) => `${link} symlink`),
  );
  assert.deepEqual(listing.skipped[0], { path: "MEMORY.md", reason: "symlink" });
});

test("a memory folder that is itself a symlink is reported, and the workspace may be one", {
  skip: skipWithoutLinks,
}, async (t) => {
  const folder = workspaceOf(t, "out/a.md", "real/memory/b.md");
  mkdirSync(folder.at("ws"));
  symlinkSync(folder.at("out"), folder.at("ws/memory"));
  symlinkSync(folder.at("real"), folder.at("alias"));
  assert.deepEqual(skips(await scan(folder.at("ws"))), ["memory symlink"]);
  assert.deepEqual(paths(await scan(folder.at("alias"))), ["memory/b.md"]);
});

test("folders, FIFOs and sockets named like notes are reported as not regular files", {
  skip: skipWithoutPipes,
}, async (t) => {
  const folder = workspaceOf(t, "memory/x.md/inner.md", "memory/a.md");
  execFileSync("mkfifo", [folder.at("memory/y.md")]);
  const server = createServer().listen(folder.at("memory/z.md"));
  t.after(() => server.close());
  mkdirSync(folder.at("MEMORY.md"));
  const listing = await scan(folder.dir);
  assert.deepEqual(paths(listing), ["memory/a.md"]);
  const names = ["MEMORY.md", "memory/x.md", "memory/y.md", "memory/z.md"];
  assert.deepEqual(
    skips(listing),
    names.map((name) => `${name} not-a-file`),
  );
});

test("a file called memory is reported", async (t) => {
  assert.deepEqual(skips(await scan(workspaceOf(t, "memory").dir)), ["memory not-a-file"]);
});

test("a note over 16 MiB is left out and one of exactly 16 MiB is listed", async (t) => {
  const folder = workspaceOf(t, "memory/fits.md", "memory/large.md");
  truncateSync(folder.at("memory/fits.md"), 16 * 1024 * 1024);
  truncateSync(folder.at("memory/large.md"), 16 * 1024 * 1024 + 1);
  const listing = await scan(folder.dir);
  assert.deepEqual([paths(listing), skips(listing)], [["memory/fits.md"], ["memory/large.md too-large"]]);
});

test("one file with two names is listed once, under the first", { skip: skipWithoutHardLinks }, async (t) => {
  const folder = workspaceOf(t, "MEMORY.md", "memory/a.md");
  linkSync(folder.at("memory/a.md"), folder.at("memory/b.md"));
  linkSync(folder.at("MEMORY.md"), folder.at("memory/c.md"));
  const listing = await scan(folder.dir);
  assert.deepEqual(paths(listing), ["MEMORY.md", "memory/a.md"]);
  assert.deepEqual(listing.skipped, [
    { path: "memory/b.md", reason: "duplicate", detail: "the same as memory/a.md" },
    { path: "memory/c.md", reason: "duplicate", detail: "the same as MEMORY.md" },
  ]);
});

test("names that could not be opened again are reported instead of listed", {
  skip:
    (process.platform !== "linux" && "such names cannot be made") ||
    skipWithoutOddNames ||
    skipWhereCaseIsIgnored,
}, async (t) => {
  const names = [
    "memory/a:b.md",
    "memory/back\\slash.md",
    "memory/con.md",
    "memory/ok.md",
    "memory/trailing /x.md",
  ];
  const folder = workspaceOf(t, ...names);
  writeFileSync(
    Buffer.concat([Buffer.from(folder.at("memory/")), Buffer.from([0xff]), Buffer.from(".md")]),
    "",
  );
  const listing = await scan(folder.dir);
  assert.deepEqual(paths(listing), ["memory/ok.md"]);
  const refused = [
    "memory/a:b.md",
    "memory/back\\slash.md",
    "memory/con.md",
    "memory/trailing ",
    "memory/\ufffd.md",
  ];
  assert.deepEqual(
    skips(listing),
    refused.map((name) => `${name} invalid-path`),
  );
});

test("extra paths are listed after the workspace, numbered or relative to it", async (t) => {
  const folder = workspaceOf(
    t,
    "ws/memory/a.md",
    "ws/docs/b.md",
    "ws/README.md",
    "out/deep/c.md",
    "single.md",
  );
  const extraPaths = [folder.at("out"), "docs", "../single.md", "README.md"];
  const listing = await scan(folder.at("ws"), { extraPaths });
  assert.deepEqual(paths(listing), [
    "memory/a.md",
    "extra/0/deep/c.md",
    "docs/b.md",
    "extra/2/single.md",
    "README.md",
  ]);
  assert.deepEqual(listing.skipped, []);
});

test("every listed path can be read again, also with overlapping and oddly named extra paths", {
  skip: skipWhereCaseIsIgnored || skipWithoutOddNames,
}, async (t) => {
  const names = [
    "ws/memory/a.md",
    "ws/MEMORY.md",
    "ws/extra/0/b.md",
    "ws/extra/1/c.md",
    "out/c.md",
    "ws/x:y/d.md",
  ];
  const folder = workspaceOf(t, ...names, "ws/memory.md", "ws/.dots/e.md");
  const extraPaths = [".", folder.at("out"), "x:y", ".dots", folder.dir, "extra", "memory"];
  const notes = openNotes({
    workspaceDir: folder.at("ws"),
    extraPaths,
    exclude: [],
    timezone: "UTC",
    withLock: async (work) => work(),
  });
  const { entries, skipped } = await notes.scan();
  const texts = await Promise.all(entries.map(async ({ path }) => [path, (await notes.read(path))?.text]));
  assert.deepEqual(texts, [
    ["MEMORY.md", "ws/MEMORY.md"],
    ["memory/a.md", "ws/memory/a.md"],
    ["extra/0/b.md", "ws/extra/0/b.md"],
    ["extra/1/c.md", "out/c.md"],
    ["extra/2/d.md", "ws/x:y/d.md"],
    [".dots/e.md", "ws/.dots/e.md"],
  ]);
  assert.deepEqual(
    skipped.map(({ path, reason }) => `${path} ${reason}`),
    [
      "memory.md excluded",
      "extra/1/c.md excluded",
      "x:y invalid-path",
      "extra/4/out/ duplicate",
      "extra/4/ws/ duplicate",
      "extra/5/ duplicate",
    ],
  );
});

test("a missing extra path is reported", async (t) => {
  const { dir } = workspaceOf(t, "memory/a.md");
  const listing = await scan(dir, { extraPaths: ["/not/mounted", "none.md"] });
  assert.deepEqual(paths(listing), ["memory/a.md"]);
  assert.deepEqual(listing.skipped, [
    { path: "extra/0", reason: "missing", detail: "extraPaths[0] is /not/mounted" },
    { path: "none.md", reason: "missing", detail: "extraPaths[1] is none.md" },
  ]);
  assert.equal(listing.hidesChanges, true, "it may be there at any time");
  assert.equal((await scan(workspaceOf(t, "MEMORY.md").dir)).hidesChanges, false);
});

test("an extra file that is not Markdown is reported, but not as missing", async (t) => {
  const listing = await scan(workspaceOf(t, "a.txt").dir, { extraPaths: ["a.txt"] });
  assert.deepEqual(skips(listing), ["extra/0/a.txt excluded"]);
});

test("exclude patterns and .longhandignore leave files out, as gitignore would", async (t) => {
  const names = [
    "MEMORY.md",
    "memory/a.md",
    "memory/drafts/b.md",
    "memory/keep.tmp.md",
    "memory/x.tmp.md",
    "docs/c.md",
  ];
  const folder = workspaceOf(t, ...names, "memory/Drafts.md");
  folder.write(".longhandignore", "# comment\r\n\r\n*.tmp.md\r\n!keep.tmp.md\n");
  const listing = await scan(folder.dir, { exclude: ["drafts/", "/docs/*.md"], extraPaths: ["docs"] });
  assert.deepEqual(paths(listing), ["MEMORY.md", "memory/Drafts.md", "memory/a.md", "memory/keep.tmp.md"]);
  assert.deepEqual(skips(listing), [
    "memory/drafts excluded",
    "memory/x.tmp.md excluded",
    "docs/c.md excluded",
  ]);
});

test("rules that cannot be read stop the scan, because going on would show what they hide", {
  skip: skipWithoutLinks,
}, async (t) => {
  const folder = workspaceOf(t, "memory/a.md", "rules");
  symlinkSync(folder.at("rules"), folder.at(".longhandignore"));
  await assert.rejects(scan(folder.dir), { code: "config-invalid", message: /\.longhandignore/ });
});

test("a folder without read permission is reported", {
  skip: skipWithoutModes,
}, async (t) => {
  const folder = workspaceOf(t, "memory/a.md", "memory/closed/b.md", "memory/z.md");
  chmodSync(folder.dir, 0o755);
  chmodSync(folder.at("memory/closed"), 0);
  const listing = await asOrdinaryUser(() => scan(folder.dir));
  chmodSync(folder.at("memory/closed"), 0o755);
  assert.deepEqual(paths(listing), ["memory/a.md", "memory/z.md"]);
  assert.deepEqual(skips(listing), ["memory/closed unreadable"]);
});

test("a note that iCloud has evicted is reported, and does not count as deleted", async (t) => {
  const listing = await scan(
    workspaceOf(t, "memory/a.md", "memory/.b.md.icloud", "memory/.c.txt.icloud").dir,
  );
  assert.deepEqual([paths(listing), skips(listing)], [["memory/a.md"], ["memory/b.md unreadable"]]);
  assert.equal(listing.hidesChanges, true);
});

test("a missing workspace is an error and not an empty listing", async (t) => {
  await assert.rejects(scan(makeTemporaryFolder(t).at("none")), { code: "workspace-missing" });
});

test("a version stays while a file is untouched and changes with its size, times or identity", async (t) => {
  const folder = workspaceOf(t, "memory/a.md");
  const version = async () => (await scan(folder.dir)).entries[0]!.version;
  const seen = [await version()];
  assert.equal(await version(), seen[0]);
  const changes = [
    () => folder.write("memory/a.md", "longer than before"),
    () => utimesSync(folder.at("memory/a.md"), 1, 1.000001),
    ...(skipWithoutModes ? [] : [() => chmodSync(folder.at("memory/a.md"), 0o600)]),
    () => renameSync(folder.write("new.md", "longer than before"), folder.at("memory/a.md")),
  ];
  for (const change of changes) {
    change();
    seen.push(await version());
  }
  assert.equal(new Set(seen).size, seen.length);
});

test("a scan can be cancelled, and yields to other work", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.makeFolder("memory");
  for (let number = 0; number < 2000; number++) writeFileSync(folder.at(`memory/${number}.md`), "");
  await assert.rejects(scan(folder.dir, { signal: AbortSignal.abort() }), { code: "aborted" });

  let turns = 0;
  let isDone = false;
  const counts: number[] = [];
  const scanning = scan(folder.dir, { onProgress: (count) => counts.push(count) }).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await nextTurn();
    turns++;
  }
  assert.equal((await scanning).entries.length, 2000);
  assert.ok(turns > 1, "the event loop turned while the scan ran");
  assert.ok(
    counts.length > 0 && counts.every((count, at) => count <= 2000 && count >= (counts[at - 1] ?? 0)),
  );

  const controller = new AbortController();
  const cancelled = scan(folder.dir, { signal: controller.signal });
  setImmediate(() => controller.abort());
  await assert.rejects(cancelled, { code: "aborted" });
});

test("a folder that is large enough to be read in pieces is also listed in order", async (t) => {
  // Names this long make a folder of more than 64 KiB on most file systems.
  const names = Array.from(
    { length: 400 },
    (_, index) => `memory/${String(index).padStart(4, "0")}${"x".repeat(230)}.md`,
  );
  const folder = workspaceOf(t, ...names.toReversed());
  assert.deepEqual(paths(await scan(folder.dir)), names);
});

test("a listing names the folders that can change it, and notices when one does", async (t) => {
  const folder = workspaceOf(t, "MEMORY.md", "memory/a/x.md", "other/y.md", "extra/deep/z.md");
  const { folders = [] } = await scan(folder.dir, { extraPaths: ["extra"] });
  const byPath = new Map(
    folders.map((each) => [each.path.slice(folder.dir.length + 1).replaceAll("\\", "/"), each]),
  );
  assert.deepEqual([...byPath.keys()].sort(), ["", "extra", "extra/deep", "memory", "memory/a"]);
  const root = byPath.get("")!;
  for (const name of ["MEMORY.md", "memory.md", "memory", ".longhandignore"])
    assert.ok(root.concerns(name), name);
  assert.deepEqual([root.concerns("README.md"), root.concerns("other")], [false, false]);
  const inner = byPath.get("memory/a")!;
  assert.deepEqual([inner.concerns("new.md"), inner.concerns(".hidden")], [true, false]);
  assert.ok(folders.every((each) => each.isUnchanged()));
  folder.write("memory/a/new.md", "");
  // Where timestamps have a resolution of two seconds, the new note alone may not show.
  utimesSync(folder.at("memory/a"), new Date(), new Date(Date.now() + 10_000));
  assert.deepEqual(
    folders.filter((each) => !each.isUnchanged()),
    [inner],
  );
});
