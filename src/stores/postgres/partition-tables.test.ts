import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { createTestDatabase, runOn, type TestDatabase } from "../../../test/support/postgres.ts";
import { document, embedSingly, search, similarTo } from "../contract/fixture.ts";
import { contractTokens, storeContract } from "../store.contract.ts";
import { openPostgresStore, type PostgresStoreOptions, removeAgent } from "./postgres-store.ts";

const serverUrl = process.env["LONGHAND_TEST_POSTGRES_URL"];
const skip = serverUrl === undefined && "LONGHAND_TEST_POSTGRES_URL names no server (see docs/scaling.md)";
const single = { id: "single", provider: "test", model: "single" };
const agents = ["first", "second", "third", "fourth"];
const place = "the test server";

describe("partitioned tables", { skip }, () => {
  let database: TestDatabase;
  const optionsFor = (owner: string): PostgresStoreOptions => ({
    ...{ url: database.url, place, owner, analyzerId: "contract", indexedFrom: 1 },
    tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
  });
  const answersOf = async (owner: string) => {
    await using store = await openPostgresStore(optionsFor(owner));
    return {
      words: await search(store, ["pear"]),
      vectors: await similarTo(store, "pear", { embedderId: "single", limit: 1 }),
      missing: await store.missingVectors("single", 10),
      repaired: await store.repair(),
    };
  };
  const graphs = async () =>
    await database.runAsAdmin(
      `SELECT t.relnamespace::regnamespace::text AS schema, i.indisvalid FROM pg_index i
       JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
       WHERE c.relname ~ '^chunks_vec_[0-9]+_[0-9]+$' ORDER BY c.relname`,
    );

  before(async () => {
    database = await createTestDatabase(serverUrl!);
    for (const owner of agents) {
      await using store = await openPostgresStore(optionsFor(owner));
      await store.put([document("a.md", [`pear of the ${owner}`, "apple"])], "cut-1");
      await embedSingly(store);
      await store.collectGarbage(single);
    }
  });
  after(() => database[Symbol.asyncDispose]());

  it("give the same answers as before, with all rows and vectors", async () => {
    const [earlier] = await database.runAsAdmin("SELECT sum(chunk_count)::int4 AS sum FROM longhand.agents");
    const before = await Promise.all(agents.map(answersOf));
    await runOn(database.url, "SELECT longhand.partition_tables(4)");
    assert.deepEqual(await Promise.all(agents.map(answersOf)), before);
    const parts = await database.runAsAdmin(
      "SELECT tableoid::regclass::text AS part, count(*)::int4 AS rows FROM longhand.chunks GROUP BY 1",
    );
    assert.ok(parts.length > 1 && parts.every(({ part }) => /^longhand_parts\.chunks_\d$/.test(`${part}`)));
    assert.equal(
      parts.reduce((sum, { rows }) => sum + Number(rows), 0),
      earlier?.["sum"],
    );
    await assert.rejects(runOn(database.url, "SELECT longhand.partition_tables(4)"), /partitioned already/);
  });

  it("have the graph of a vector set on the partition of its agent", async () => {
    assert.deepEqual(await graphs(), []);
    for (const owner of agents) {
      await using store = await openPostgresStore(optionsFor(owner));
      await store.collectGarbage(single);
      assert.deepEqual(await similarTo(store, "apple", { embedderId: "single", limit: 1 }), ["apple"]);
      const { sizes } = await store.describe();
      assert.ok(sizes.vectorBytes! > 0 && sizes.databaseBytes > sizes.vectorBytes!);
    }
    assert.deepEqual(
      await graphs(),
      agents.map(() => ({ schema: "longhand_parts", indisvalid: true })),
    );
    await removeAgent({ url: database.url, place, agent: "fourth" });
    assert.equal((await graphs()).length, agents.length - 1);
  });

  it("are closed to a tenant that names a partition, and to the owner", async () => {
    const tenant = `${database.name}_tenant`;
    await database.runAsAdmin(`CREATE ROLE ${tenant} LOGIN`);
    try {
      await runOn(database.url, `SELECT longhand.add_agent('tenant', '${tenant}')`);
      const url = new URL(database.url);
      url.username = tenant;
      {
        await using store = await openPostgresStore({ ...optionsFor("tenant"), url: url.href });
        await store.put([document("a.md", ["pear of the tenant"])], "cut-1");
        assert.deepEqual(await search(store, ["pear"]), ["pear of the tenant"]);
        await store.remove("memory", ["a.md"]);
        assert.deepEqual(await search(store, ["pear"]), []);
      }
      const client = new pg.Client(url.href);
      await client.connect();
      try {
        await client.query("SET longhand.agent = 'first'");
        assert.deepEqual((await client.query("SELECT * FROM longhand.chunks")).rows, []);
        for (const table of ["chunks", "postings", "fresh_words", "chunks_vec", "embedding_cache"]) {
          const named = client.query(`SELECT * FROM longhand_parts.${table}_0`);
          await assert.rejects(named, { code: "42501" }, table);
        }
        await assert.rejects(client.query("SELECT longhand.partition_tables(2)"), { code: "42501" });
      } finally {
        await client.end();
      }
      for (let part = 0; part < 4; part++)
        assert.deepEqual(await runOn(database.url, `SELECT * FROM longhand_parts.chunks_${part}`), []);
    } finally {
      await database.runAsAdmin(`DROP OWNED BY ${tenant}`);
      await runOn(serverUrl!, `DROP ROLE ${tenant}`);
    }
  });

  it("need a valid number", async () => {
    for (const parts of ["1", "1025", "NULL"])
      await assert.rejects(
        runOn(database.url, `SELECT longhand.partition_tables(${parts})`),
        /from 2 to 1024/,
      );
  });

  describe("keep the contract of stores", () => {
    storeContract("PostgreSQL with partitions", {
      create: async () => {
        const owner = randomUUID();
        return {
          open: (options) => openPostgresStore({ ...options, ...optionsFor(owner), indexedFrom: 10_000 }),
          async [Symbol.asyncDispose]() {},
        };
      },
    });
  });
});
