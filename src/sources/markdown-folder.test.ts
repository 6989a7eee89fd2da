import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { rmSync, statSync, utimesSync } from "node:fs";
import { test } from "node:test";
import { makeTemporaryFolder, type TemporaryFolder } from "../../test/support/temporary-folder.ts";
import { openNotes } from "../notes/notes.ts";
import { createMask } from "../text/mask.ts";
import { createNotesSource } from "./markdown-folder.ts";
import { sourceContract } from "./source.contract.ts";
import type { Source } from "./source.ts";

const inAnHour = () => new Date(Date.now() + 3_600_000);

function openSource(folder: TemporaryFolder, now = inAnHour, keys: readonly string[] = []) {
  const notes = openNotes({
    workspaceDir: folder.dir,
    extraPaths: [],
    exclude: [],
    timezone: "UTC",
    now,
    withLock: async (work) => work(),
  });
  return createNotesSource(notes, createMask(keys));
}

sourceContract("a folder of notes", {
  async create() {
    const ends: (() => void)[] = [];
    const folder = makeTemporaryFolder({ after: (end) => void ends.push(end as () => void) });
    const pathOf = (name: string): string => `memory/${name}.md`;
    folder.makeFolder("memory");
    return {
      open: async () => openSource(folder),
      async write(name, text) {
        folder.write(pathOf(name), text);
        return pathOf(name);
      },
      remove: async (name) => rmSync(folder.at(pathOf(name))),
      async [Symbol.asyncDispose]() {
        for (const end of ends) end();
      },
    };
  },
});

test("secrets are masked, lines stay where they are, and another key makes another version", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write("MEMORY.md", "- one\n- password=hunter2xyz and opensesame123\n- three\n");
  const plain = openSource(folder);
  const keyed = openSource(folder, inAnHour, ["opensesame123"]);
  const read = async (source: Source) => (await source.read("MEMORY.md"))!;
  assert.equal(
    (await read(plain)).text,
    "- one\n- password=[redacted:assignment] and opensesame123\n- three\n",
  );
  assert.match(
    (await read(keyed)).text,
    /\n- password=\[redacted:assignment\] and \[redacted:configured-key\]\n/,
  );
  for (const source of [plain, keyed]) {
    assert.equal((await source.list()).entries[0]!.version, (await read(source)).version);
  }
  assert.notEqual((await read(plain)).version, (await read(keyed)).version);
  assert.notEqual((await read(plain)).hash, (await read(keyed)).hash);
});

test("a note becomes a document with all that is known of it", async (t) => {
  const folder = makeTemporaryFolder(t);
  const bytes = Buffer.from("\ufeff# Größe\r\n");
  folder.write("memory/team/2026-03-01-plan.md", bytes);
  const source = openSource(folder);
  const { entries } = await source.list();
  const document = await source.read("memory/team/2026-03-01-plan.md");
  assert.equal(source.name, "memory");
  assert.deepEqual(document, {
    source: "memory",
    path: "memory/team/2026-03-01-plan.md",
    version: entries[0]!.version,
    text: "# Größe\r\n",
    hash: createHash("sha256").update(bytes).digest("hex"),
    sizeBytes: bytes.length,
    modifiedAt: statSync(folder.at("memory/team/2026-03-01-plan.md"), { bigint: true }).mtime,
    date: "2026-03-01",
    scope: "shared",
  });
});

test("the long-term note is private and has no date", async (t) => {
  const source = openSource(makeTemporaryFolder(t, { "MEMORY.md": "x" }));
  const document = await source.read("MEMORY.md");
  assert.equal(document?.scope, "private");
  assert.ok(document !== null && !("date" in document));
});

test("a note that is gone since it was listed is null", async (t) => {
  assert.equal(await openSource(makeTemporaryFolder(t)).read("memory/gone.md"), null);
});

test("a note that was just written has a version that no listing repeats, until it has rested", async (t) => {
  const folder = makeTemporaryFolder(t, { "MEMORY.md": "one" });
  const fresh = await openSource(folder, () => new Date()).read("MEMORY.md");
  const listed = async () => (await openSource(folder).list()).entries[0]!.version;
  assert.notEqual(fresh?.version, await listed());
  const { atime, mtime } = statSync(folder.at("MEMORY.md"));
  folder.write("MEMORY.md", "two");
  utimesSync(folder.at("MEMORY.md"), atime, mtime);
  assert.notEqual(fresh?.version, await listed(), "the same size and time of change do not hide new text");
  assert.equal((await openSource(folder).read("MEMORY.md"))?.version, await listed());
});

test("front matter gives a title and, where the file name has none, a date", async (t) => {
  const folder = makeTemporaryFolder(t);
  folder.write("memory/plan.md", "---\ntitle: Harbour plan\ndate: 2026-02-03\n---\n\nDig deeper.\n");
  folder.write("memory/2026-03-01.md", "---\ndate: 2026-02-03\n---\n\nMonday.\n");
  folder.write("memory/broken.md", "---\ntitle: [\n---\n\nStill a note.\n");
  const source = openSource(folder);
  const plan = await source.read("memory/plan.md");
  assert.deepEqual([plan?.title, plan?.date], ["Harbour plan", "2026-02-03"]);
  assert.equal((await source.read("memory/2026-03-01.md"))?.date, "2026-03-01");
  const broken = await source.read("memory/broken.md");
  assert.deepEqual([broken?.title, broken?.date], [undefined, undefined]);
  assert.match(broken?.text ?? "", /Still a note/);
});
