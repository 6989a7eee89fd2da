import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { tamper } from "../../test/support/index-fixture.ts";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource } from "../../test/support/text-source.ts";
import { type IndexContents, readStoreContents } from "../stores/index-contents.ts";
import { openIndexContents } from "../stores/sqlite/index-contents.ts";
import type { FullStore } from "../stores/store.ts";
import { syncOnce } from "../sync/sync.ts";
import { createChunker } from "../text/chunk.ts";
import { repairIndex } from "./upkeep.ts";
import { findDifferences, type VerifyParts } from "./verify.ts";

const chunker = createChunker({ tokens: 400, overlap: 80 });
const now = () => new Date(0);

/** Compared as a file, and through the store interface, where tokens are counted over all documents. */
const ways = {
  "as a file": (path: string) => openIndexContents({ path }),
  "through its interface": async (_: string, store: FullStore): Promise<IndexContents> => ({
    ...readStoreContents(store, undefined),
    async [Symbol.asyncDispose]() {},
  }),
};

for (const [way, open] of Object.entries(ways)) {
  suite(`An index that is compared ${way} while others write`, () => {
    test("is equal, whichever step an edit falls on", async (t) => {
      let steps = Number.POSITIVE_INFINITY;
      for (let at = 1; at <= steps; at++) {
        await using fixture = await openFixture(t, open);
        fixture.onStep = (step) => {
          if (step === at) fixture.source.texts.set("busy.md", "edited text");
        };
        const { differences, changed } = await findDifferences(fixture.parts);
        assert.deepEqual({ differences, changed }, { differences: [], changed: [] }, `edited at step ${at}`);
        steps = Math.min(steps, fixture.steps());
      }
      assert.ok(steps >= 4, `${steps} steps`);
    });

    test("is equal except for a note that changes constantly, which is reported", async (t) => {
      await using fixture = await openFixture(t, open);
      fixture.onStep = (step) => void fixture.source.texts.set("busy.md", `edit ${step}`);
      const { differences, changed } = await findDifferences(fixture.parts);
      assert.deepEqual({ differences, changed }, { differences: [], changed: ["busy.md"] });
    });

    test("still shows damage in an unchanged note, and is repaired", async (t) => {
      await using fixture = await openFixture(t, open);
      fixture.onStep = (step) => void fixture.source.texts.set("busy.md", `edit ${step}`);
      tamper(
        fixture.path,
        "UPDATE chunk_rows SET text = 'damaged' WHERE file = (SELECT id FROM files WHERE path = 'quiet.md')",
      );
      const { differences, changed } = await findDifferences(fixture.parts);
      assert.deepEqual(
        differences.map(({ kind, path }) => [kind, path]),
        [["chunks", "quiet.md"]],
      );
      assert.deepEqual(changed, ["busy.md"]);
      const repaired = await repairIndex(fixture.parts);
      assert.deepEqual(repaired.differences, []);
      assert.ok(repaired.done.includes("indexed quiet.md again"), repaired.done.join());
    });

    test("shows damage in a recently written note", async (t) => {
      await using fixture = await openFixture(t, open);
      let edits = 0;
      fixture.onStep = () => {
        if (edits++ < 6) fixture.source.texts.set("busy.md", `edit ${edits}`);
        else
          tamper(
            fixture.path,
            "UPDATE chunk_rows SET text = 'damaged' WHERE file = (SELECT id FROM files WHERE path = 'busy.md')",
          );
      };
      const { differences, changed } = await findDifferences(fixture.parts);
      assert.deepEqual(
        differences.map(({ path }) => path),
        ["busy.md"],
      );
      assert.deepEqual(changed, []);
    });
  });
}

/** Each operation of a comparison is a step, before which another process may write. */
async function openFixture(t: TestContext, open: (path: string, store: FullStore) => Promise<IndexContents>) {
  const path = makeTemporaryFolder(t).at("index.sqlite");
  const source = createTextSource({ "quiet.md": "quiet text", "busy.md": "first text" });
  const store = await openAt(path);
  const sync = () => syncOnce({ sources: [source], store, chunker, now });
  await sync();
  let steps = 0;
  const fixture = {
    path,
    source,
    steps: () => steps,
    onStep: (_step: number): void => {},
    parts: {
      dbPath: path,
      sources: [source],
      chunker,
      now,
      store,
      sync: () => step(sync),
      checkFiles: () => [],
      openStore: (at: string) => step(() => openAt(at)),
      openFileContents: (at: string) =>
        step(async () => {
          const built = await openAt(at);
          const contents = await open(at, built);
          return {
            ...contents,
            async [Symbol.asyncDispose]() {
              await contents[Symbol.asyncDispose]();
              await built[Symbol.asyncDispose]();
            },
          };
        }),
      openContents: () => step(() => open(path, store)),
    } satisfies VerifyParts & { store: FullStore },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
  return fixture;

  async function step<T>(work: () => Promise<T>): Promise<T> {
    fixture.onStep(++steps);
    return await work();
  }
}
