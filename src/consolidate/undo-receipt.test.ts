import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { partsOfOneProcess, readAllNotes } from "../../test/support/consolidation-parts.ts";
import { makeMemoryFixture } from "../../test/support/memory-fixture.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { runDoctor } from "../doctor/doctor.ts";
import { checkConsolidation } from "../doctor/notes-checks.ts";
import type { Memory } from "../memory/memory.ts";
import { openNotes } from "../notes/notes.ts";
import { createConsolidation } from "./create-consolidation.ts";
import type { NotesAccess } from "./note-set.ts";
import { createReceiptFiles } from "./receipt-files.ts";

const now = () => new Date("2026-03-20T12:00:00Z");

const files = {
  "MEMORY.md": "# Memory\n\n## Decisions\n\n- The invoices are sent on Mondays by Ines.\n",
  "memory/2025-01-01.md": "Quiet day.\n",
  "memory/2026-03-02.md":
    "- The invoices are sent on Mondays by Ines.\n- We decided to use CockroachDB for the ledger.\n",
  "memory/2026-03-09.md": "- Lunch with Bo tomorrow.\n",
};

/** Runs `meanwhile` before the nth note is replaced, like another program. */
function setUp(t: TestContext) {
  const folder = makeTemporaryFolder(t, files);
  const notes = openNotes({
    workspaceDir: folder.dir,
    ...{ extraPaths: [], exclude: [], timezone: "UTC", now },
    withLock: async (work) => work(),
  });
  const turns: { at: number; meanwhile: () => void }[] = [];
  let exchanged = 0;
  const access: NotesAccess = {
    ...notes,
    async exchange(request) {
      for (const { at, meanwhile } of turns) if (at === exchanged) meanwhile();
      exchanged++;
      return await notes.exchange(request);
    },
  };
  const consolidation = createConsolidation({
    notes: access,
    files: createReceiptFiles(join(makeTemporaryFolder(t).dir, "consolidation")),
    today: () => "2026-03-20",
    now,
    ...partsOfOneProcess,
  });
  return {
    folder,
    consolidation,
    interleave(...planned: typeof turns) {
      exchanged = 0;
      turns.splice(0, turns.length, ...planned);
    },
  };
}

test("an undo that another program interrupts at any note undoes nothing, and can be repeated", async (t) => {
  const { folder, consolidation, interleave } = setUp(t);
  const before = readAllNotes(folder.dir);
  const { receipt } = await consolidation.apply({ steps: "all" });
  const after = readAllNotes(folder.dir);
  const { notes } = (await consolidation.receipts())[0]!;
  const order = notes.toReversed();
  assert.ok(order.length >= 4);
  for (const [at, { path, after: hash }] of order.entries()) {
    const left = after[path];
    const theirs = `${left ?? ""}- Theirs.\n`;
    interleave({ at, meanwhile: () => writeFileSync(folder.at(path), theirs) });
    await assert.rejects(
      consolidation.undo(),
      {
        code: "note-changed",
        message: `Receipt ${receipt} cannot be undone: ${path} changed since then.`,
        hint: /^Nothing was undone\./,
      },
      path,
    );
    assert.deepEqual(readAllNotes(folder.dir), { ...after, [path]: theirs }, path);
    assert.equal((await consolidation.receipts())[0]!.state, "applied", path);
    assert.deepEqual(await consolidation.recover(), []);
    interleave();
    if (hash === null) rmSync(folder.at(path));
    else writeFileSync(folder.at(path), left!);
  }
  await consolidation.undo();
  assert.deepEqual(readAllNotes(folder.dir), before);
});

test("an undo of a note that became read-only undoes nothing", async (t) => {
  const { folder, consolidation } = setUp(t);
  const before = readAllNotes(folder.dir);
  await consolidation.apply({ steps: "all" });
  const after = readAllNotes(folder.dir);
  chmodSync(folder.at("MEMORY.md"), 0o444);
  await assert.rejects(consolidation.undo(), {
    code: "note-unwritable",
    message: /cannot be undone: MEMORY\.md was left as it is: the file is read-only/,
    hint: /^Nothing was undone\./,
  });
  assert.deepEqual(readAllNotes(folder.dir), after);
  chmodSync(folder.at("MEMORY.md"), 0o644);
  await consolidation.undo();
  assert.deepEqual(readAllNotes(folder.dir), before);
});

