import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMemoryFixture, withMemorySearch } from "../../test/support/memory-fixture.ts";
import { createDocument, createGivenSource } from "../sources/given-source.ts";
import type { Source } from "../sources/source.ts";
import { createMask } from "../text/mask.ts";

interface Letter {
  text: string;
  scope?: "private" | "shared";
  version?: number;
}

function createMail(letters: Map<string, Letter>, options: { name?: string; fails?: () => boolean } = {}) {
  const { name = "mail", fails = () => false } = options;
  const versionOf = ({ version = 1 }: Letter): string => `v${version}`;
  const source: Source = {
    specificationVersion: 1,
    name,
    async list() {
      if (fails()) throw new Error("the server does not answer");
      return {
        entries: [...letters].map(([path, letter]) => ({ path, version: versionOf(letter) })),
        skipped: [],
      };
    },
    async read(path) {
      const letter = letters.get(path);
      if (letter === undefined) return null;
      const { text, scope = "shared" } = letter;
      const title = `Letter ${path}`;
      return createDocument({ source: name, path, version: versionOf(letter), text, title, scope });
    },
  };
  return source;
}

const letters = () =>
  new Map<string, Letter>([
    ["inbox/1", { text: "The zeppelin invoice is due on Friday.\nKind regards" }],
    ["inbox/2", { text: "The zeppelin password is private.", scope: "private" }],
  ]);

test("documents of a program's own source are found under its name, and get accepts their paths", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n\nThe zeppelin flies on Mondays.\n" });
  const memory = await fixture.open({ sources: [createMail(letters())] });
  assert.deepEqual(memory.sources, ["memory", "sessions", "mail"]);
  const { results } = await memory.search("zeppelin");
  assert.deepEqual(results.map(({ path, source }) => `${source} ${path}`).sort(), [
    "mail mail/inbox/1",
    "mail mail/inbox/2",
    "memory MEMORY.md",
  ]);
  const only = await memory.search("zeppelin invoice", { source: "mail", maxResults: 1 });
  assert.equal(only.results[0]?.path, "mail/inbox/1");
  assert.deepEqual(only.results[0]?.headings, ["Letter inbox/1"]);
  const read = await memory.readFile({ relPath: "mail/inbox/1", from: 2 });
  assert.equal(read.text, "Kind regards");
  assert.equal((await memory.readFile({ relPath: "mail/inbox/9" })).text, "");
  assert.equal((await memory.verify()).equal, true);
  assert.equal((await memory.status()).dirty, false);
});

test("private documents stay out of sessions that others can read", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n" });
  const memory = await fixture.open({ sources: [createMail(letters())] });
  const { results } = await memory.search("zeppelin", { sessionKey: "group:1" });
  assert.deepEqual(
    results.map(({ path }) => path),
    ["mail/inbox/1"],
  );
  await assert.rejects(memory.readFile({ relPath: "mail/inbox/2", sessionKey: "group:1" }), {
    code: "path-outside-memory",
    message: /is private/,
  });
});

test("changed, added and removed documents of a source are followed", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n" });
  const mail = letters();
  const memory = await fixture.open({ sources: [createMail(mail)] });
  const search = async (words: string) => (await memory.search(words)).results.map(({ path }) => path);
  assert.equal((await search("zeppelin")).length, 2);
  mail.set("inbox/1", { text: "The submarine invoice", version: 2 });
  mail.set("inbox/3", { text: "A periscope" });
  mail.delete("inbox/2");
  assert.deepEqual(await search("zeppelin"), []);
  assert.deepEqual(await search("submarine"), ["mail/inbox/1"]);
  assert.deepEqual(await search("periscope"), ["mail/inbox/3"]);
});

test("a secret in a document of a source is masked in the index and in get", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n" });
  const key = `sk-${"proj"}-${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"}`;
  const mail = new Map([["1", { text: `The zeppelin key is ${key}` }]]);
  const memory = await fixture.open({ sources: [createMail(mail)] });
  const { results } = await memory.search("zeppelin");
  assert.match(results[0]!.snippet, /\[redacted/);
  assert.ok(!(await memory.readFile({ relPath: "mail/1" })).text.includes(key));
});

test("a failing source loses nothing that was indexed, and the answer says so", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n\nThe zeppelin flies.\n" });
  let isDown = false;
  const memory = await fixture.open({ sources: [createMail(letters(), { fails: () => isDown })] });
  assert.equal((await memory.search("zeppelin")).results.length, 3);
  isDown = true;
  const answer = await memory.search("zeppelin");
  assert.equal(answer.results.length, 3);
  assert.match(answer.degraded.join(), /the source mail could not be read: the server does not answer/);
  const report = await memory.sync();
  assert.equal(report.removed, 0);
});

