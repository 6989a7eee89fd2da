import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { openAt } from "../../test/support/sqlite-index.ts";
import { makeTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createTextSource, type TextSource } from "../../test/support/text-source.ts";
import type { Source } from "../sources/source.ts";
import type { FullStore } from "../stores/store.ts";
import { createChunker } from "../text/chunk.ts";
import { maxAttempts } from "./apply.ts";
import { indexPaths } from "./index-paths.ts";
import { type SyncReport, syncWords } from "./sync.ts";

const chunker = createChunker({ tokens: 400, overlap: 80 });
const now = () => new Date(0);

/** What another process does, from start to end, between two steps of a sync. Each edit is followed by a sync. */
const intrusions: Readonly<Record<string, readonly (string | null)[]>> = {
  "edits the note": ["second"],
  "deletes the note": [null],
  "edits the note and takes that back": ["second", "first"],
  "deletes the note and writes it again": [null, "first"],
  "deletes the note and writes another": [null, "second"],
};

/** The work that is overtaken. `before` is the note's text in the index; null for none. */
const works: Readonly<
  Record<string, { before: string | null; run: (store: FullStore, source: Source) => Promise<unknown> }>
> = {
  "a sync of a new note": { before: null, run: sync },
  "a sync of a changed note": { before: "older", run: sync },
  "a sync of a note with a new version": { before: "first", run: sync },
  "indexing a note that was just written": {
    before: "older",
    run: (store, source) => indexPaths({ source, store, chunker }, ["a.md"]),
  },
};

suite("A sync that another process overtakes, at every step", () => {
  for (const [title, { before, run }] of Object.entries(works)) {
    for (const [what, texts] of Object.entries(intrusions)) {
      test(`${title}, when somebody ${what}`, async (t) => {
        await using fixture = await openFixture(t);
        // Removing what is not in the index leaves no trace to refuse a writer by; the next sync removes it.
        const isUnseen = before === null && texts.length === 1 && texts[0] === null;
        let steps = Number.POSITIVE_INFINITY;
        for (let at = 0; at <= steps; at++) {
          await fixture.begin(before);
          steps = await fixture.overtake(at, { texts, run, mayGoBack: isUnseen });
          // Only a sync removes notes; indexing single notes does not.
          if (isUnseen || run !== sync) await sync(fixture.store, fixture.source);
          assert.deepEqual(await fixture.stored(), fixture.onDisk(), `overtaken before step ${at}`);
        }
        assert.ok(steps > 3, `${steps} steps`);
      });
    }
  }

  test("a deletion, when another process writes the note again", async (t) => {
    await using fixture = await openFixture(t);
    let steps = Number.POSITIVE_INFINITY;
    for (let at = 0; at <= steps; at++) {
      await fixture.begin("first");
      fixture.source.texts.delete("a.md");
      steps = await fixture.overtake(at, { texts: ["second"], run: sync });
      assert.deepEqual(await fixture.stored(), fixture.onDisk(), `overtaken before step ${at}`);
    }
  });

  test("indexing a note that is forgotten before it was stored", async (t) => {
    await using fixture = await openFixture(t);
    await fixture.begin(null);
    const read: Source["read"] = async (path, options) => {
      const document = await fixture.source.read(path, options);
      fixture.source.texts.delete("a.md");
      // As `forget` does for notes that it has deleted.
      await fixture.store.remove("memory", ["a.md"]);
      return document;
    };
    await indexPaths({ source: { ...fixture.source, read }, store: fixture.store, chunker }, ["a.md"]);
    assert.deepEqual(await fixture.stored(), fixture.onDisk());
  });

  test("a sync of a note that another process edits, and that is deleted before it is read again", async (t) => {
    await using fixture = await openFixture(t);
    await fixture.begin("older");
    let reads = 0;
    const read: Source["read"] = async (path, options) => {
      if (++reads === 2) fixture.source.texts.delete("a.md");
      const document = await fixture.source.read(path, options);
      if (reads > 1) return document;
      fixture.source.texts.set("a.md", "second");
      await sync(fixture.store, fixture.source);
      return document;
    };
    const { removed } = await sync(fixture.store, { ...fixture.source, read });
    assert.deepEqual([removed, await fixture.stored()], [1, fixture.onDisk()]);
  });

  test("reports what it has left when others never stop writing", async (t) => {
    await using fixture = await openFixture(t);
    await fixture.begin("older");
    let edits = 0;
    let tries = 0;
    const read: Source["read"] = async (path, options) => {
      if (path === "a.md") tries++;
      fixture.source.texts.set("a.md", `edit ${edits++}`);
      const document = await fixture.source.read(path, options);
      fixture.source.texts.set("a.md", `edit ${edits++}`);
      await sync(fixture.store, fixture.source);
      return document;
    };
    const busy = { ...fixture.source, read };
    assert.equal((await sync(fixture.store, busy)).left, 1);
    assert.equal(tries, 1 + maxAttempts);
    const [failure] = await indexPaths({ source: busy, store: fixture.store, chunker }, ["a.md"]);
    assert.equal(failure?.code, "index-busy");
    assert.deepEqual(await fixture.stored(), fixture.onDisk(), "the text of the others is indexed");
  });
});

