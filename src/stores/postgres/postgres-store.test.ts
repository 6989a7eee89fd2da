import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runOn, startPglite } from "../../../test/support/postgres.ts";
import { checkRecall, plainTokens } from "../../../test/support/store-recall.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { resolveSettings } from "../../config/settings.ts";
import { createRandom } from "../../eval/compare.ts";
import { withTemporaryIndex } from "../../eval/temporary-index.ts";
import { document, embedSingly, similarTo } from "../contract/fixture.ts";
import { contractTokens, storeContract } from "../store.contract.ts";
import type { FullStore } from "../store.ts";
import type { Tokens } from "../tokens.ts";
import { openPostgresStore } from "./postgres-store.ts";

const server = await startPglite();
after(() => server[Symbol.asyncDispose]());

const words: Tokens = ({ text }) => ({ body: contractTokens(text).join(" "), head: "" });
const parts = { ...server, place: "PGlite", analyzerId: "contract", tokens: words };

storeContract("PostgreSQL", {
  create: async () => {
    const owner = randomUUID();
    return {
      open: (options) => openPostgresStore({ ...options, ...parts, owner }),
      async [Symbol.asyncDispose]() {},
    };
  },
});

test("chooses nearly the same chunks as SQLite", async (t) => {
  await using store = await openPostgresStore({ ...parts, owner: "same", tokens: plainTokens });
  await checkRecall(store, {
    sqlitePath: makeTemporaryFolder(t).at("index.sqlite"),
    random: createRandom(3),
  });
});

test("has the same postings whether notes are added one by one or at once, and after removals", async () => {
  const random = createRandom(4);
  const word = () => `w${Math.floor(60 ** random())}`;
  const notes = Array.from({ length: 150 }, (_, index) =>
    document(`${index}.md`, [Array.from({ length: 5 }, word).join(" ")]),
  );
  await using singly = await openPostgresStore({ ...parts, owner: "singly" });
  await using together = await openPostgresStore({ ...parts, owner: "together" });
  for (const note of notes) await singly.put([note], "cut-1");
  await together.put(notes, "cut-1");
  const all = Array.from({ length: 60 }, (_, index) => `w${index}`);
  const compare = async (): Promise<void> => {
    const [one, other] = await Promise.all(
      [singly, together].map(async (store) => ({
        counts: await store.documentFrequencies(all),
        begun: await store.tokensWithPrefix("w1", 5),
        byWord: await store.byKeyword(["w1", "w20"], { limit: 200 }),
        repaired: await store.repair(),
      })),
    );
    assert.deepEqual(one, other);
    assert.deepEqual(one!.repaired, []);
  };
  await compare();
  const gone = notes.filter((_, index) => index % 3 === 0).map(({ document: { path } }) => path);
  for (const store of [singly, together]) await store.remove("memory", gone);
  await compare();
  const left = notes.filter((_, index) => index % 3 !== 0);
  const counts = await singly.documentFrequencies(all);
  for (const token of all) {
    const holders = left.filter(({ chunks }) => chunks.some(({ text }) => text.split(" ").includes(token)));
    assert.equal(counts.get(token), holders.length, token);
  }
});

test("prepares its statements, and reads on where a pooler lets them vanish or gives them to others", async () => {
  // PGlite has one session for all connections, like a pooler with one connection to the server.
  const prepared = async () =>
    (await runOn(server.url, "SELECT name FROM pg_prepared_statements WHERE name LIKE 'longhand%'")).length;
  const open = () => openPostgresStore({ ...parts, owner: "pooled" });
  const read = async (store: FullStore) =>
    (await store.chunks(await store.byKeyword(["pear"], { limit: 1 }))).map(({ path }) => path);
  await runOn(server.url, "DEALLOCATE ALL");
  await using store = await open();
  await store.put([document("a.md", ["pear"])], "cut-1");
  assert.deepEqual(await read(store), ["a.md"]);
  assert.ok((await prepared()) > 0);
  await runOn(server.url, "DEALLOCATE ALL");
  assert.deepEqual(await Promise.all([read(store), read(store)]), [["a.md"], ["a.md"]]);
  assert.equal(await prepared(), 0);
  await using second = await open();
  assert.deepEqual(await read(second), ["a.md"]);
  assert.ok((await prepared()) > 0);
  await using third = await open();
  assert.deepEqual(await read(third), ["a.md"]);
});