test("a document that its source made wrongly is reported, and spoils no other", async (t) => {
  const wrong: [mistake: RegExp, part: object][] = [
    [/title is not text/, { title: null }],
    [/title is not text/, { title: { en: "Letter" } }],
    [/date is no day, such as 2026-03-02/, { date: "yesterday" }],
    [/date is no day/, { date: 5 }],
    [/modifiedAt is not a valid Date/, { modifiedAt: "2026-03-02" }],
    [/modifiedAt is not a valid Date/, { modifiedAt: new Date(Number.NaN) }],
    [/scope is neither "private" nor "shared"/, { scope: "Private" }],
    [/without text or version/, { text: null }],
  ];
  for (const [mistake, part] of wrong) {
    const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n\nThe zeppelin flies.\n" });
    const mail = createMail(letters());
    const source = {
      ...mail,
      read: async (path: string) => {
        const letter = await mail.read(path);
        return path === "inbox/2" ? ({ ...letter, ...part } as typeof letter) : letter;
      },
    };
    const memory = await fixture.open({ sources: [source] });
    const { results, degraded } = await memory.search("zeppelin");
    assert.deepEqual(results.map(({ path }) => path).sort(), ["MEMORY.md", "mail/inbox/1"]);
    assert.match(degraded.join(), mistake);
    assert.equal((await memory.verify()).equal, true);
  }
});

test("a listing that is none is reported, and loses nothing that is indexed", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n\nThe zeppelin flies.\n" });
  const mail = createMail(letters());
  let given: unknown = null;
  const source = { ...mail, list: async () => (given ?? (await mail.list())) as never };
  const memory = await fixture.open({ sources: [source] });
  assert.equal((await memory.search("zeppelin")).results.length, 3);
  for (const wrong of [[], { entries: [] }, { entries: [null], skipped: [] }]) {
    given = wrong;
    const { results, degraded } = await memory.search("zeppelin");
    assert.equal(results.length, 3);
    assert.match(degraded.join(), /mail could not be read: its listing has no list of entries/);
  }
});

for (const call of ["list", "read"] as const) {
  test(`closing ends although a source never answers to ${call}`, async (t) => {
    const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n\nThe zeppelin flies.\n" });
    const asked = Promise.withResolvers<void>();
    const never = (): Promise<never> => {
      asked.resolve();
      return new Promise(() => {});
    };
    const memory = await fixture.open({ sources: [{ ...createMail(letters()), [call]: never }] });
    const syncing = assert.rejects(memory.sync(), { code: "aborted" });
    await asked.promise;
    await memory.close();
    await syncing;
  });

  test(`a source that is silent for too long when asked to ${call} is reported`, async () => {
    const silent = { ...createMail(letters()), [call]: () => new Promise<never>(() => {}) };
    const source = createGivenSource(silent, createMask([]), { silentMs: 1 });
    if (call === "list") assert.match((await source.list()).problem ?? "", /gave no answer/);
    else await assert.rejects(source.read("mail/inbox/1"), { code: "note-unreadable" });
  });
}

test("documents of an absent source stay indexed until a sync with force", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n\nThe zeppelin flies.\n" });
  const first = await fixture.open({ sources: [createMail(letters())] });
  await first.sync();
  await first.close();
  const second = await fixture.open();
  await second.sync();
  assert.equal((await second.search("zeppelin")).results.length, 3);
  assert.equal((await second.verify()).equal, true);
  await second.sync({ force: true });
  assert.deepEqual(
    (await second.search("zeppelin")).results.map(({ path }) => path),
    ["MEMORY.md"],
  );
});

test("ambiguous names and unknown versions are refused", async (t) => {
  const fixture = makeMemoryFixture(t, { "MEMORY.md": "# Memory\n", "mail/note.md": "A note\n" });
  const open = (source: unknown, config = withMemorySearch({})) =>
    fixture.open({ sources: [source as Source], config });
  const { agents } = withMemorySearch({});
  const includeAll = { agents: { defaults: { ...agents?.defaults, notes: { include: "all" as const } } } };
  for (const name of ["memory", "sessions", "extra", "", "a/b", "Mail", "../x"]) {
    await assert.rejects(open(createMail(letters(), { name })), { code: "not-supported" }, name);
  }
  await assert.rejects(open({ name: "mail" }), { message: /the given source has no method list/ });
  await assert.rejects(open({ ...createMail(letters()), specificationVersion: 2 }), {
    code: "not-supported",
    message: /the given source has specificationVersion 2, and this longhand knows 1/,
  });
  await assert.rejects(open(createMail(letters()), includeAll), {
    message: /the source mail is called like a folder of the workspace/,
  });
  await assert.rejects(open(createMail(letters()), withMemorySearch({}, { memory: { backend: "qmd" } })), {
    message: /the backend qmd does not index sources of your own/,
  });
  const twice = [createMail(letters()), createMail(letters())];
  await assert.rejects(fixture.open({ sources: twice }), { message: /two sources are called mail/ });
  const memory = await fixture.open({ sources: [createMail(letters())] });
  await assert.rejects(memory.search("zeppelin", { source: "wiki" }), {
    code: "query-invalid",
    hint: /Use memory or sessions or mail/,
  });
});
