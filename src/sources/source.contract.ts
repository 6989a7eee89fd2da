import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ListedEntry, Source } from "./source.ts";

/** A place with documents, of which every `open` gives a source. */
export interface SourceFixture extends AsyncDisposable {
  open(): Promise<Source>;
  /** Adds a document, or changes its text, as the outside world would. Gives its path. */
  write(name: string, text: string): Promise<string>;
  remove(name: string): Promise<void>;
}

export interface SourceContractOptions {
  readonly create: () => Promise<SourceFixture>;
}

/** Every promise of the Source interface, as tests for whoever keeps it. */
export function sourceContract(name: string, { create }: SourceContractOptions): void {
  const check = (title: string, work: (source: Source, fixture: SourceFixture) => Promise<void>): void => {
    it(title, async () => {
      await using fixture = await create();
      await work(await fixture.open(), fixture);
    });
  };

  describe(`${name} as a source`, () => {
    check("says who it is", async (source) => {
      assert.equal(source.specificationVersion, 1);
      assert.match(source.name, /^[a-z][a-z0-9-]{0,63}$/);
    });

    check("lists every document once, under a path that reads it", async (source, fixture) => {
      assert.deepEqual((await source.list()).entries, []);
      const first = await fixture.write("first", "The first text.");
      const second = await fixture.write("second", "Grüße, 東京 🙂\nsecond line");
      const { entries } = await source.list();
      assert.deepEqual(entries.map(({ path }) => path).sort(), [first, second].sort());
      const document = await source.read(second);
      assert.match(document!.text, /Grüße, 東京 🙂/);
      assert.equal(document!.path, second);
      assert.equal(document!.source, source.name);
    });

    check("lists what it read under the same version, until it changes", async (source, fixture) => {
      const path = await fixture.write("note", "one");
      const before = await versionOf(source, path);
      assert.equal(await versionOf(source, path), before, "a version does not change by itself");
      assert.equal(await versionOf(await fixture.open(), path), before, "nor with another source");
      const read = (await source.read(path))!.version;
      await fixture.write("note", "the second text");
      const after = await versionOf(source, path);
      assert.notEqual(after, before);
      assert.notEqual(after, source.listedAs?.(read) ?? read, "what was read is not what is listed now");
      assert.match((await source.read(path))!.text, /the second text/);
    });

    check("keeps the path of a document that changes", async (source, fixture) => {
      const path = await fixture.write("note", "one");
      assert.equal(await fixture.write("note", "another text"), path);
      assert.deepEqual(
        (await source.list()).entries.map((entry) => entry.path),
        [path],
      );
    });

    check("no longer lists or reads what is gone", async (source, fixture) => {
      const path = await fixture.write("note", "one");
      const other = await fixture.write("other", "two");
      await source.list();
      await fixture.remove("note");
      assert.deepEqual(
        (await source.list()).entries.map((entry) => entry.path),
        [other],
      );
      assert.equal(await source.read(path), null);
    });

    check("lists the same with and without the known versions", async (source, fixture) => {
      await fixture.write("a", "one");
      await fixture.write("b", "two");
      const entries = await sorted(source);
      await fixture.write("c", "three");
      await fixture.remove("a");
      const known = new Map(entries.map(({ path, version }) => [path, { version }]));
      const withKnown = (await source.list({ known })).entries.map(({ path }) => path).sort();
      assert.deepEqual(
        withKnown,
        (await sorted(await fixture.open())).map(({ path }) => path),
      );
    });

    check("has well-formed documents", async (source, fixture) => {
      const path = await fixture.write("note", "The text of a note.");
      const document = (await source.read(path))!;
      assert.ok(["private", "shared"].includes(document.scope));
      assert.ok(document.modifiedAt instanceof Date);
      if (document.date !== undefined) assert.match(document.date, /^\d{4}-\d{2}-\d{2}$/);
      assert.ok(!/\r(?!\n)/.test(document.text), "lines end in \\n or \\r\\n");
    });
  });
}

async function sorted(source: Source): Promise<ListedEntry[]> {
  const { entries } = await source.list();
  return [...entries].sort((left, right) => (left.path < right.path ? -1 : 1));
}

async function versionOf(source: Source, path: string): Promise<string> {
  const entry = (await source.list()).entries.find((each) => each.path === path);
  assert.ok(entry, `${path} is listed`);
  return entry.version;
}