test("counts documents and chunks as they change, and recounts if the counts are missing", async () => {
  const files = new Map<string, number>();
  await using store = await openPostgresStore({ ...parts, owner: "counted" });
  const check = async (): Promise<void> => {
    const chunks = [...files.values()].reduce((sum, count) => sum + count, 0);
    const sources = files.size === 0 ? [] : [{ source: "memory", files: files.size, chunks }];
    assert.deepEqual((await store.stats()).sources, sources);
    await store.repair();
    assert.deepEqual((await store.stats()).sources, sources);
  };
  await check();
  const random = createRandom(5);
  for (let step = 0; step < 12; step++) {
    const path = `${Math.floor(4 * random())}.md`;
    if (step % 4 === 3) {
      await store.remove("memory", [path, "never.md"]);
      files.delete(path);
    } else {
      const texts = Array.from(
        { length: 1 + Math.floor(3 * random()) },
        (_, index) => `text ${index} ${step}`,
      );
      await store.put([document(path, texts), document(path, [...texts, "same"])], "cut-1");
      files.set(path, texts.length + 1);
    }
    await check();
  }
});

test("rebuilds all tokens for another analyzer", async () => {
  {
    await using store = await openPostgresStore({ ...parts, owner: "analysed" });
    await store.put([document("a.md", ["alpha beta"])], "cut-1");
  }
  const tokens: Tokens = ({ text }) => ({ body: text.split(" ").toReversed().join("-"), head: "" });
  await using newer = await openPostgresStore({ ...parts, owner: "analysed", analyzerId: "newer", tokens });
  await using older = await openPostgresStore({ ...parts, owner: "analysed" });
  await newer.versions("memory");
  assert.equal((await newer.documentFrequencies(["beta-alpha"])).get("beta-alpha"), 1);
  assert.equal((await newer.documentFrequencies(["alpha"])).get("alpha"), 0);
  void older;
});

test("without pgvector it still stores and compares vectors, and says what to do", async () => {
  await using plain = await startPglite({ withVectors: false });
  await using store = await openPostgresStore({ ...parts, ...plain, owner: "plain" });
  await store.put([document("a.md", ["pear", "apple"]), document("b.md", ["plum"])], "cut-1");
  await embedSingly(store);
  assert.deepEqual(await similarTo(store, "apple", { embedderId: "single" }), ["apple"]);
  const { path, loadError } = await store.vectorStatistics("single");
  assert.equal(path, "builtin");
  assert.match(loadError!, /CREATE EXTENSION vector/);
});

test("leftovers of a killed evaluation are removed by the next one", async (t) => {
  const folder = makeTemporaryFolder(t, { "notes/MEMORY.md": "A quokka.\n" });
  const memorySearch = { store: { driver: "postgres" as const, url: server.url } };
  const settings = await resolveSettings({
    ...{ stateDir: folder.at("state"), workspace: folder.at("notes") },
    overrides: { agents: { defaults: { memorySearch } } },
  });
  // Higher than any process id.
  const pid = 2 ** 30;
  const agents = { killed: `longhand-eval-${randomUUID()}`, running: `longhand-eval-${randomUUID()}` };
  for (const [owner, ownerPid] of [
    [agents.killed, pid],
    [agents.running, process.pid],
  ] as const) {
    await using store = await openPostgresStore({ ...parts, owner });
    await store.put([document("a.md", ["pear"])], "cut-1");
    mkdirSync(join(tmpdir(), owner));
    t.after(() => rmSync(join(tmpdir(), owner), { recursive: true, force: true }));
    const place = `${settings.memorySearch.store.url}`;
    writeFileSync(join(tmpdir(), owner, "owner.json"), JSON.stringify({ pid: ownerPid, place }));
  }
  const notes = { workspaceDir: settings.workspaceDir, extraPaths: [], exclude: [] };
  await withTemporaryIndex(settings, notes, async () => {});
  const left = await runOn(server.url, "SELECT name FROM longhand.agents WHERE name LIKE 'longhand-eval-%'");
  assert.deepEqual(left, [{ name: agents.running }]);
  assert.equal(existsSync(join(tmpdir(), agents.killed)), false);
});

test("a purge says what the server may still keep, and never advises deleting a shared database", async () => {
  await using store = await openPostgresStore({ ...parts, owner: "forgetful" });
  await store.put([document("a.md", ["pear"])], "cut-1");
  const { rawSearch, advice } = await store.purge!({ texts: ["plum"] });
  assert.equal(rawSearch, "not-possible");
  assert.match(advice!, /VACUUM FULL/);
});
