import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, symlinkSync, truncateSync } from "node:fs";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { nastyPath } from "../../test/support/nasty-path.ts";
import { skipWithoutHardLinks, skipWithoutLinks, skipWithoutPipes } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { LonghandError } from "../errors.ts";
import { type NotesOptions, openNotes } from "./notes.ts";

function open(workspaceDir: string, options: Partial<NotesOptions> = {}) {
  return openNotes({
    workspaceDir,
    extraPaths: [],
    exclude: [],
    timezone: "UTC",
    withLock: async (work) => work(),
    ...options,
  });
}

test("lines of a note are returned with their numbers", async (t) => {
  const { dir } = makeTemporaryFolder(t, { "memory/a.md": "1\n2\n3\n" });
  const path = "memory/a.md";
  assert.deepEqual(await open(dir).readLines({ path, from: 2, lines: 1 }), {
    path,
    text: "2",
    from: 2,
    lines: 1,
    totalLines: 3,
    nextFrom: 3,
  });
});

test("a missing note has no lines, and is not an error", async (t) => {
  const { dir } = makeTemporaryFolder(t);
  const notes = open(dir, { extraPaths: ["/not/mounted"] });
  for (const path of ["MEMORY.md", "memory.md", "memory/deep/none.md", "extra/0/none.md"]) {
    assert.deepEqual(await notes.readLines({ path }), { path, text: "", from: 1, lines: 0, totalLines: 0 });
    assert.equal(await notes.read(path), null);
  }
});

test("a file that is not a note is refused by every call", async (t) => {
  const { dir } = makeTemporaryFolder(t, { "MEMORY.md": "", "README.md": "readme" });
  const notes = open(dir);
  for (const path of [
    "README.md",
    "../../etc/passwd",
    "/etc/passwd",
    "a.md\0.png",
    "",
    "memory/../README.md",
  ]) {
    const refused = { code: "path-outside-memory" };
    await assert.rejects(notes.readLines({ path }), refused, path);
    await assert.rejects(notes.read(path), refused, path);
    await assert.rejects(notes.append({ text: "x", to: path }), refused, path);
  }
});

test("notes that the user excluded cannot be read by their path, either", async (t) => {
  const { dir } = makeTemporaryFolder(t, {
    "memory/private/a.md": "secret",
    ".longhandignore": "private/\n",
  });
  await assert.rejects(open(dir).readLines({ path: "memory/private/a.md" }), { code: "path-outside-memory" });
});

test("a session that others can read gets no private note under any name", {
  skip: skipWithoutHardLinks,
}, async (t) => {
  const folder = makeTemporaryFolder(t, { "MEMORY.md": "private", "memory/a.md": "shared" });
  linkSync(folder.at("MEMORY.md"), folder.at("memory/alias.md"));
  const notes = open(folder.dir);
  for (const path of ["MEMORY.md", "memory/alias.md"]) {
    await assert.rejects(notes.readLines({ path, sharedOnly: true }), {
      code: "path-outside-memory",
      message: /private/,
    });
    assert.equal((await notes.readLines({ path })).text, "private");
  }
  assert.equal((await notes.readLines({ path: "memory/a.md", sharedOnly: true })).text, "shared");
  for (const to of ["long-term", "memory/alias.md"]) {
    await assert.rejects(notes.append({ text: "private", to, sharedOnly: true }), {
      code: "path-outside-memory",
    });
  }
  assert.equal((await notes.append({ text: "new", to: "memory/a.md", sharedOnly: true })).startLine, 3);
});

test("reading lines of a binary or oversized note says so", async (t) => {
  const folder = makeTemporaryFolder(t, { "memory/large.md": "" });
  folder.write("memory/binary.md", Buffer.from([1, 0, 2]));
  truncateSync(folder.at("memory/large.md"), 100 * 1024 * 1024);
  const notes = open(folder.dir);
  await assert.rejects(notes.readLines({ path: "memory/binary.md" }), { code: "note-binary" });
  await assert.rejects(notes.readLines({ path: "memory/large.md" }), { code: "note-too-large" });
});

/** A workspace among files that must never be seen; all of them hold the word "canary". */
function surroundWithCanaries(t: TestContext) {
  const folder = makeTemporaryFolder(t, {
    "secret.md": "canary",
    "ws-twin/memory/a.md": "canary",
    "ws/README.md": "canary",
    "ws/a.md": "canary",
    "ws/memory/.git/a.md": "canary",
    "ws/memory/.a.md": "canary",
    "ws/memory/node_modules/a.md": "canary",
    "ws/memory/hidden.txt": "canary",
    "ws/memory/left-out/a.md": "canary",
    "out/secret/a.md": "canary",
    "ws/MEMORY.md": "long-term",
    "ws/memory/a.md": "fine",
    "ws/docs/a.md": "fine",
    "out/notes/a.md": "fine",
  });
  if (!skipWithoutLinks) {
    symlinkSync(folder.dir, folder.at("ws/memory/up"));
    symlinkSync(folder.at("secret.md"), folder.at("ws/memory/link.md"));
    symlinkSync(folder.at("out/secret"), folder.at("out/notes/link"));
    symlinkSync("/", folder.at("ws/docs/root"));
  }
  if (!skipWithoutPipes) execFileSync("mkfifo", [folder.at("ws/memory/fifo.md")]);
  return folder;
}

test("no path, however it is composed, reads anything outside the notes", async (t) => {
  const folder = surroundWithCanaries(t);
  const notes = open(folder.at("ws"), {
    extraPaths: [folder.at("out/notes"), "docs"],
    exclude: ["left-out/"],
  });
  const part = fc.constantFrom(
    ...[
      "..",
      "..",
      ".",
      "memory",
      "memory",
      "extra",
      "0",
      "1",
      "docs",
      "up",
      "link",
      "root",
      "out",
      "secret",
      "ws",
    ],
    ...[
      "ws-twin",
      ".git",
      "node_modules",
      "left-out",
      "notes",
      "MEMORY.md",
      "a.md",
      "link.md",
      ".a.md",
      "README.md",
    ],
    ...[
      "secret.md",
      "hidden.txt",
      "fifo.md",
      folder.dir,
      folder.dir.slice(1),
      "",
      "MEMORY.md ",
      "memory.",
      "\0",
      "~",
    ],
    // Other spellings of what is excluded, for file systems that treat them as the same.
    ...["Left-Out", "LEFT-O~1", "NODE_MODULES", "GIT~1", ".GIT", "A.md", "C:", "CON", "a.md::$DATA", "..."],
  );
  const path = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 5 }), fc.constantFrom("/", "/", "/", "\\", "//"))
    .map(([parts, between]) => parts.join(between));
  let readable = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: path }, nastyPath), async (each) => {
      try {
        const { text } = await notes.readLines({ path: each });
        assert.ok(["", "fine", "long-term"].includes(text), each);
        if (text !== "") readable++;
      } catch (error) {
        assert.ok(error instanceof LonghandError && error.hint !== "", `${JSON.stringify(each)}: ${error}`);
        assert.match(error.code, /^(?:path-outside-memory|note-unreadable)$/);
      }
    }),
    { seed: 20260301, numRuns: 6000 },
  );
  assert.ok(readable > 0, "some paths did name notes");
});
