import assert from "node:assert/strict";
import { test } from "node:test";
import { flushTurn, isSilentReply } from "./flush-turn.ts";

const now = new Date("2026-03-02T23:30:00Z");

test("the date is the user's, in the prompts and in the path", () => {
  const turn = flushTurn({ now, timezone: "Asia/Tokyo" });
  assert.equal(turn.date, "2026-03-03");
  assert.equal(turn.path, "memory/2026-03-03.md");
  assert.match(turn.prompt, /memory\/2026-03-03\.md/);
  assert.match(turn.prompt, /NO_REPLY/);
  assert.match(turn.systemPrompt, /[Aa]ppend/);
});

test("in a vault, its own daily note is named, and no other", () => {
  const turn = flushTurn({
    now,
    timezone: "UTC",
    dailyNoteOf: (day) => `Journal/${day.slice(0, 4)}/${day}.md`,
  });
  assert.equal(turn.path, "Journal/2026/2026-03-02.md");
  assert.match(turn.prompt, /Append it to Journal\/2026\/2026-03-02\.md as/);
  assert.doesNotMatch(turn.prompt + turn.systemPrompt, /memory\//);
});

test("custom prompts keep the date and the reply rule", () => {
  const plain = flushTurn({
    now,
    timezone: "UTC",
    prompts: { systemPrompt: "Be quick.", prompt: "Save notes." },
  });
  assert.equal(plain.systemPrompt, "Be quick.");
  assert.match(plain.prompt, /^Save notes\.\n.*2026-03-02.*\n.*NO_REPLY/);
  const whole = flushTurn({
    now,
    timezone: "UTC",
    prompts: { prompt: "Write to memory/{date}.md or say NO_REPLY." },
  });
  assert.equal(whole.prompt, "Write to memory/2026-03-02.md or say NO_REPLY.");
  assert.equal(
    flushTurn({ now, timezone: "UTC", prompts: { prompt: " " } }).prompt,
    flushTurn({ now, timezone: "UTC" }).prompt,
  );
});

test("an empty reply, or the token with white space or punctuation around it, means nothing to write", () => {
  for (const reply of [
    "NO_REPLY",
    " NO_REPLY\n",
    "NO_REPLY.",
    "**NO_REPLY**",
    "`NO_REPLY`!",
    "«NO_REPLY» …",
    "",
    " \n",
    "no_reply",
  ]) {
    assert.ok(isSilentReply(reply), JSON.stringify(reply));
  }
  for (const reply of ["I wrote it down. NO_REPLY", "NO_REPLY needed", "NO_REPLYING", "Done", "NO REPLY"]) {
    assert.ok(!isSilentReply(reply), reply);
  }
  assert.ok(!isSilentReply(`${"-".repeat(500_000)}x`));
});
