import assert from "node:assert/strict";
import { chmodSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { makeMemoryFixture } from "./support/memory-fixture.ts";
import { asOrdinaryUser } from "./support/ordinary-user.ts";
import { skipWithoutModes } from "./support/platform.ts";

test("a state folder that cannot be written still answers, and says what it cannot do", {
  skip: skipWithoutModes,
}, async (t) => {
  const fixture = makeMemoryFixture(t, {
    "MEMORY.md": "We ship on Fridays.\n",
    "memory/a.md": "Kim waters plants.\n",
  });
  const first = await fixture.open();
  await first.sync();
  const { dbPath } = await first.status();
  await first.close();

  await withReadOnlyState(fixture.stateDir, dbPath, async () => {
    const memory = await fixture.open();
    const fresh = await memory.search("ship");
    assert.deepEqual(
      fresh.results.map(({ path }) => path),
      ["MEMORY.md"],
    );
    assert.equal(fresh.stale, false, "nothing has changed, so nothing has to be written");
    assert.match(fresh.degraded.join(), /changes cannot be indexed: .*readonly/);
    assert.equal((await memory.status()).files, 2);

    process.seteuid?.(0);
    fixture.write("memory/b.md", "The harbour is closed.\n");
    process.seteuid?.(65534);
    const behind = await memory.search("harbour");
    assert.deepEqual(behind.results, []);
    assert.equal(behind.stale, true);
    assert.match(behind.degraded.join(), /Could not write to the index/);
    assert.equal((await memory.status()).dirty, true);
  });
  const again = await fixture.open();
  assert.equal((await again.search("harbour")).results.length, 1);
});

/** Everything is read-only, even for root, whose privileges are dropped meanwhile. */
async function withReadOnlyState(stateDir: string, dbPath: string, work: () => Promise<void>): Promise<void> {
  const folders = [stateDir, ...readdirSync(stateDir).map((name) => join(stateDir, name)), dirname(dbPath)];
  chmodSync(dbPath, 0o444);
  for (const folder of folders) chmodSync(folder, 0o555);
  chmodSync(dirname(stateDir), 0o755);
  try {
    await asOrdinaryUser(work);
  } finally {
    for (const folder of folders) chmodSync(folder, 0o755);
    chmodSync(dbPath, 0o600);
  }
}
