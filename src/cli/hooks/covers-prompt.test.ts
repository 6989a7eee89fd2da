import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openMemory } from "../../index.ts";
import { coversPrompt } from "./covers-prompt.ts";

const examples = join(import.meta.dirname, "..", "..", "..", "examples", "workspace");

/** Everyday requests that have nothing to do with the notes but share some of their words. */
const unrelated = [
  "make this faster",
  "continue",
  "yes, go ahead",
  "looks good, thanks",
  "explain what this function does",
  "what changed in the last commit?",
  "commit the changes with a good message",
  "please add a comment that says why",
  "can you check whether the tests pass now?",
  "it still does not work, the same error as before",
  "the build fails with TS2345, please fix it",
  "please write docs for the public methods",
  "turn this into a generator",
];

const related = [
  "deploy ingest 2.8.0 to production",
  "interpolate the missing readings in the chart",
  "the forecast endpoint returns 429, what is the limit?",
  "should we store readings in InfluxDB?",
  "restore the database from the backup",
  "what does the alert BoxOffline mean?",
  "plan a call with Linnea on Wednesday",
  "who reviews text message templates?",
];

test("A prompt about the notes has hits that cover it, an everyday request has none", async (t) => {
  const folder = makeTemporaryFolder(t).dir;
  cpSync(examples, join(folder, "notes"), { recursive: true });
  await using memory = await openMemory({
    workspace: join(folder, "notes"),
    stateDir: join(folder, "state"),
  });
  const countFor = async (prompt: string): Promise<number> => {
    const { results } = await memory.search(prompt, { keywordOnly: true, maxResults: 3, explain: true });
    return results.filter(coversPrompt).length;
  };
  for (const prompt of unrelated) assert.equal(await countFor(prompt), 0, prompt);
  for (const prompt of related) assert.ok((await countFor(prompt)) > 0, prompt);
});

test("A hit of an engine that does not explain itself is kept", () => {
  assert.equal(coversPrompt({}), true);
});
