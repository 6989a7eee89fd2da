import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { hangLimitMs } from "../../../test/support/hang-limit.ts";
import { createTestDatabase, runOn, type TestDatabase } from "../../../test/support/postgres.ts";
import { document, embedSingly, search, similarTo } from "../contract/fixture.ts";
import { contractTokens } from "../store.contract.ts";
import type { FullStore } from "../store.ts";
import { createPostgresIndex, openPostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
import { migrations } from "./schema.ts";

const serverUrl = process.env["LONGHAND_TEST_POSTGRES_URL"];
const skip = serverUrl === undefined && "LONGHAND_TEST_POSTGRES_URL names no server (see docs/scaling.md)";

/*
 * One tenant runs every kind of statement on everything in the database catalog, as every agent that it can name, and
 * keeps every lock it gets while the others work. Only its own rows may change.
 */
describe("a hostile tenant", { skip }, () => {
  let database: TestDatabase;
  let victim: string;
  let hostile: string;
  before(async () => {
    database = await createTestDatabase(serverUrl!);
    [victim, hostile] = [`${database.name}_victim`, `${database.name}_hostile`];
    await database.runAsAdmin(`CREATE ROLE ${victim} LOGIN; CREATE ROLE ${hostile} LOGIN`);
    // The first connection creates the schema.
    await using _ = await openPostgresStore(optionsFor("bystander"));
    for (const [agent, role] of Object.entries({ victim, hostile }))
      await runOn(database.url, `SELECT longhand.add_agent('${agent}', '${role}')`);
  });
  after(async () => {
    await database.runAsAdmin(`DROP OWNED BY ${victim}, ${hostile}`);
    await database[Symbol.asyncDispose]();
    await runOn(serverUrl!, `DROP ROLE ${victim}; DROP ROLE ${hostile}`);
  });

  function urlOf(role: string): string {
    const url = new URL(database.url);
    url.username = role;
    return url.href;
  }

  function optionsFor(owner: string): PostgresStoreOptions {
    const roles: Record<string, string> = { victim, hostile };
    return {
      url: roles[owner] === undefined ? database.url : urlOf(roles[owner]),
      place: "the test server",
      owner,
      analyzerId: "contract",
      tokens: ({ text }) => ({ body: contractTokens(text).join(" "), head: "" }),
      indexedFrom: 1,
    };
  }

  /** Everything in the schema that does not belong to the hostile tenant, with its privileges. */
  async function stateOfOthers(): Promise<string> {
    const tables = await database.runAsAdmin(
      "SELECT relname FROM pg_class WHERE relnamespace = 'longhand'::regnamespace AND relkind = 'r' ORDER BY 1",
    );
    const others = "<> (SELECT id FROM longhand.agents WHERE name = 'hostile')";
    const parts: unknown[] = [];
    for (const { relname } of tables) {
      const which =
        relname === "agents" ? `id ${others}` : relname === "migrations" ? "true" : `agent_id ${others}`;
      parts.push(
        relname,
        await database.runAsAdmin(`SELECT t::text FROM longhand.${relname} t WHERE ${which} ORDER BY 1`),
      );
    }
    parts.push(
      await database.runAsAdmin(
        `SELECT c.relname, c.relacl::text, c.relrowsecurity, c.relforcerowsecurity, c.relowner,
           (SELECT count(*)::int4 FROM pg_policy p WHERE p.polrelid = c.oid) AS policies,
           (SELECT count(*)::int4 FROM pg_trigger g WHERE g.tgrelid = c.oid) AS triggers,
           (SELECT string_agg(a.attname || coalesce(a.attacl::text, ''), ',' ORDER BY a.attnum) FROM pg_attribute a
             WHERE a.attrelid = c.oid) AS columns
         FROM pg_class c WHERE c.relnamespace = 'longhand'::regnamespace ORDER BY 1`,
      ),
      await database.runAsAdmin(
        "SELECT proname, prosrc, proacl::text FROM pg_proc WHERE pronamespace = 'longhand'::regnamespace ORDER BY 1",
      ),
    );
    return JSON.stringify(parts, null, 1);
  }

  async function listStatements(): Promise<string[]> {
    const columns = await database.runAsAdmin(
      `SELECT c.relname, a.attname, c.relkind FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = 'longhand'::regnamespace AND c.relkind IN ('r', 'S')`,
    );
    const tables = [
      ...new Set(columns.filter(({ relkind }) => relkind === "r").map(({ relname }) => `${relname}`)),
    ];
    const sequences = new Set(
      columns.filter(({ relkind }) => relkind === "S").map(({ relname }) => `${relname}`),
    );
    const indexes = await database.runAsAdmin(
      "SELECT relname FROM pg_class WHERE relnamespace = 'longhand'::regnamespace AND relkind = 'i'",
    );
    const lockModes =
      "ACCESS SHARE,ROW SHARE,ROW EXCLUSIVE,SHARE UPDATE EXCLUSIVE,SHARE,SHARE ROW EXCLUSIVE,EXCLUSIVE,ACCESS EXCLUSIVE";
    const backends = await database.runAsAdmin(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database()",
    );
    const agents = await database.runAsAdmin("SELECT id FROM longhand.agents");
    return [
      ...tables.flatMap((table) => [
        `INSERT INTO longhand.${table} OVERRIDING SYSTEM VALUE SELECT * FROM longhand.${table}`,
        `INSERT INTO longhand.${table} DEFAULT VALUES`,
        `DELETE FROM longhand.${table}`,
        `TRUNCATE longhand.${table} CASCADE`,
        ...lockModes.split(",").map((mode) => `LOCK TABLE longhand.${table} IN ${mode} MODE NOWAIT`),
        `SELECT * FROM longhand.${table} FOR UPDATE`,
        `SELECT longhand.delete_rows('${table}', ARRAY(SELECT format('(%s,%s)', b, i)::tid FROM generate_series(0, 40) b, generate_series(1, 300) i))`,
        `ALTER TABLE longhand.${table} DISABLE ROW LEVEL SECURITY`,
        `ALTER TABLE longhand.${table} OWNER TO ${hostile}`,
        `ALTER TABLE longhand.${table} ADD COLUMN extra text`,
        `DROP TABLE longhand.${table} CASCADE`,
        `CREATE POLICY mine ON longhand.${table} USING (true)`,
        `CREATE INDEX ON longhand.${table} ((1))`,
        `CREATE TRIGGER t BEFORE INSERT ON longhand.${table} EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
        `CREATE RULE r AS ON INSERT TO longhand.${table} DO INSTEAD NOTHING`,
        `GRANT ALL ON longhand.${table} TO PUBLIC`,
        `COMMENT ON TABLE longhand.${table} IS 'mine'`,
        `VACUUM FULL longhand.${table}`,
        `ANALYZE longhand.${table}`,
        `REINDEX TABLE longhand.${table}`,
        `CREATE TEMP TABLE ${table} AS SELECT * FROM longhand.${table}`,
        `COPY longhand.${table} TO PROGRAM 'true'`,
        `CREATE VIEW longhand.v_${table} AS SELECT * FROM longhand.${table}`,
      ]),
      ...columns
        .filter(({ relkind }) => relkind === "r")
        .flatMap(({ relname, attname }) => [
          `UPDATE longhand.${relname} SET ${attname} = ${attname}`,
          `UPDATE longhand.${relname} SET ${attname} = NULL`,
          `UPDATE longhand.${relname} SET ${attname} = DEFAULT`,
        ]),
      // Its own rows under the keys that others use, and those that they will use next.
      ...agents.flatMap(({ id }) => [
        `INSERT INTO longhand.meta VALUES (${id}, 'fact:x', 'mine')`,
        `UPDATE longhand.meta SET agent_id = ${id}`,
        `SELECT pg_advisory_lock(hashtext('longhand work documents'), ${id})`,
        `SELECT pg_advisory_lock(hashtext('longhand work vectors'), ${id})`,
      ]),
      `INSERT INTO longhand.files (id, agent_id, source, path, hash, mtime, size, version, chunker, scope, chunk_count)
         OVERRIDING SYSTEM VALUE SELECT i, longhand.current_agent(), 'memory', i::text, '', 0, 0, '', '', '', 0
         FROM generate_series(1, 2000) i`,
      `INSERT INTO longhand.embedders (id, agent_id, name, provider, model, provider_key, vectors_per_text, dims, done_key, used_at)
         SELECT i, longhand.current_agent(), i::text, '', '', '', 'one', 2, 0, 0 FROM generate_series(1, 200) i`,
      `INSERT INTO longhand.chunks_vec (embedder_id, key, agent_id)
         SELECT e, k, longhand.current_agent() FROM generate_series(1, 20) e, generate_series(1, 200) k`,
      ...["INSERT INTO longhand.agents (name) VALUES ('newcomer')"],
      `INSERT INTO longhand.agents (name, login) VALUES ('newcomer', '${hostile}')`,
      "INSERT INTO longhand.migrations VALUES (999)",
      `SELECT longhand.add_agent('bystander', '${hostile}')`,
      `SELECT longhand.add_agent('newcomer', '${hostile}')`,
      `SELECT longhand.grant_tenant('${hostile}')`,
      "SELECT longhand.secure_tenants()",
      "CREATE OR REPLACE FUNCTION longhand.current_agent() RETURNS int4 LANGUAGE sql AS 'SELECT 1'",
      "CREATE FUNCTION pg_temp.current_agent() RETURNS int4 LANGUAGE sql AS 'SELECT 1'",
      "CREATE TABLE longhand.mine (id int4)",
      "CREATE TABLE public.mine (id int4)",
      "CREATE SCHEMA mine",
      "DROP SCHEMA longhand CASCADE",
      "ALTER SCHEMA longhand RENAME TO mine",
      "SELECT lo_create(4711)",
      "SELECT lo_from_bytea(0, 'mine')",
      ...[...sequences].flatMap((name) => [
        `SELECT nextval('longhand.${name}')`,
        `SELECT setval('longhand.${name}', 1)`,
        `ALTER SEQUENCE longhand.${name} RESTART`,
      ]),
      ...indexes.flatMap(({ relname }) => [
        `DROP INDEX longhand.${relname}`,
        `REINDEX INDEX longhand.${relname}`,
      ]),
      ...backends.flatMap(({ pid }) => [
        `SELECT pg_terminate_backend(${pid})`,
        `SELECT pg_cancel_backend(${pid})`,
      ]),
      ...[victim, database.owner, "postgres"].flatMap((role) => [
        `SET ROLE ${role}`,
        `SET SESSION AUTHORIZATION ${role}`,
        `GRANT ${role} TO ${hostile}`,
        `ALTER ROLE ${role} SET statement_timeout = 1`,
        `ALTER ROLE ${role} NOLOGIN`,
      ]),
      `ALTER ROLE ${hostile} BYPASSRLS`,
      `ALTER ROLE ${hostile} SUPERUSER`,
      `ALTER DATABASE ${database.name} SET longhand.agent = 'hostile'`,
      "SET row_security = off",
      "SET session_replication_role = replica",
      "ALTER SYSTEM SET max_connections = 1",
      "DO $$ BEGIN DELETE FROM longhand.chunks; EXCEPTION WHEN OTHERS THEN NULL; END $$",
      "SELECT pg_advisory_lock(classid::int4, objid::int4) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2",
      "SELECT pg_try_advisory_lock((classid::int8 << 32) | objid::int8) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1",
    ];
  }

  async function work(store: FullStore, name: string): Promise<void> {
    await store.put([document(`${name}.md`, [`${name} alpha`, `${name} beta`])], "cut-1");
    await embedSingly(store);
    await store.collectGarbage({ id: "single", provider: "test", model: "single" });
    await store.writeFact("who", name);
    assert.equal(await store.readFact("who"), name);
    assert.deepEqual(await search(store, ["beta"]), [`${name} beta`]);
    assert.deepEqual(await similarTo(store, `${name} alpha`, { embedderId: "single", limit: 1 }), [
      `${name} alpha`,
    ]);
    await store.remove("memory", [`${name}.md`]);
  }

  it("cannot put functions of its own in place of those that the policies call", async () => {
    for (const agent of ["victim", "bystander"]) {
      await using store = await openPostgresStore(optionsFor(agent));
      await store.writeFact("kept", "yes");
    }
    await database.runAsAdmin(`CREATE SCHEMA traps; GRANT ALL ON SCHEMA traps TO ${hostile}`);
    const client = new pg.Client(urlOf(hostile));
    await client.connect();
    await client.query(
      `CREATE FUNCTION traps.pg_has_role(name, oid, text) RETURNS bool LANGUAGE sql AS 'SELECT true';
       SET search_path = traps, pg_catalog`,
    );
    assert.equal(
      (await client.query("SELECT pg_has_role(session_user, 1::oid, 'member') AS has")).rows[0].has,
      true,
    );
    for (const agent of ["victim", "bystander"]) {
      await client.query(`SET longhand.agent = '${agent}'`);
      assert.deepEqual((await client.query("SELECT name FROM longhand.agents")).rows, []);
      assert.deepEqual((await client.query("SELECT * FROM longhand.meta")).rows, []);
    }
    await client.end();
    await database.runAsAdmin("DROP SCHEMA traps CASCADE");
  });

  it("changes nothing of others, whatever it runs and whatever agent it claims to be", async () => {
    await using theirs = await openPostgresStore(optionsFor("victim"));
    await using owners = await openPostgresStore(optionsFor("bystander"));
    await using own = await openPostgresStore(optionsFor("hostile"));
    for (const store of [theirs, owners, own]) {
      await store.put([document("a.md", ["the secret word is kingfisher", "alpha"])], "cut-1");
      await embedSingly(store);
      await store.writeFact("kept", "yes");
    }
    const before = await stateOfOthers();
    const statements = await listStatements();
    let allowed = 0;
    for (const agent of ["hostile", "victim", "bystander", "newcomer", ""]) {
      const client = new pg.Client(urlOf(hostile));
      client.on("error", () => {});
      await client.connect();
      await client.query(
        `SET longhand.agent = '${agent}'; SET longhand.managing = 'on'; SET lock_timeout = '1s'`,
      );
      for (const statement of statements) {
        // Each statement separately, because a refused one must not end the others. LOCK TABLE needs a transaction.
        const isLock = statement.startsWith("LOCK");
        await client.query(isLock ? `BEGIN; ${statement}; COMMIT` : statement).then(
          () => allowed++,
          () => client.query("ROLLBACK"),
        );
      }
      await client.end();
    }
    assert.ok(allowed > 50, `only ${allowed} statements went through, so little was tried`);
    assert.equal(await stateOfOthers(), before);
    for (const store of [theirs, owners]) {
      assert.deepEqual(await search(store, ["kingfisher"]), ["the secret word is kingfisher"]);
      assert.equal(await store.readFact("kept"), "yes");
    }
  });

  it("reads nothing of others", async () => {
    for (const agent of ["hostile", "victim", "bystander", ""]) {
      const client = new pg.Client(urlOf(hostile));
      await client.connect();
      await client.query(`SET longhand.agent = '${agent}'; SET longhand.managing = 'on'`);
      const { rows: tables } = await client.query(
        "SELECT relname FROM pg_class WHERE relnamespace = 'longhand'::regnamespace AND relkind = 'r'",
      );
      for (const { relname } of tables.filter((table) => table.relname !== "migrations")) {
        const column = relname === "agents" ? "id" : "agent_id";
        const { rows } = await client.query(
          `SELECT 1 FROM longhand.${relname} WHERE ${column} IS DISTINCT FROM
             (SELECT id FROM longhand.agents WHERE name = 'hostile')`,
        );
        assert.deepEqual(rows, [], `${agent} ${relname}`);
      }
      await client.end();
    }
  });

  it("delays nobody with its locks and open transactions", { timeout: hangLimitMs }, async () => {
    const holder = new pg.Client(urlOf(hostile));
    await holder.connect();
    await holder.query("SET longhand.agent = 'hostile'; SET lock_timeout = '1s'; BEGIN");
    try {
      for (const statement of await listStatements()) {
        if (!/^(?:LOCK|SELECT|UPDATE|INSERT)/.test(statement) || /terminate|cancel/.test(statement)) continue;
        await holder.query("SAVEPOINT s");
        await holder.query(statement).catch(() => holder.query("ROLLBACK TO s"));
      }
      const index = createPostgresIndex(optionsFor("victim"));
      await using theirs = await index.open();
      await using owners = await openPostgresStore(optionsFor("bystander"));
      await work(theirs, "victim");
      await work(owners, "bystander");
      // The number of a lock is visible while it is held, and anyone can take it afterwards.
      const thief = new pg.Client(urlOf(hostile));
      await thief.connect();
      const seen =
        "SELECT (classid::int8 << 32) | objid::int8 AS key FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1";
      let keys: unknown[] = [];
      {
        await using held = await index.locks.documents.tryAcquire("indexing");
        assert.ok(held);
        assert.equal(await index.locks.documents.tryAcquire("indexing"), null);
        keys = (await thief.query(seen)).rows.map(({ key }) => key);
      }
      for (const key of keys) await thief.query("SELECT pg_try_advisory_lock($1::int8)", [key]);
      {
        await using again = await index.locks.documents.tryAcquire("indexing");
        assert.ok(again);
      }
      await thief.end();
      // A new agent with its role, and an agent of the owner.
      await runOn(database.url, `SELECT longhand.add_agent('newcomer', '${victim}')`);
      await using newcomer = await openPostgresStore({ ...optionsFor("newcomer"), url: urlOf(victim) });
      await work(newcomer, "newcomer");
    } finally {
      await holder.end();
    }
  });

  it("an agent cannot be bound twice, nor to a role that sees everything", async () => {
    const add = (agent: string, role: string) =>
      runOn(database.url, `SELECT longhand.add_agent('${agent}', '${role}')`);
    await assert.rejects(add("victim", hostile), /bound to another role/);
    await assert.rejects(add("another", database.owner), /sees the rows of all agents/);
    await assert.rejects(add("another", "postgres"), /sees the rows of all agents/);
    await assert.rejects(add("another", "nobody_at_all"), /there is no role/);
    await add("victim", victim);
    await assert.rejects(openPostgresStore({ ...optionsFor("unknown"), url: urlOf(hostile) }), {
      code: "store-refused",
      hint: /longhand\.add_agent\('unknown'/,
    });
  });

  it("loses privileges that were granted by hand, and can still work", async () => {
    await using old = await createTestDatabase(serverUrl!);
    const tenant = `${old.name}_tenant`;
    await runOn(
      old.url,
      `CREATE SCHEMA longhand;
       CREATE TABLE longhand.migrations (version int4 PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
       ${migrations.slice(0, 2).join(";")};
       INSERT INTO longhand.migrations VALUES (1), (2)`,
    );
    await old.runAsAdmin(
      `CREATE ROLE ${tenant} LOGIN; GRANT USAGE ON SCHEMA longhand TO ${tenant};
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA longhand TO ${tenant};
       INSERT INTO longhand.agents (name, login) VALUES ('tenant', '${tenant}')`,
    );
    try {
      await using _ = await openPostgresStore({ ...optionsFor("bystander"), url: old.url });
      const rights = await old.runAsAdmin(
        `SELECT relname, privilege_type FROM pg_class c, aclexplode(relacl) g
         WHERE relnamespace = 'longhand'::regnamespace AND g.grantee = '${tenant}'::regrole
           AND (privilege_type NOT IN ('SELECT', 'INSERT')
             OR relname IN ('agents', 'migrations') AND privilege_type <> 'SELECT')`,
      );
      assert.deepEqual(rights, []);
      const url = new URL(old.url);
      url.username = tenant;
      await using store = await openPostgresStore({ ...optionsFor("tenant"), url: url.href });
      await work(store, "tenant");
    } finally {
      await old.runAsAdmin(`DROP OWNED BY ${tenant}; DROP ROLE ${tenant}`);
    }
  });
});