function sync(store: FullStore, source: Source): Promise<SyncReport> {
  return syncWords({ store, sources: [source], chunker, now });
}

interface Overtaking {
  readonly texts: readonly (string | null)[];
  readonly run: (typeof works)[string]["run"];
  readonly mayGoBack?: boolean;
}

async function openFixture(t: TestContext) {
  const store = await openAt(makeTemporaryFolder(t).at("index.sqlite"));
  const source = createTextSource({ "b.md": "beside", "c.md": "beside" });
  const stored = async (): Promise<Record<string, string>> => {
    const chunks = await Promise.all(["a.md", "b.md", "c.md"].map((path) => store.chunksOf("memory", path)));
    return Object.fromEntries(chunks.flat().map(({ path, text }) => [path, text]));
  };
  const onDisk = (): Record<string, string> => Object.fromEntries([...source.texts].sort());
  return {
    store,
    source,
    stored,
    onDisk,
    /** The index has the older text of the note, and the file has been written since. */
    async begin(before: string | null): Promise<void> {
      if (before === null) source.texts.delete("a.md");
      else source.texts.set("a.md", before);
      await sync(store, source);
      source.stamp++;
      source.texts.set("a.md", "first");
    },
    /** Returns how many steps the work has. */
    async overtake(at: number, { texts, run, mayGoBack = false }: Overtaking): Promise<number> {
      let steps = 0;
      let isOvertaken = false;
      const step = async (): Promise<void> => {
        // There are no more edits, so from here on the index is right and stays so.
        if (isOvertaken && !mayGoBack)
          assert.equal((await stored())["a.md"], onDisk()["a.md"], "it does not go back");
        if (steps++ !== at) return;
        for (const text of texts) {
          if (text === null) source.texts.delete("a.md");
          else source.texts.set("a.md", text);
          await sync(store, source);
        }
        isOvertaken = true;
      };
      await run(stepwise(store, step, storeSteps), stepwise<TextSource>(source, step, ["list", "read"]));
      await step();
      return steps;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

const storeSteps = ["documentState", "versions", "put", "touch", "remove", "readFact", "writeFact"] as const;

/** The same object, but each of these calls waits for a step. */
function stepwise<T extends object>(target: T, step: () => Promise<void>, names: readonly (keyof T)[]): T {
  const waiting = names.map((name) => {
    const call = target[name] as (...request: unknown[]) => Promise<unknown>;
    const waited = async (...request: unknown[]): Promise<unknown> => {
      await step();
      return await call.apply(target, request);
    };
    return [name, waited];
  });
  return { ...target, ...Object.fromEntries(waiting) };
}
