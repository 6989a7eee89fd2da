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

test("options that are no object are refused in words", async (t) => {
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
      /openMemory cannot use its option workspace: it must be a string, not a number\./,
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
          /search cannot use its option maxResults: it must be a number, not a string\./,
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

test("a value that an option does not have is refused, and nothing is written", async (t) => {
  const { workspace, stateDir } = makeMemoryFixture(t, { "MEMORY.md": "We ship on Fridays.\n" });
  await using memory = await openMemory({ workspace, stateDir });
  const isRefused = refused(/cannot use its option scope: it must be project or user, not "team"\./, /Its/);
  await assert.rejects(memory.add("Blue.", { scope: "team" } as object), isRefused);
  await assert.rejects(memory.search("ship", { scope: "team" } as object), isRefused);
  await assert.rejects(
    memory.add("Blue.", { indexing: "never" } as object),
    refused(/option indexing: it must be now or later, not "never"\./, /Its options/),
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
});
