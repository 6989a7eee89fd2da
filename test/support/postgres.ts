import { randomUUID } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import pg from "pg";

/** Where a PostgreSQL answers. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** PGlite has one session for all of its connections. */
  readonly maxConnections: number;
}

/** PostgreSQL in this process, asked over loopback by the real client. Takes some seconds to start. */
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

/** A database of its own on a real server, removed afterwards. */
export async function createTestDatabase(serverUrl: string): Promise<TestServer> {
  const name = `longhand_test_${randomUUID().replaceAll("-", "")}`;
  await runOn(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    maxConnections: 4,
    [Symbol.asyncDispose]: () => runOn(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

export async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
