import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { makeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openTranscriptFile } from "./open-transcript.ts";
import { readTranscript } from "./read-transcript.ts";
import { emptyState } from "./transcript-state.ts";

const sentence = "The ship sails on Friday and the harbour is open to everybody who asks. ";

test("other work continues while a large export is read", async (t) => {
  const messages = Array.from({ length: 8000 }, (_, index) => ({
    type: index % 2 ? "gemini" : "user",
    content: sentence.repeat(14),
  }));
  const { turns, pauses } = await readBesideOthers(t, { sessionId: "s", projectHash: "p", messages });
  assert.equal(turns, 8000);
  assert.ok(pauses > 3, `${pauses} pauses`);
});

test("other work continues while a single long turn is masked", async (t) => {
  const messages = [{ type: "user", content: sentence.repeat(7000) }];
  const { turns, pauses } = await readBesideOthers(t, { sessionId: "s", projectHash: "p", messages });
  assert.equal(turns, 1);
  assert.ok(pauses > 3, `${pauses} pauses`);
});

async function readBesideOthers(
  t: Parameters<typeof makeTemporaryFolder>[0],
  value: unknown,
): Promise<{ turns: number; pauses: number }> {
  const path = makeTemporaryFolder(t).at("chat.json");
  writeFileSync(path, JSON.stringify(value));
  using file = openTranscriptFile(path, { shown: "chat.json" })!;
  let pauses = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    pauses++;
    setImmediate(count);
  };
  setImmediate(count);
  const state = emptyState("", { device: "", inode: "", scope: "shared" });
  const part = await readTranscript(file, state, { literals: [], shown: "chat.json" });
  isDone = true;
  return { turns: part.state.turns, pauses };
}
