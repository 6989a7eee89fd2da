import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LonghandError, openMemory } from "../../src/index.ts";

/**
 * `node two-machines.ts MOUNT MOUNT FOLDER`: two mounts of one share, as two machines have them, and a folder on a local
 * disk. Each machine writes to the same note at the same time, and no fact may get lost.
 */
const [first = "", second = "", local = "", name, stateDir = "", task] = process.argv.slice(2);
const count = 6;
const note = "memory/shared.md";

const open = (mount: string, state: string, searchWaitMs = 2000) =>
  openMemory({
    workspace: join(mount, "notes"),
    stateDir: state,
    agent: "shared",
    config: {
      agents: {
        defaults: { memorySearch: { provider: "none", query: { minScore: 0 }, sync: { searchWaitMs } } },
      },
    },
  });

if (name === undefined) await check();
else if (task === "edit") await edit(first, stateDir, name);
else await write(first, stateDir, name);

async function write(mount: string, state: string, writer: string): Promise<void> {
  const memory = await open(mount, state);
  let isIndexed = true;
  for (let number = 0; number < count; ) {
    try {
      const { indexed } = await memory.add(`Fact ${number} of ${writer} about quokkas.`, { to: note });
      isIndexed &&= indexed;
      number++;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }
  await memory.close();
  console.log(
    `${writer}: ${count} facts added${isIndexed ? " and indexed" : "; not all were indexed in time"}`,
  );
}

/** An emulated machine may hold the lock for longer than another one waits, which then has to try again. */
function isBusy(error: unknown): boolean {
  return error instanceof LonghandError && error.code === "index-busy";
}

/** Removes each fact of a writer by an edit of the whole note, which is refused if the note has changed meanwhile. */
async function edit(mount: string, state: string, writer: string): Promise<void> {
  const memory = await open(mount, state);
  let refusals = 0;
  for (let number = 0; number < count; ) {
    const { text, hash: expectedHash } = (await memory.readNote({ path: note }))!;
    const line = `- Fact ${number} of ${writer} about quokkas.\n`;
    assert.ok(text.includes(line));
    try {
      await memory.editNote({ path: note, text: text.replace(line, ""), expectedHash });
      number++;
    } catch (error) {
      if (!isBusy(error) && !(error instanceof LonghandError && error.code === "note-changed")) throw error;
      refusals++;
    }
  }
  await memory.close();
  console.log(`${count} facts of ${writer} removed; ${refusals} edits were refused and repeated`);
}

async function check(): Promise<void> {
  mkdirSync(join(first, "notes", "memory"), { recursive: true });
  await run([first, join(local, "one"), "Ann"], [second, join(local, "two"), "Bob"]);
  expectFacts("Ann", "Bob");
  for (const [mount, state] of [
    [first, "one"],
    [second, "two"],
  ] as const) {
    const memory = await open(mount, join(local, state), 60_000);
    const { results } = await memory.search("quokkas", { maxResults: 1 });
    assert.equal(results[0]?.path, note);
    await memory.close();
  }
  console.log("both add: no fact is lost, and both machines find the note");

  await run([first, join(local, "one"), "Ann", "edit"], [second, join(local, "two"), "Cem"]);
  expectFacts("Bob", "Cem");
  console.log("one edits, one adds: no fact is lost");

  await run([first, join(first, "state"), "Dee"], [second, join(second, "state"), "Eve"]);
  expectFacts("Bob", "Cem", "Dee", "Eve");
  console.log("one index on the share: no fact is lost");
  assert.deepEqual(readdirSync(join(first, "notes")), ["memory"], "no lock is left behind");
}

async function run(...writers: readonly (readonly [string, string, string, string?])[]): Promise<void> {
  const running = writers.map(([mount, state, writer, what = "add"]) => {
    const words = [import.meta.filename, mount, "", "", writer, state, what];
    return spawn(process.execPath, ["--no-warnings", ...words], { stdio: "inherit" });
  });
  const codes = await Promise.all(running.map(async (child) => (await once(child, "exit"))[0]));
  assert.deepEqual(codes, [0, 0]);
}

/** Each fact of these writers once, on a line of its own, and no other, for both machines. */
function expectFacts(...writers: readonly string[]): void {
  const expected = writers.flatMap((writer) =>
    Array.from({ length: count }, (_, number) => `- Fact ${number} of ${writer} about quokkas.`),
  );
  for (const mount of [first, second]) {
    const lines = readFileSync(join(mount, "notes", note), "utf8").split("\n");
    assert.deepEqual(lines.filter((line) => line !== "").toSorted(), expected.toSorted());
  }
}
