import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { makeMemoryFixture, withMemorySearch } from "../support/memory-fixture.ts";
import { createTestDatabase, type TestDatabase } from "../support/postgres.ts";

const serverUrl = process.env["LONGHAND_TEST_POSTGRES_URL"];
/** A command that restarts that server, such as `scripts/postgres-server.sh restart DIR`. */
const restart = process.env["LONGHAND_TEST_POSTGRES_RESTART"];
const workers = 8;
const loadMs = Number(process.env["LONGHAND_TEST_POSTGRES_LOAD_MS"] ?? 8000);
const skip = serverUrl === undefined && "LONGHAND_TEST_POSTGRES_URL names no server (see docs/scaling.md)";

interface Said {
  readonly added?: string;
  readonly indexed?: boolean;
  readonly searched?: string;
  readonly isFound?: boolean;
  readonly stale?: boolean;
  readonly failed?: string;
  readonly code?: string;
  readonly retryable?: boolean;
  readonly message?: string;
  readonly closed?: string;
}

describe("eight processes on one index in a database", { skip }, () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase(serverUrl!);
  });
  after(() => database[Symbol.asyncDispose]());

  test("add, search and sync at once, and nothing is lost or missed", async (t) => {
    const said = await runLoad(t, database, async () => {
      await sleep(loadMs);
    });
    assert.deepEqual(
      said.filter(({ failed }) => failed),
      [],
    );
    // On a busy machine, an entry is not always in the index when `add` returns.
    assert.ok(said.some(({ indexed }) => indexed));
    const missed = said.filter(({ searched, isFound, stale }) => searched && !isFound && !stale);
    assert.deepEqual(missed, [], "a process finds what it has just added, or says that it may not");
  });

  test("survive a restart of the server: added text is kept, and failed calls can be retried", {
    skip: restart === undefined && "LONGHAND_TEST_POSTGRES_RESTART names no command",
  }, async (t) => {
    const said = await runLoad(t, database, async () => {
      await sleep(loadMs / 4);
      await promisify(execFile)("/bin/sh", ["-c", restart!]);
      await sleep(loadMs / 4);
      await promisify(execFile)("/bin/sh", ["-c", restart!]);
      await sleep(loadMs / 2);
    });
    for (const { failed, retryable, code, message } of said) {
      if (failed) assert.ok(retryable, `${code}: ${message}`);
    }
    const last = said.filter(({ searched }) => searched).slice(-workers);
    assert.ok(
      last.every(({ isFound }) => isFound),
      "in the end all is found again",
    );
  });
});

/**
 * Runs the workers until `during` resolves; then every acknowledged entry is in the notes, and the index matches them.
 */
async function runLoad(t: TestContext, database: TestDatabase, during: () => Promise<void>): Promise<Said[]> {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Long-term memory\n" });
  const said: Said[] = [];
  const children = Array.from({ length: workers }, (_, index) =>
    startWorker(fixture.workspace, fixture.stateDir, database.url, `${index}`, said),
  );
  const exits = children.map((child) => once(child, "exit"));
  t.after(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  const isAdding = () =>
    children.every((_, index) => said.some(({ added }) => added?.startsWith(`entry${index}`)));
  while (!isAdding()) await sleep(50);
  await during();
  for (const child of children) {
    child.stdin!.on("error", () => {});
    child.stdin!.end("over\n");
  }
  for (const exit of exits) assert.deepEqual(await exit, [0, null]);

  const url = database.url;
  const config = withMemorySearch({ store: { driver: "postgres", url } });
  const memory = await fixture.open({ config, agent: "shared" });
  const notes = await memory.listNotes({});
  const text = notes.map(({ path }) => readFileSync(join(fixture.workspace, path), "utf8")).join("\n");
  const added = said.flatMap((each) => each.added ?? []);
  assert.ok(added.length >= workers, `${added.length} entries`);
  for (const word of added) assert.ok(text.includes(` ${word} `), `${word} is in the notes`);
  const { equal, differences } = await memory.verify({});
  assert.deepEqual(differences, []);
  assert.ok(equal);
  t.diagnostic(
    `${added.length} entries, ${said.filter(({ searched }) => searched).length} searches, ${said.filter(({ failed }) => failed).length} failed`,
  );
  return said;
}

function startWorker(
  workspace: string,
  stateDir: string,
  url: string,
  name: string,
  said: Said[],
): ChildProcess {
  const script = join(import.meta.dirname, "../support/postgres-worker.ts");
  const child = spawn(process.execPath, [script, workspace, stateDir, url, name], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => said.push(JSON.parse(line) as Said));
  return child;
}