test("if the rollback is interrupted too, the receipt says so and keeps the bytes", async (t) => {
  const { folder, consolidation, interleave } = setUp(t);
  const { receipt } = await consolidation.apply({ steps: "all" });
  const { notes } = (await consolidation.receipts())[0]!;
  const [first, second] = notes.toReversed().map(({ path }) => path);
  interleave({
    at: 1,
    meanwhile() {
      writeFileSync(folder.at(second!), "Theirs.\n");
      writeFileSync(folder.at(first!), "Theirs, too.\n");
    },
  });
  await assert.rejects(consolidation.undo(), {
    message: new RegExp(`^Receipt ${receipt} is half done: ${second} .*${first} could not be put back`),
  });
  assert.deepEqual(await consolidation.recover(), []);
  assert.equal((await consolidation.receipts())[0]!.state, "interrupted");
  assert.equal(readFileSync(folder.at(first!), "utf8"), "Theirs, too.\n");
});

/** A memory whose apply was killed before its last note. */
async function interrupt(t: TestContext) {
  const fixture = makeMemoryFixture(t, files);
  const open = () => fixture.open({ now });
  const before = readAllNotes(fixture.workspace);
  const memory = await open();
  const { receipt } = await memory.consolidation.apply({ steps: "all" });
  const folder = join(fixture.stateDir, "agents", memory.agentId, "consolidation");
  await memory.close();
  const record = join(folder, "pending", `${receipt}.json`);
  mkdirSync(join(folder, "pending"), { recursive: true });
  renameSync(join(folder, "receipts", `${receipt}.json`), record);
  const { notes, ...rest } = JSON.parse(readFileSync(record, "utf8"));
  writeFileSync(record, JSON.stringify({ ...rest, notes, doing: "apply" }));
  writeFileSync(fixture.at(notes.at(-1).path), Buffer.from(notes.at(-1).bytes, "base64"));
  return { fixture, open, before, receipt, record };
}

async function askDoctor(memory: Memory) {
  const node = { version: "24.0.0", sqlite: "3", problem: null };
  const context = { settings: {} as never, memory, status: await memory.status(), version: "0", node };
  return (await runDoctor(context, { consolidation: checkConsolidation })).checks;
}

test("a recovery that fails stays pending, with the reason and what to do, until it succeeds", async (t) => {
  const { fixture, open, before, receipt } = await interrupt(t);
  chmodSync(fixture.at("MEMORY.md"), 0o444);
  {
    await using memory = await open();
    const { pendingRecoveries } = await memory.status();
    assert.equal(pendingRecoveries.length, 1);
    const [pending] = pendingRecoveries;
    assert.equal(pending!.receipt, receipt);
    assert.equal(pending!.doing, "apply");
    assert.ok(pending!.notes.includes("MEMORY.md"));
    assert.match(pending!.problem, /MEMORY\.md was left as it is: the file is read-only/);
    assert.match(pending!.hint, /right to write.* To try again, run: longhand consolidate$/);
    const [check] = await askDoctor(memory);
    assert.equal(check!.ok, false);
    assert.match(
      check!.detail,
      /an apply was interrupted and cannot be rolled back \(.*MEMORY\.md.*read-only/,
    );
    await assert.rejects(memory.consolidation.plan(), {
      message: new RegExp(`Receipt ${receipt}: the apply was interrupted and could not be rolled back`),
      hint: /longhand consolidate$/,
    });
    chmodSync(fixture.at("MEMORY.md"), 0o644);
    assert.deepEqual((await memory.status()).pendingRecoveries, [], "the same process retries");
    assert.deepEqual(await askDoctor(memory), []);
  }
  assert.deepEqual(readAllNotes(fixture.workspace), before);
});

test("a record of an interrupted apply that cannot be read is named", async (t) => {
  const { open, record } = await interrupt(t);
  writeFileSync(record, "{");
  await using memory = await open();
  const [pending] = (await memory.status()).pendingRecoveries;
  assert.ok(pending!.problem.includes(record));
  assert.match(pending!.hint, /delete that file/);
  assert.match((await askDoctor(memory))[0]!.detail, /unknown notes/);
});

test("doctor reports a note that was edited after the kill, until the next apply", async (t) => {
  const { fixture, open } = await interrupt(t);
  writeFileSync(fixture.at("MEMORY.md"), "Theirs.\n");
  await using memory = await open();
  assert.deepEqual((await memory.status()).pendingRecoveries, []);
  const [check] = await askDoctor(memory);
  assert.equal(check!.ok, true);
  assert.match(check!.detail, /was interrupted, and a note was edited before it could be rolled back/);
});
