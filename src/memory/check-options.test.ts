import assert from "node:assert/strict";
import { test } from "node:test";
import { makeMemoryFixture } from "../../test/support/memory-fixture.ts";
import { LonghandError } from "../errors.ts";
import type { OpenMemoryOptions } from "./memory.ts";
import type { AddOptions } from "./note-requests.ts";
import { openMemory } from "./open-memory.ts";

const refused = (message: RegExp, hint: RegExp) => (error: unknown) => {
  assert.ok(error instanceof LonghandError);
  assert.equal(error.code, "not-supported");
  assert.match(error.message, message);
  assert.match(error.hint ?? "", hint);
  return true;
};

test("openMemory rejects an option it does not know, and names the nearest", async (t) => {
  const { workspace, stateDir } = makeMemoryFixture(t, {});
  const open = (more: object) => openMemory({ workspace, stateDir, ...more } as OpenMemoryOptions);
  await assert.rejects(
    open({ worksapce: "./notes" }),
    refused(
      /openMemory has no option "worksapce"; did you mean workspace\?/,
      /Its options: workspace, agent/,
    ),
  );
  await assert.rejects(
    open({ provider: "openai" }),
    refused(/has no option "provider"\.$/, /Settings belong in config\.$/),
  );
  await (await open({ provider: undefined })).close();
});

test("options that are not an object are refused with the reason", async (t) => {
  const { workspace, stateDir } = makeMemoryFixture(t, {});
  await using memory = await openMemory({ workspace, stateDir });
  const isRefused = refused(/takes its options as an object, not as (?:null|a number)\.$/, /Its options/);
  for (const given of [null, 5] as unknown as object[]) {
    await assert.rejects(openMemory(given), isRefused);
    await assert.rejects(memory.search("ship", given), isRefused);
    await assert.rejects(memory.add("Blue.", given), isRefused);
  }
  await assert.rejects(
    openMemory({ workspace: 5, stateDir } as object),
    refused(
      /openMemory cannot use its option workspace: it must be a non-empty string, not a number\./,
      /in config\.$/,
    ),
  );
});

for (const withUser of [false, true]) {
  test(`search and add reject options they do not know, ${withUser ? "with" : "without"} a user's memory`, async (t) => {
    const fixture = makeMemoryFixture(t, {
      "MEMORY.md": "We ship on Fridays.\n",
      "user/MEMORY.md": "Call me Ada.\n",
    });
    const { workspace, stateDir } = fixture;
    await using memory = await openMemory({
      workspace,
      stateDir,
      user: withUser ? `${workspace}/user` : false,
    });
    for (const scope of withUser ? (["project", "user"] as const) : (["project"] as const)) {
      await assert.rejects(
        memory.search("ship", { scope, maxResult: 1 } as object),
        refused(/search has no option "maxResult"; did you mean maxResults\?/, /Its options: maxResults/),
      );
      await assert.rejects(
        memory.add("Blue.", { scope, headings: "Colours" } as AddOptions),
        refused(/add has no option "headings"; did you mean heading\?/, /Its options: scope, to/),
      );
      await assert.rejects(
        memory.search("ship", { scope, maxResults: "3" } as object),
        refused(
          /search cannot use its option maxResults: it must be a whole number, 1 or more, not a string\./,
          /Its options/,
        ),
      );
      await assert.rejects(
        memory.search("ship", { scope, minScore: Number.NaN }),
        refused(/cannot use its option minScore: it must be a number, not NaN\./, /Its options/),
      );
      await assert.rejects(
        memory.add("Blue.", { scope, to: 5 } as object),
        refused(/add cannot use its option to: it must be a string, not a number\./, /Its options/),
      );
    }
  });
}

test("an invalid value of an option is refused, and nothing is written", async (t) => {
  const { workspace, stateDir } = makeMemoryFixture(t, { "MEMORY.md": "We ship on Fridays.\n" });
  await using memory = await openMemory({ workspace, stateDir });
  const isRefused = refused(
    /cannot use its option scope: it must be one of "project", "user", not "team"\./,
    /Its/,
  );
  await assert.rejects(memory.add("Blue.", { scope: "team" } as object), isRefused);
  await assert.rejects(memory.search("ship", { scope: "team" } as object), isRefused);
  await assert.rejects(
    memory.add("Blue.", { indexing: "never" } as object),
    refused(/option indexing: it must be one of "now", "later", not "never"\./, /Its options/),
  );
  await assert.rejects(
    memory.search("ship", { signal: new AbortController() } as object),
    refused(/option signal: it must be an AbortSignal, not an object\./, /Its options/),
  );
  assert.deepEqual(
    (await memory.listNotes()).map(({ path }) => path),
    ["MEMORY.md"],
  );
  assert.equal((await memory.search("ship", { signal: AbortSignal.timeout(60_000) })).results.length, 1);
});

