import assert from "node:assert/strict";
import { once } from "node:events";
import { appendFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createRandom } from "../src/eval/compare.ts";
import { syncOnce } from "../src/sync/sync.ts";
import { finish, firstOutput, startProgram } from "./support/child-process.ts";
import {
  contentsOf,
  freshContents,
  openSessionsFixture,
  openWordStore,
  testChunker,
} from "./support/sessions-fixture.ts";
import { checkIntegrity } from "./support/sqlite-index.ts";
import { jsonLines, openclaw } from "./support/transcript-lines.ts";

const from = (module: string) => JSON.stringify(new URL(module, import.meta.url).href);

/** Repeatedly syncs the transcripts of a folder into an index, until it is killed. */
const indexer = `
  import { createTranscripts } from ${from("../src/sessions/transcripts/transcripts.ts")};
  import { createSessionsSource } from ${from("../src/sources/session-transcripts.ts")};
  import { syncOnce } from ${from("../src/sync/sync.ts")};
  import { openWordStore, testChunker } from ${from("./support/sessions-fixture.ts")};
  const [sessionsDir, index] = process.argv.slice(-2);
  const source = createSessionsSource({
    transcripts: createTranscripts({ sessionsDir, literals: [], readDatabase: () => null }),
    deltaBytes: 1, deltaMessages: 1, partChars: 2000, now: () => new Date(),
    dayOf: (moment) => moment.toISOString().slice(0, 10),
  });
  const store = await openWordStore(index);
  process.stdout.write("ready");
  for (;;) await syncOnce({ sources: [source], store, chunker: testChunker, now: () => new Date() });
`;

test("killing the indexer at any moment, while transcripts grow, loses no line and repeats none", async (t) => {
  const fixture = await openSessionsFixture(t, { partChars: 2000 });
  await fixture.store[Symbol.asyncDispose]();
  const index = fixture.folder.at("index.sqlite");
  const random = createRandom(33);
  const names = ["a", "b", "c"];
  const paths = names.map((name) => fixture.write(`${name}.jsonl`, jsonLines(openclaw.head(name))));
  const waiting: Buffer[] = paths.map(() => Buffer.alloc(0));
  let number = 0;

  function grow(): void {
    const at = Math.floor(random() * paths.length);
    const lines = Array.from({ length: 1 + Math.floor(random() * 30) }, () => {
      number++;
      const filler = "word ".repeat(Math.floor(random() * 40));
      return openclaw.message(random() < 0.3 ? "toolResult" : "user", `line${number} ${filler}`);
    });
    const bytes = Buffer.concat([waiting[at]!, Buffer.from(jsonLines(...lines))]);
    const cut = Math.floor(random() * (bytes.length + 1));
    appendFileSync(paths[at]!, bytes.subarray(0, cut));
    waiting[at] = bytes.subarray(cut);
  }

  for (let cycle = 0; cycle < 25; cycle++) {
    // In every third cycle two of them are at work on the same index.
    const children = Array.from({ length: cycle % 3 === 0 ? 2 : 1 }, () =>
      startProgram(t, indexer, [fixture.sessionsDir, index]),
    );
    const ended = children.map(finish);
    await Promise.all(children.map((child) => Promise.race([firstOutput(child), once(child, "close")])));
    const steps = 1 + Math.floor(random() * 6);
    for (let step = 0; step < steps; step++) {
      grow();
      await setTimeout(random() * 12);
    }
    if (cycle === 12)
      writeFileSync(paths[1]!, jsonLines(openclaw.head("b2"), openclaw.message("user", "rotated")));
    if (cycle === 12) waiting[1] = Buffer.alloc(0);
    for (const child of children) child.kill("SIGKILL");
    for (const { signal, stderr } of await Promise.all(ended)) {
      assert.deepEqual([signal, stderr], ["SIGKILL", ""]);
    }
  }
  for (const [at, rest] of waiting.entries()) appendFileSync(paths[at]!, rest);

  await using store = await openWordStore(index);
  await syncOnce({ sources: [fixture.source], store, chunker: testChunker, now: () => new Date() });
  assert.deepEqual(await contentsOf(store), await freshContents(t, fixture.source));
  checkIntegrity(index);
});
