import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { createConceptEmbedder } from "../../../test/support/concept-embedder.ts";
import { hangLimitMs, until } from "../../../test/support/hang-limit.ts";
import { makeMemoryFixture, withMemorySearch } from "../../../test/support/memory-fixture.ts";
import { createTestDatabase, runOn, type TestDatabase } from "../../../test/support/postgres.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openMemory } from "../../index.ts";
import { document, embedSingly, search, similarTo, vectorOf } from "../contract/fixture.ts";
import { contractTokens, storeContract } from "../store.contract.ts";
import { loadPg, openDatabase } from "./database.ts";
import {
  createPostgresIndex,
  openPostgresStore,
  type PostgresStoreOptions,
  removeAgent,
} from "./postgres-store.ts";
import { migrations, ownedTables } from "./schema.ts";

const serverUrl = process.env["LONGHAND_TEST_POSTGRES_URL"];
const skip = serverUrl === undefined && "LONGHAND_TEST_POSTGRES_URL names no server (see docs/scaling.md)";

describe("on a real server", { skip }, () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase(serverUrl!);
  });
  after(() => database[Symbol.asyncDispose]());

  const optionsFor = (owner: string): PostgresStoreOptions => ({
    url: database.url,
    place: "the test server",
    owner,
    analyzerId: "contract",
    tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
  });

  storeContract("PostgreSQL", {
    create: async () => {
      const owner = randomUUID();
      return {
        open: (options) => openPostgresStore({ ...options, ...optionsFor(owner) }),
        async [Symbol.asyncDispose]() {},
      };
    },
  });

  it("a new database can be opened for the first time by many at once", async () => {
    for (let round = 0; round < 3; round++) {
      await using fresh = await createTestDatabase(serverUrl!);
      const opened = Array.from({ length: 8 }, () =>
        openPostgresStore({ ...optionsFor("the same agent"), url: fresh.url }),
      );
      for (const store of await Promise.all(opened)) {
        await using _ = store;
        const { meta } = await store.describe();
        assert.match(String(meta["pgvector"]), /^\d+\./);
      }
    }
  });

  it("an agent can be removed with everything it has, and nobody else's", async () => {
    await using kept = await openPostgresStore(optionsFor("one who stays"));
    await using gone = await openPostgresStore({ ...optionsFor("one who goes"), indexedFrom: 1 });
    for (const store of [kept, gone]) {
      await store.put([document("a.md", ["pear", "apple"])], "cut-1");
      await embedSingly(store);
      await store.writeFact("who", "me");
    }
    await gone.collectGarbage({ id: "single", provider: "test", model: "single" });
    const { url } = database;
    await removeAgent({ url, place: "the test server", agent: "one who goes" });
    await removeAgent({ url, place: "the test server", agent: "one who never was" });
    for (const table of ownedTables) {
      const strays = `SELECT 1 FROM longhand.${table} WHERE agent_id NOT IN (SELECT id FROM longhand.agents)`;
      assert.deepEqual(await database.runAsAdmin(strays), [], table);
    }
    assert.deepEqual(
      await database.runAsAdmin("SELECT name FROM longhand.agents WHERE name LIKE 'one who%'"),
      [{ name: "one who stays" }],
    );
    assert.deepEqual(await similarTo(kept, "pear", { embedderId: "single", limit: 1 }), ["pear"]);
  });

  it("verify compares words and vectors, and repair restores them", async (t) => {
    const folder = makeTemporaryFolder(t, {
      "notes/MEMORY.md": "# Facts\n\nThe quokka ships on Fridays.\n",
      "notes/memory/a.md": "Tea is served at four.\n",
    });
    const store = { driver: "postgres" as const, url: database.url };
    const open = () =>
      openMemory({
        workspace: folder.at("notes"),
        stateDir: folder.at("state"),
        agent: "verified",
        config: { agents: { defaults: { memorySearch: { store } } } },
      });
    const kinds = async () => {
      await using memory = await open();
      const { differences, vectorsCompared } = await memory.verify();
      assert.ok(vectorsCompared);
      return differences.map(({ kind }) => kind).toSorted();
    };
    assert.deepEqual(await kinds(), []);
    const own = "agent_id = (SELECT id FROM longhand.agents WHERE name = 'verified')";
    await database.runAsAdmin(
      `DELETE FROM longhand.fresh_words WHERE ctid = (SELECT min(ctid) FROM longhand.fresh_words WHERE ${own})`,
    );
    assert.deepEqual(await kinds(), ["words"]);
    await database.runAsAdmin(
      `UPDATE longhand.chunks_vec v SET codes = (SELECT codes FROM longhand.chunks_vec o
         WHERE o.${own} AND o.key <> v.key) WHERE ${own} AND key = (SELECT min(key) FROM longhand.chunks_vec WHERE ${own})`,
    );
    assert.deepEqual(await kinds(), ["vectors", "words"]);
    await using memory = await open();
    assert.deepEqual((await memory.repair()).differences, []);
  });

  it("a read-only database can be searched, and says so", async () => {
    {
      await using store = await openPostgresStore(optionsFor("one who reads"));
      await store.put([document("a.md", ["pear", "apple"])], "cut-1");
      assert.equal((await store.stats()).readOnly, undefined);
    }
    const setting = `ALTER ROLE ${database.owner} SET default_transaction_read_only`;
    await database.runAsAdmin(`${setting} = on`);
    try {
      await using store = await openPostgresStore({ ...optionsFor("one who reads"), retryForMs: 0 });
      assert.deepEqual(await search(store, ["apple"]), ["apple"]);
      assert.match((await store.stats()).readOnly!, /default_transaction_read_only/);
      await assert.rejects(store.put([document("b.md", ["plum"])], "cut-1"), {
        code: "index-unusable",
        message: /takes no changes: .*read-only transaction/,
      });
    } finally {
      await database.runAsAdmin(`ALTER ROLE ${database.owner} RESET default_transaction_read_only`);
    }
  });

  /** Holds the lock until `work` has ended, so `work` cannot have waited for it. */
  async function whileLocked<T>(table: string, mode: string, work: () => Promise<T>): Promise<T> {
    const admin = new pg.Client(database.url);
    await admin.connect();
    try {
      await admin.query(`BEGIN; LOCK TABLE longhand.${table} IN ${mode} MODE`);
      return await work();
    } finally {
      await admin.end();
    }
  }

  it("a locked table delays neither a search nor a write", async () => {
    await using store = await openPostgresStore(optionsFor("one who is kept out"));
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    const isLocked = { code: "index-busy", retryable: true, message: /is locked by another session/ };
    await whileLocked("chunks", "ACCESS EXCLUSIVE", () => assert.rejects(search(store, ["apple"]), isLocked));
    for (const table of ["agents", "chunks"]) {
      await whileLocked(table, "EXCLUSIVE", async () => {
        assert.deepEqual(await search(store, ["apple"]), ["apple"]);
        await assert.rejects(store.put([document("b.md", ["plum"])], "cut-1"), isLocked);
      });
    }
    assert.deepEqual(await search(store, ["apple"]), ["apple"]);
    await store.put([document("b.md", ["plum"])], "cut-1");
  });

  it("a search succeeds although tables it does not need are locked", async (t) => {
    const { workspace, stateDir } = makeMemoryFixture(t, { "MEMORY.md": "The harbour opens on Monday.\n" });
    const url = database.url;
    const config = withMemorySearch({ provider: "builtin", store: { driver: "postgres", url } });
    const open = () => openMemory({ workspace, stateDir, config, agent: "searcher" });
    {
      await using memory = await open();
      await memory.sync();
    }
    const modes = {
      work: "hybrid",
      embedding_cache: "hybrid",
      embedder_usage: "hybrid",
      chunks_vec: "keyword",
    };
    for (const [table, mode] of Object.entries(modes)) {
      await using memory = await open();
      const answer = await whileLocked(table, "ACCESS EXCLUSIVE", () => memory.search("harbour"));
      assert.equal(answer.results[0]?.path, "MEMORY.md");
      assert.equal(answer.mode, mode, table);
      assert.equal(answer.degraded.join().includes("meaning cannot be searched"), mode === "keyword", table);
    }
  });

  it("a short statement_timeout of the role does not override our own limits", async () => {
    await database.runAsAdmin(`ALTER ROLE ${database.owner} SET statement_timeout = '1ms'`);
    try {
      await using store = await openPostgresStore(optionsFor("one in a hurry"));
      const texts = Array.from({ length: 400 }, (_, index) => `pear${index} apple${index} plum${index}`);
      await store.put([document("a.md", texts)], "cut-1");
      assert.equal((await store.stats()).chunks, 400);
    } finally {
      await database.runAsAdmin(`ALTER ROLE ${database.owner} RESET statement_timeout`);
    }
  });

  it("an index of the first schema is migrated, with the tokens of all its agents", async () => {
    await using old = await createTestDatabase(serverUrl!);
    const client = new pg.Client(old.url);
    await client.connect();
    try {
      await client.query(`CREATE SCHEMA longhand; ${migrations[0]};
        CREATE TABLE longhand.migrations (version int4 PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
        INSERT INTO longhand.migrations VALUES (1)`);
      for (const name of ["first", "second"]) {
        await client.query(`SET longhand.agent = '${name}';
          INSERT INTO longhand.agents (name, next_key, chunk_count, token_count) VALUES ('${name}', 2, 1, 2);
          INSERT INTO longhand.meta SELECT id, 'memory_index_meta_v1', '{"analyzer":"contract","sources":[]}'
            FROM longhand.agents;
          INSERT INTO longhand.files (agent_id, source, path, hash, mtime, size, version, chunker, scope, chunk_count)
            SELECT id, 'memory', 'a.md', 'h', 0, 9, '1', 'cut-1', 'shared', 1 FROM longhand.agents;
          INSERT INTO longhand.chunks SELECT agent_id, 1, id, 0, 1, 1, 2, 0, 'x', 'h', '[]', 'pear ${name}'
            FROM longhand.files;
          INSERT INTO longhand.words (agent_id, chunks, token) SELECT id, 1, 'pear' FROM longhand.agents`);
      }
    } finally {
      await client.end();
    }
    for (const name of ["first", "second"]) {
      await using store = await openPostgresStore({ ...optionsFor(name), url: old.url });
      assert.deepEqual([...(await store.versions("memory")).keys()], ["a.md"]);
      assert.deepEqual(await search(store, ["pear"]), [`pear ${name}`]);
      assert.deepEqual(await store.repair(), []);
    }
  });

  it("a vector index is built while the embedding lock is held", {
    timeout: hangLimitMs,
  }, async () => {
    const index = createPostgresIndex({ ...optionsFor("one who embeds"), indexedFrom: 1 });
    await using store = await index.open();
    await using work = await index.locks.vectors.tryAcquire("embedding");
    assert.ok(work);
    await store.put([document("a.md", ["pear", "apple"])], "cut-1");
    await embedSingly(store);
    await store.collectGarbage({ id: "single", provider: "test", model: "single" });
    const { loadError } = await store.vectorStatistics("single");
    assert.equal(loadError, undefined);
    const [set] = await database.runAsAdmin(
      "SELECT e.agent_id || '_' || e.id AS id FROM longhand.embedders e JOIN longhand.agents a ON a.id = e.agent_id WHERE a.name = 'one who embeds'",
    );
    const built = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'longhand.chunks_vec_${set?.["id"]}'::regclass`;
    assert.deepEqual(await database.runAsAdmin(built), [{ indisvalid: true }]);
    await removeAgent({ url: database.url, place: "the test server", agent: "one who embeds" });
  });

  it("an index is migrated there and back while notes are indexed, and nothing is embedded again", async (t) => {
    const notes = Array.from({ length: 400 }, (_, i) => [
      `notes/memory/${i}.md`,
      `The ${i}th quokka ships.\n`,
    ]);
    const folder = makeTemporaryFolder(t, Object.fromEntries(notes));
    let asked = 0;
    const open = (driver: "sqlite" | "postgres") => {
      const { embedDocuments } = createConceptEmbedder();
      const embedder = createConceptEmbedder({
        isSlow: true,
        embedDocuments: (texts, options) => {
          asked += texts.length;
          return embedDocuments(texts, options);
        },
      });
      const store = { driver, ...(driver === "postgres" ? { url: database.url } : {}) };
      const memorySearch = { store, cache: { maxEntries: 100 } };
      return openMemory({
        workspace: folder.at("notes"),
        stateDir: folder.at("state"),
        agent: "mover",
        embedder,
        config: { agents: { defaults: { memorySearch } } },
      });
    };
    await using sqlite = await open("sqlite");
    await sqlite.sync();
    assert.equal(asked, 400);
    const there = await sqlite.migrate({ to: "postgres", url: database.url });
    assert.deepEqual([there.vectors, there.documents, there.embedded, there.cached], [400, 400, 0, 400]);
    await using postgres = await open("postgres");
    assert.equal((await postgres.sync()).embedded, 0);
    rmSync(folder.at("state/memory"), { recursive: true });
    assert.equal((await postgres.migrate({ to: "sqlite" })).embedded, 0);
    assert.equal(asked, 400);
  });

  describe("rows of agents", () => {
    it("are visible, changed and counted only for their own agent, whatever is queried", async () => {
      await using ours = await openPostgresStore(optionsFor("agent of ours"));
      await using theirs = await openPostgresStore(optionsFor("agent of theirs"));
      await ours.put([document("a.md", ["our secret"])], "cut-1");
      await theirs.put([document("a.md", ["their secret plan"])], "cut-1");
      await theirs.writeFact("who", "them");
      const client = new pg.Client(database.url);
      await client.connect();
      try {
        const count = async (table: string): Promise<number> =>
          Number((await client.query(`SELECT count(*) FROM longhand.${table}`)).rows[0].count);
        await client.query("SET longhand.agent = 'agent of ours'");
        for (const [table, rows] of Object.entries({
          agents: 1,
          files: 1,
          chunks: 1,
          fresh_words: 1,
        })) {
          assert.equal(await count(table), rows, table);
        }
        const text = (await client.query("SELECT text FROM longhand.chunks")).rows;
        assert.deepEqual(text, [{ text: "our secret" }]);
        assert.equal(
          (await client.query("SELECT * FROM longhand.fresh_words WHERE 'plan' = ANY(tokens)")).rowCount,
          0,
        );
        assert.equal((await client.query("UPDATE longhand.files SET scope = 'shared'")).rowCount, 1);
        assert.equal((await client.query("DELETE FROM longhand.meta WHERE value = 'them'")).rowCount, 0);
        const them = "SELECT id FROM longhand.agents WHERE name = 'agent of theirs'";
        const id = Number((await database.runAsAdmin(them))[0]?.["id"]);
        const intrusion = `INSERT INTO longhand.meta (agent_id, key, value) VALUES (${id}, 'fact:x', 'ours')`;
        await assert.rejects(client.query(intrusion), { code: "42501" });
        await assert.rejects(client.query(`UPDATE longhand.meta SET agent_id = ${id}`), { code: "42501" });
        // Without an agent nothing is visible, not even to the owner of the tables.
        await client.query("RESET longhand.agent");
        for (const table of ["agents", "files", "chunks", "fresh_words", "postings", "meta"]) {
          assert.equal(await count(table), 0, table);
        }
      } finally {
        await client.end();
      }
      assert.equal(await theirs.readFact("who"), "them");
      assert.deepEqual(await search(ours, ["secret"]), ["our secret"]);
      assert.equal((await ours.documentFrequencies(["secret"])).get("secret"), 1);
      assert.equal((await ours.describe()).meta["rowSecurity"], "enforced");
    });

    it("can be bound to a database role that owns nothing, so that no other role can act as the agent", async () => {
      await using owners = await openPostgresStore(optionsFor("bound"));
      await owners.put([document("a.md", ["alpha"])], "cut-1");
      const role = `${database.name}_role`;
      // As docs/scaling.md says.
      await database.runAsAdmin(`CREATE ROLE ${role} LOGIN`);
      await runOn(database.url, `SELECT longhand.add_agent('bound', '${role}')`);
      try {
        const url = new URL(database.url);
        url.username = role;
        {
          await using store = await openPostgresStore({ ...optionsFor("bound"), url: url.href });
          await store.put([document("b.md", ["alpha beta"])], "cut-1");
          await embedSingly(store);
          assert.deepEqual((await search(store, ["alpha"])).sort(), ["alpha", "alpha beta"]);
          assert.deepEqual(await similarTo(store, "alpha", { embedderId: "single", limit: 2 }), [
            "alpha",
            "alpha beta",
          ]);
        }
        // Not even the owner of the tables.
        await assert.rejects(search(owners, ["alpha"]), { code: "store-refused" });
        await assert.rejects(openPostgresStore(optionsFor("bound")), { code: "store-refused" });
        const client = new pg.Client(url.href);
        await client.connect();
        await client.query("SET longhand.agent = 'bound'");
        await assert.rejects(client.query("UPDATE longhand.agents SET login = NULL"), { code: "42501" });
        await client.end();
      } finally {
        await database.runAsAdmin(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      }
    });

    it("of a newer schema are left alone", async () => {
      await database.runAsAdmin("INSERT INTO longhand.migrations (version) VALUES (999)");
      await assert.rejects(openPostgresStore(optionsFor("late")), { code: "index-newer", hint: /Update/ });
      await database.runAsAdmin("DELETE FROM longhand.migrations WHERE version = 999");
    });
  });

  describe("a vector index", () => {
    it("is built when there are enough vectors, finds the same as an exhaustive search, and is dropped with its set", async () => {
      let time = 0;
      const options = { ...optionsFor("indexed"), indexedFrom: 200, now: () => ++time };
      await using store = await openPostgresStore(options);
      const words = Array.from({ length: 400 }, (_, index) => `word${index}`);
      await store.put(
        words.map((word, index) => document(`${index % 2 === 0 ? "even" : "odd"}/${index}.md`, [word])),
        "cut-1",
      );
      const indexes = () =>
        database.runAsAdmin("SELECT relname FROM pg_class WHERE relname ~ '^chunks_vec_[0-9]+_[0-9]+$'");
      await embedSingly(store);
      assert.equal((await indexes()).length, 1);
      await store.put([document("late.md", ["late"])], "cut-1");
      await embedSingly(store);
      const scans = async () => {
        const statistics =
          "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname ~ '^chunks_vec_[0-9]+_[0-9]+$'";
        return Number((await database.runAsAdmin(statistics))[0]?.["idx_scan"]);
      };
      const before = await scans();
      {
        await using other = await openPostgresStore(options);
        for (const word of ["word7", "word399", "late"]) {
          assert.deepEqual(await similarTo(other, word, { embedderId: "single" }), [word]);
        }
      }
      // A session reports its index usage when it ends.
      await until(async () => (await scans()) >= before + 3, "the statistics of the searches");
      assert.equal((await scans()) - before, 3, "each search used the index");
      const { candidates, median } = await store.byVector("single", vectorOf("word3"), { limit: 100 });
      assert.equal(candidates.length, 100);
      assert.ok(Math.abs(candidates[0]!.similarity - 1) < 1e-6);
      assert.ok(Math.abs(median) < 0.1);
      const again = await store.byVector("single", vectorOf("word3"), { limit: 100 });
      assert.deepEqual(again.candidates, candidates);
      assert.ok(Math.abs(again.median - median) < 0.001, "by a sample that is kept as by the server");
      const filter = { pathGlob: "odd/*.md" };
      const odd = await similarTo(store, "word8", { embedderId: "single", limit: 150, filter });
      assert.equal(odd.length, 150);
      assert.ok(odd.every((text) => Number(text.slice(4)) % 2 === 1));
      assert.equal((await store.vectorStatistics("single")).path, "pgvector");
      for (const id of ["two", "three", "four"]) await embedSingly(store, id);
      assert.deepEqual((await store.vectorSets()).map(({ id }) => id).sort(), ["four", "three", "two"]);
      assert.equal((await indexes()).length, 3);
    });
  });

  it("a dedicated connection has its settings from the start, or none behind a pooler", async () => {
    const client = await loadPg();
    const open = (url: string) =>
      openDatabase(client, { url, place: "the test server", agent: "one", maxConnections: 1 });
    const ask = (db: ReturnType<typeof openDatabase>) =>
      db.withClient(
        async (session) => (await session.query("SHOW maintenance_work_mem")).rows[0].maintenance_work_mem,
        { options: "-c maintenance_work_mem=123MB" },
      );
    const direct = open(database.url);
    assert.equal(await ask(direct), "123MB");
    await direct.close();
    await using pooler = await startPickyPooler(database.url);
    const pooled = open(pooler.url);
    assert.notEqual(await ask(pooled), "123MB");
    await pooled.close();
  });

  it("a graph without iterative scans, as before pgvector 0.8, misses nothing", async () => {
    await using older = await createTestDatabase(serverUrl!);
    // Overrides the detected version; iterative scans are off by default, as in older versions.
    await older.runAsAdmin("UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'");
    const options = { ...optionsFor("older"), url: older.url, indexedFrom: 1 };
    await using store = await openPostgresStore(options);
    const words = Array.from({ length: 1500 }, (_, index) => `word${index}`);
    await store.put(
      words.map((word, index) => document(`${index % 100 === 0 ? "few" : "many"}/${index}.md`, [word])),
      "cut-1",
    );
    for (let done = 0; done < words.length; done += 1000) await embedSingly(store);
    assert.equal((await store.describe()).meta["pgvector"], "0.7.4");
    assert.equal((await store.vectorStatistics("single")).path, "pgvector");
    for (const word of ["word7", "word1400"]) {
      assert.deepEqual(await similarTo(store, word, { embedderId: "single" }), [word]);
    }
    const { candidates } = await store.byVector("single", vectorOf("word3"), { limit: 1200 });
    assert.equal(candidates.length, 1200, "more than one graph search returns");
    const filter = { pathGlob: "few/*.md" };
    const few = await similarTo(store, "word3", { embedderId: "single", limit: 15, filter });
    assert.equal(few.length, 15);
  });

  it("uses pgvector as soon as it is installed", async () => {
    await using bare = await createTestDatabase(serverUrl!);
    await bare.runAsAdmin("DROP EXTENSION vector");
    const options = { ...optionsFor("later"), url: bare.url };
    {
      await using store = await openPostgresStore(options);
      await store.put([document("a.md", ["pear", "apple", "plum"])], "cut-1");
      await embedSingly(store);
      assert.equal((await store.vectorStatistics("single")).path, "builtin");
      assert.deepEqual(await similarTo(store, "apple", { embedderId: "single" }), ["apple"]);
    }
    await bare.runAsAdmin("CREATE EXTENSION vector");
    await using store = await openPostgresStore(options);
    assert.deepEqual(await similarTo(store, "apple", { embedderId: "single" }), ["apple"]);
    await store.put([document("b.md", ["fig"])], "cut-1");
    await embedSingly(store);
    assert.equal((await store.vectorStatistics("single")).path, "pgvector");
    assert.deepEqual(await similarTo(store, "plum", { embedderId: "single" }), ["plum"]);
    const filled = await bare.runAsAdmin("SELECT 1 FROM longhand.chunks_vec WHERE embedding IS NOT NULL");
    assert.equal(filled.length, 4);
  });

  describe("locks between machines", () => {
    it("admit one process, name it, and are released when it is killed", async () => {
      const index = createPostgresIndex(optionsFor("locked"));
      await using store = await index.open();
      assert.equal(await index.locks.documents.holder(), null);
      const child = spawnHolder(optionsFor("locked"));
      try {
        await once(child.stdout!, "data");
        assert.equal(await index.locks.documents.tryAcquire("mine"), null);
        const holder = await index.locks.documents.holder();
        assert.equal(holder?.pid, child.pid);
        assert.equal(holder?.doing, "counting sheep");
        // Locks for another kind of work, and of another agent, are free.
        await using _ = await index.locks.vectors.tryAcquire("mine");
        const other = createPostgresIndex(optionsFor("other"));
        await using _store = await other.open();
        await using lock = await other.locks.documents.tryAcquire("mine");
        assert.ok(lock);
      } finally {
        child.kill("SIGKILL");
      }
      await once(child, "exit");
      const taken: (Awaited<ReturnType<typeof index.locks.documents.tryAcquire>> & object)[] = [];
      await until(async () => {
        const held = await index.locks.documents.tryAcquire("after it");
        if (held !== null) taken.push(held);
        return held !== null;
      }, "the lock of a killed process is free");
      await using mine = taken[0];
      assert.ok(mine?.isIntact());
      const inProcess = createPostgresIndex(optionsFor("locked"));
      await using again = await inProcess.open();
      assert.equal(await inProcess.locks.documents.tryAcquire("second"), null);
      await store.writeFact("a", "b");
      assert.equal(await again.readFact("a"), "b");
    });

    it("notice when they were lost with their connection", async () => {
      const index = createPostgresIndex(optionsFor("cut off"));
      await using _store = await index.open();
      await using held = await index.locks.documents.tryAcquire("working");
      await database.runAsAdmin(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.name}' AND state LIKE 'idle in transaction%'`,
      );
      await until(() => !held!.isIntact(), "the loss of the lock is noticed");
      assert.equal(held!.isIntact(), false);
      await using again = await index.locks.documents.tryAcquire("again");
      assert.ok(again);
    });
  });

  describe("revisions", () => {
    it("change when another machine writes, and at no other time", async () => {
      await using watching = await openPostgresStore(optionsFor("watched"));
      await using writing = await openPostgresStore(optionsFor("watched"));
      const known = await watching.revision!();
      assert.equal(await watching.revision!(), known);
      await writing.writeFact("at", known);
      assert.notEqual(await watching.revision!(), known);
    });
  });
});