test("a closed memory reads no note", async (t) => {
  const { workspace, stateDir } = makeMemoryFixture(t, { "MEMORY.md": "We ship on Fridays.\n" });
  const memory = await openMemory({ workspace, stateDir });
  await memory.close();
  const closed = { code: "aborted", message: /it is closed/ };
  await assert.rejects(memory.readFile({ relPath: "MEMORY.md" }), closed);
  await assert.rejects(memory.readNote({ path: "MEMORY.md" }), closed);
  await assert.rejects(memory.listNotes(), closed);
  await assert.rejects(memory.findNote("MEMORY"), closed);
  await assert.rejects(memory.links("MEMORY.md"), closed);
  await assert.rejects(memory.tags(), closed);
  await assert.rejects(memory.status(), closed);
  await assert.rejects(memory.startSession(), closed);
  await assert.rejects(memory.sessions.list(), closed);
  await assert.rejects(memory.consolidation.plan(), closed);
  await memory.close();
});

test("a clock that gives no valid Date is refused before anything is written", async (t) => {
  const { workspace, stateDir } = makeMemoryFixture(t, {});
  for (const now of [() => new Date(Number.NaN), () => Date.now(), () => undefined]) {
    await assert.rejects(
      openMemory({ workspace, stateDir, now } as object),
      refused(/option now: it gives no valid Date\./, /Return a Date/),
    );
  }
});

test("an empty string names no folder, agent or file", async (t) => {
  const { workspace, stateDir } = makeMemoryFixture(t, {});
  for (const name of ["workspace", "stateDir", "agent", "config", "user"]) {
    const isRefused = refused(
      new RegExp(`option ${name}: it must be .*, not an empty string\\.`),
      /Its options/,
    );
    await assert.rejects(openMemory({ workspace, stateDir, [name]: "" }), isRefused);
  }
  await assert.rejects(
    openMemory({ workspace, stateDir, user: true } as object),
    refused(/option user: it must be a folder, or false for none, not a boolean\./, /Its options/),
  );
});

test("every call names the invalid argument", async (t) => {
  const { workspace, stateDir } = makeMemoryFixture(t, { "MEMORY.md": "We ship on Fridays.\n" });
  await using memory = await openMemory({ workspace, stateDir });
  // As in JavaScript, where no compiler objects.
  // biome-ignore lint/suspicious/noExplicitAny: the arguments are wrong on purpose.
  const loose = memory as any;
  const cases: [() => Promise<unknown>, RegExp][] = [
    [() => loose.search(), /search cannot use its argument query: it must be a string, not undefined\./],
    [() => loose.search(["ship"]), /argument query: it must be a string, not a list/],
    [
      () => loose.search("ship", { maxResults: 0 }),
      /maxResults: it must be a whole number, 1 or more, not 0\./,
    ],
    [
      () => loose.search("ship", { maxResults: -1 }),
      /maxResults: it must be a whole number, 1 or more, not -1\./,
    ],
    [() => loose.forget("We ship"), /forget takes its options as an object, not as a string\./],
    [() => loose.forget({ query: "ship", dryrun: true }), /no option "dryrun"; did you mean dryRun\?/],
    [() => loose.forget(), /forget needs exactly one of its options path, query and passages; it has none\./],
    [() => loose.forget({ query: undefined }), /exactly one of its options .*; it has an undefined query\./],
    [() => loose.forget({ path: "MEMORY.md", query: undefined }), /; it has path and an undefined query\./],
    [() => loose.forget({ path: "MEMORY.md", query: "ship" }), /exactly one .*; it has path and query\./],
    [() => loose.forget({ path: "MEMORY.md", passages: [] }), /; it has path and passages\./],
    [() => loose.forget({ passages: [null] }), /A passage of forget needs its option path/],
    [
      () => loose.forget({ passages: [{ path: "MEMORY.md", startLine: 1, endLine: 1 }] }),
      /A passage of forget needs its option text: the lines as a dryRun showed them/,
    ],
    [async () => loose.checkSession(5), /checkSession cannot use its argument sessionKey: .*not a number/],
    [async () => loose.maskSecrets(5), /maskSecrets cannot use its argument text: .*not a number/],
    [
      () => loose.migrate({ to: "mysql" }),
      /to: it must be one of "sqlite", "postgres", "lancedb", not "mysql"\./,
    ],
    [() => loose.migrate(), /migrate needs its option to: the store to migrate to\./],
    [() => loose.readFile({ path: "MEMORY.md" }), /readFile has no option "path"/],
    [() => loose.readFile(), /readFile needs its option relPath: the path of a note\./],
    [
      () => loose.editNote({ path: "MEMORY.md", text: "" }),
      /needs its option expectedHash: the hash that readNote/,
    ],
    [() => loose.findNote(5), /findNote cannot use its argument name: it must be a string, not a number\./],
    [() => loose.links(), /links cannot use its argument path: it must be a string, not undefined\./],
    [() => loose.sync({ full: true }), /sync has no option "full"\./],
    [() => loose.listNotes({ limit: 5 }), /listNotes has no option "limit"\./],
    [() => loose.startSession({ session: "x" }), /startSession has no option "session"/],
    [() => loose.sessions.show("id"), /sessions\.show takes its options as an object, not as a string\./],
    [
      () => loose.sessions.import("x"),
      /sessions\.import cannot use its argument paths: it must be a list of strings/,
    ],
    [() => loose.consolidation.apply({ steps: "some" }), /consolidation\.apply cannot use its option steps/],
  ];
  for (const [call, message] of cases) {
    await assert.rejects(call, refused(message, /./));
  }
  assert.equal((await memory.readNote({ path: "MEMORY.md" }))?.text, "We ship on Fridays.\n");
});
