import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { skipDeletingOpenFiles } from "../../../test/support/platform.ts";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openIndexFile } from "./index-file.ts";
import { loadSqlite } from "./load-sqlite.ts";

test("An index that is deleted at any moment while calls open it again answers all of them", {
  skip: skipDeletingOpenFiles,
}, async (t) => {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const sqlite = loadSqlite();
  /** After how many microtasks the file is deleted that is opened next; null: it stays. */
  let deleteAfter: number | null = null;
  class DeletedSoon extends sqlite.DatabaseSync {
    constructor(...options: ConstructorParameters<typeof sqlite.DatabaseSync>) {
      super(...options);
      const ticks = deleteAfter;
      deleteAfter = null;
      if (ticks !== null) void deleteFile(ticks);
    }
  }
  async function deleteFile(ticks: number): Promise<void> {
    for (let tick = 0; tick < ticks; tick++) await null;
    rmSync(path, { force: true });
  }
  const file = await openIndexFile(
    { ...sqlite, DatabaseSync: DeletedSoon },
    {
      path,
      tokens: ({ text }) => ({ body: text, head: "" }),
      headWeight: 1,
      now: () => 0,
      onRepair: () => {},
      writeWaitMs: 1000,
      isSettled: () => true,
      settle: async () => {},
    },
  );
  t.after(() => file.close());
  for (let ticks = 0; ticks < 120; ticks++) {
    rmSync(path, { force: true });
    deleteAfter = ticks;
    const read = () => file.read(({ reading }) => reading.revision());
    const calls = [read(), file.write(() => 0), read(), read(), file.maintain(() => 0), read()];
    assert.deepEqual(
      (await Promise.allSettled(calls)).flatMap((call) => (call.status === "rejected" ? [call.reason] : [])),
      [],
      `deleted after ${ticks} microtasks`,
    );
  }
});