/** Another process, in place of another machine. */
function spawnHolder({ url, owner }: PostgresStoreOptions): ChildProcess {
  const code = `
    import { createPostgresIndex } from ${JSON.stringify(new URL("./postgres-store.ts", import.meta.url).href)};
    const index = createPostgresIndex({ url: ${JSON.stringify(url)}, place: "", owner: ${JSON.stringify(owner)},
      analyzerId: "contract", tokens: ({ text }) => ({ body: text, head: "" }) });
    await index.open();
    const held = await index.locks.documents.tryAcquire("counting sheep");
    await new Promise((resolve) => setTimeout(resolve, 200));
    process.stdout.write(held === null ? "refused" : "held");
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Refuses connections with startup settings, as PgBouncer does, and forwards all others. */
async function startPickyPooler(url: string): Promise<{ url: string } & AsyncDisposable> {
  const { hostname, port } = new URL(url);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (first) => {
      if (first.includes("maintenance_work_mem")) {
        const fields = "SFATAL\0C08P01\0Munsupported startup parameter: options\0\0";
        const head = Buffer.alloc(5, "E");
        head.writeInt32BE(4 + fields.length, 1);
        socket.end(Buffer.concat([head, Buffer.from(fields)]));
        return;
      }
      const real = connect(Number(port), hostname, () => real.write(first));
      real.on("error", () => socket.destroy());
      socket.pipe(real).pipe(socket);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: own.href,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
