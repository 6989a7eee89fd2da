import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { after, before, describe, type TestContext, test } from "node:test";
import type { Memory } from "../src/index.ts";
import { openMemory } from "../src/index.ts";
import { noteTexts } from "./support/index-fixture.ts";
import { withMemorySearch } from "./support/memory-fixture.ts";
import { runOn, startPglite, type TestServer } from "./support/postgres.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "./support/temporary-folder.ts";

/** Two machines that share an index: each has its own copy of the notes and its own state folder. */
describe("two machines that share an index in PostgreSQL", () => {
  let server: TestServer;
  before(async () => {
    server = await startPglite();
  });
  after(() => server[Symbol.asyncDispose]());

  /** Long after the notes were written, so that none counts as just changed. */
  const now = () => new Date(Date.now() + 3_600_000);
  let agents = 0;

  function makeMachines(t: TestContext, notes: Record<string, string>) {
    const folder = makeTemporaryFolder(t, prefixed("first", notes));
    cpSync(folder.at("first"), folder.at("second"), { recursive: true });
    const agent = `shared${agents++}`;
    const open = (name: string): Promise<Memory> =>
      openMemory({
        workspace: folder.at(name),
        stateDir: folder.at(`${name}-state`),
        agent,
        now,
        config: withMemorySearch({
          provider: "none",
          store: { driver: "postgres", url: server.url },
          sync: { searchWaitMs: 60_000 },
        }),
      });
    /** The revision of the last write to each document. */
    const readRevisions = async (): Promise<unknown[]> =>
      await runOn(
        server.url,
        `SELECT f.path, f.revision FROM longhand.files f JOIN longhand.agents a ON a.id = f.agent_id
         WHERE a.name = '${agent}' ORDER BY 1`,
      );
    return { folder, open, readRevisions };
  }

  test("equal copies rewrite nothing, and no answer is stale", async (t) => {
    const { folder, open, readRevisions } = makeMachines(t, noteTexts(30));
    for (const name of ["first", "second"]) {
      await using memory = await open(name);
      await memory.sync();
    }
    const revisions = await readRevisions();
    assert.equal(revisions.length, 31);
    for (let round = 0; round < 3; round++) {
      for (const name of ["first", "second"]) {
        await using memory = await open(name);
        const { stale, degraded, results } = await memory.search("ship on Fridays");
        assert.deepEqual(
          { stale, degraded, path: results[0]?.path },
          { stale: false, degraded: [], path: "MEMORY.md" },
        );
        assert.equal((await memory.status()).onDisk.changed, 0);
      }
    }
    assert.deepEqual(await readRevisions(), revisions);
    // A machine's record of seen contents may be deleted: notes are read once more, and nothing is written.
    for (const file of seenFiles(folder, "second")) rmSync(file);
    await using memory = await open("second");
    assert.equal((await memory.sync()).updated, 0);
    assert.deepEqual(await readRevisions(), revisions);
    await memory.close();
    assert.equal(seenFiles(folder, "second").length, 1);
  });

  test("clones of a repository share an index without naming an agent, and an existing index of the folder is kept", async (t) => {
    const folder = makeTemporaryFolder(t, prefixed("first", noteTexts(4)));
    cpSync(folder.at("first"), folder.at("second"), { recursive: true });
    const names = async (): Promise<string[]> =>
      (
        await runOn(
          server.url,
          "SELECT name FROM longhand.agents WHERE name ~ '^(first|second|otter)-' ORDER BY 1",
        )
      ).map(({ name }) => String(name));
    const open = (name: string, options: object = {}): Promise<Memory> =>
      openMemory({
        workspace: folder.at(name),
        stateDir: folder.at(`${name}-state`),
        now,
        config: withMemorySearch({ store: { driver: "postgres", url: server.url } }),
        ...options,
      });
    const use = async (name: string, options: object = {}) => {
      await using memory = await open(name, options);
      const { added } = await memory.sync();
      return { added, id: (await memory.status()).project?.id };
    };
    // Before there was a repository the folder had an index of its own.
    assert.ok((await use("first")).added > 0);
    const [ofFolder] = await names();
    assert.match(ofFolder!, /^first-/);
    for (const [name, origin] of [
      ["first", "git@example.org:acme/otter.git"],
      ["second", "https://example.org/acme/otter"],
    ]) {
      folder.write(`${name}/.git/HEAD`, "ref: refs/heads/main\n");
      folder.write(`${name}/.git/config`, `[remote "origin"]\n\turl = ${origin}\n`);
    }
    assert.equal((await use("first")).added, 0, "used on");
    const second = await use("second");
    assert.ok(second.added > 0);
    assert.deepEqual(await names(), [ofFolder, second.id]);
    assert.equal((await use("first")).added, 0, "shared from now on");
    // An untrusted folder cannot reach it, whatever its .git says.
    cpSync(folder.at("second"), folder.at("stranger"), { recursive: true });
    rmSync(folder.at("stranger/MEMORY.md"));
    assert.equal((await use("stranger", { trusted: false })).id, undefined);
    await using memory = await open("second");
    assert.ok((await memory.search("ship on Fridays")).results.length > 0);
  });

  test("an edit on one machine is found there, and on the other once it has the note, too", async (t) => {
    const { folder, open } = makeMachines(t, noteTexts(4));
    await using first = await open("first");
    await using second = await open("second");
    await first.sync();
    await second.sync();
    folder.write("first/memory/new.md", "The quokka is our mascot.\n");
    assert.equal((await first.search("quokka")).results.length, 1);
    cpSync(folder.at("first/memory/new.md"), folder.at("second/memory/new.md"));
    const { results, degraded } = await second.search("quokka");
    assert.deepEqual([results.length, degraded], [1, []]);
    assert.deepEqual((await first.search("quokka")).degraded, []);
    rmSync(folder.at("first/memory/new.md"));
    rmSync(folder.at("second/memory/new.md"));
    const after = await first.search("quokka");
    assert.deepEqual([after.results.length, after.degraded], [0, []]);
    assert.deepEqual((await second.search("quokka")).degraded, []);
  });

  test("machines with different notes learn what they do to each other", async (t) => {
    const { folder, open } = makeMachines(t, noteTexts(6));
    folder.write("first/memory/mine.md", "The quokka is ours.\n");
    folder.write("second/memory/2026-01-10-note-0.md", "Here this note is another one.\n");
    await using first = await open("first");
    await using second = await open("second");
    assert.deepEqual((await first.sync()).degraded, []);
    assert.equal((await first.status()).sharing, undefined);
    const [removed] = (await second.sync()).degraded;
    assert.match(
      removed ?? "",
      /^removed memory\/mine\.md from the shared index, which this machine never had\./,
    );
    const { degraded, results } = await first.search("quokka");
    assert.match(
      degraded.join("\n"),
      /another machine replaced or removed memory\/mine\.md and 1 more in the shared index/,
    );
    assert.equal(results[0]?.path, "memory/mine.md");
    const { sharing } = await second.status();
    assert.deepEqual(sharing?.problems, degraded);
  });
});

function prefixed(folder: string, notes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(notes).map(([name, text]) => [`${folder}/${name}`, text]));
}

function seenFiles(folder: TemporaryFolder, name: string): string[] {
  const state = folder.at(`${name}-state/memory`);
  if (!existsSync(state)) return [];
  return readdirSync(state)
    .filter((file) => file.startsWith("seen-"))
    .map((file) => folder.at(`${name}-state/memory/${file}`));
}
