import assert from "node:assert/strict";
import { test } from "node:test";
import { type Choice, rankChoices } from "./rank.ts";

const choice = (title: string, detail = ""): Choice => ({ id: title, kind: "Note", title, detail });
const rank = (choices: readonly Choice[], typed: string): string[] =>
  rankChoices(choices, typed, 10).map(({ title }) => title);

test("A prefix of the name ranks first, then a word in it, then any part, then the path", () => {
  const choices = [
    choice("deploy", "memory/on-call/deploy.md"),
    choice("salmon"),
    choice("the on-call rota"),
    choice("on-call"),
  ];
  assert.deepEqual(rank(choices, "on"), ["on-call", "the on-call rota", "salmon", "deploy"]);
});

test("A note is found by its title and by its file name alike", () => {
  const note: Choice = { ...choice("Who is on duty", "memory/on-call.md"), name: "on-call" };
  const choices = [choice("deploy", "memory/on-call/deploy.md"), note];
  for (const typed of ["on-call", "who", "duty call"])
    assert.equal(rank(choices, typed)[0], note.title, typed);
});

test("All words have to occur", () => {
  const choices = [choice("b", "memory/b.md"), choice("a", "memory/a.md")];
  assert.deepEqual(rank(choices, "a memory"), ["a"]);
  assert.deepEqual(rank(choices, "c"), []);
});
