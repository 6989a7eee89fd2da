import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../src/index.ts";

/**
 * `node two-machines.ts MOUNT MOUNT FOLDER`: two mounts of one share, as two machines have them, and a folder on a local
 * disk. Each machine adds facts to the same note at the same time, and none may get lost.
 */
const [first = "", second = "", local = "", name, stateDir = ""] = process.argv.slice(2);
const count = 6;
const note = "memory/shared.md";

const open = (mount: string, state: string) =>
  openMemory({
    workspace: join(mount, "notes"),
    stateDir: state,
    agent: "shared",
    config: {
      agents: {
        defaults: {
          memorySearch: { provider: "none", query: { minScore: 0 }, sync: { searchWaitMs: 60_000 } },
        },
      },
    },
  });

if (name !== undefined) await write(first, stateDir, name);
else await check();

async function write(mount: string, state: string, writer: string): Promise<void> {
  const memory = await open(mount, state);
  let isIndexed = true;
  for (let number = 0; number < count; number++) {
    const { indexed } = await memory.add(`Fact ${number} of ${writer} about quokkas.`, { to: note });
    isIndexed &&= indexed;
  }
  await memory.close();
  console.log(
    `${writer}: ${count} facts added${isIndexed ? " and indexed" : "; the index could not be written"}`,
  );
}

async function check(): Promise<void> {
  mkdirSync(join(first, "notes", "memory"), { recursive: true });
  await addFrom([first, join(local, "one"), "Ann"], [second, join(local, "two"), "Bob"]);
  for (const [mount, state] of [
    [first, "one"],
    [second, "two"],
  ] as const) {
    assert.equal(factsAt(mount), 2 * count);
    const memory = await open(mount, join(local, state));
    const { results } = await memory.search("quokkas", { maxResults: 1 });
    assert.equal(results[0]?.path, note);
    await memory.close();
  }
  console.log("indexes on local disks: no fact is lost, and both machines find the note");
  await addFrom([first, join(first, "state"), "Cem"], [second, join(second, "state"), "Dee"]);
  for (const mount of [first, second]) assert.equal(factsAt(mount), 4 * count);
  console.log("one index on the share: no fact is lost");
}

async function addFrom(...writers: readonly (readonly [string, string, string])[]): Promise<void> {
  const running = writers.map(([mount, state, writer]) =>
    spawn(process.execPath, ["--no-warnings", import.meta.filename, mount, "", "", writer, state], {
      stdio: "inherit",
    }),
  );
  const codes = await Promise.all(running.map(async (child) => (await once(child, "exit"))[0]));
  assert.deepEqual(codes, [0, 0]);
}

/** Each fact once, on a line of its own. */
function factsAt(mount: string): number {
  const lines = readFileSync(join(mount, "notes", note), "utf8").split("\n");
  return new Set(lines.filter((line) => /^- Fact \d of \w+ about quokkas\.$/.test(line))).size;
}
