import { randomUUID } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import pg from "pg";

/** The address of a PostgreSQL server. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** PGlite has one session for all of its connections. */
  readonly maxConnections: number;
}

/** PostgreSQL in this process, used by the real client over loopback. Takes some seconds to start. */
export async function startPglite({ withVectors = true } = {}): Promise<TestServer> {
  const db = await PGlite.create(withVectors ? { extensions: { vector } } : {});
  const server = new PGLiteSocketServer({ db, port: 0, host: "127.0.0.1", maxConnections: 64 });
  await server.start();
  const [, port] = /:(\d+)$/.exec(server.getServerConn()) ?? [];
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    maxConnections: 1,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await db.close();
    },
  };
}

/** A separate database on a real server, with an owner who is not a superuser. Removed afterwards. */
export interface TestDatabase extends TestServer {
  readonly name: string;
  /** The role of `url`. */
  readonly owner: string;
  /** As the superuser that the address of the server names. */
  runAsAdmin(statement: string): Promise<Record<string, unknown>[]>;
}

export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `longhand_test_${randomUUID().replaceAll("-", "")}`;
  await runOn(serverUrl, `CREATE ROLE ${name} LOGIN`);
  await runOn(serverUrl, `CREATE DATABASE ${name} OWNER ${name}`);
  const admin = new URL(serverUrl);
  admin.pathname = `/${name}`;
  const url = new URL(admin);
  url.username = name;
  await runOn(admin.href, "CREATE EXTENSION vector");
  return {
    name,
    owner: name,
    url: url.href,
    maxConnections: 4,
    runAsAdmin: (statement) => runOn(admin.href, statement),
    async [Symbol.asyncDispose]() {
      await runOn(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      await runOn(serverUrl, `DROP ROLE ${name}`);
    },
  };
}

/** One connection, one statement. */
export async function runOn(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
