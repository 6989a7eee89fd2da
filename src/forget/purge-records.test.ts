import assert from "node:assert/strict";
import { test } from "node:test";
import { asOrdinaryUser } from "../../test/support/ordinary-user.ts";
import { skipWithoutModes } from "../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createPurgeRecords } from "./purge-records.ts";

test("a record that may not be removed stays for the next process, and fails nothing", {
  skip:
    skipWithoutModes || (process.geteuid?.() !== 0 && "only root can make a file that others may not remove"),
}, async (t) => {
  const records = createPurgeRecords(makeTemporaryFolder(t).at("index.pending"));
  const { id } = records.add({ at: "2026-03-01T00:00:00Z", notes: [] });
  await asOrdinaryUser(async () => records.remove([id]));
  assert.deepEqual(
    records.list().map((record) => record.id),
    [id],
  );
  records.remove([id]);
  assert.deepEqual(records.list(), []);
});
