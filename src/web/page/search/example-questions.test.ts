import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleQuestions } from "./example-questions.ts";

const questionsOf = (paths: readonly string[]): string[] => exampleQuestions(paths.map((path) => ({ path })));

test("Example questions come from the names of notes, each once", () => {
  assert.deepEqual(
    questionsOf(["MEMORY.md", "memory/2026-03-02.md", "memory/2026-03-04-on_call-rota.md", "memory/x.md"]),
    [
      "What should you always remember?",
      "What happened on 2026-03-02?",
      "What do we know about on call rota?",
    ],
  );
  assert.deepEqual(questionsOf(["Zettel/202403041530 knots.md", "Zettel/20240305-tides.md", "7.md"]), [
    "What do we know about knots?",
    "What do we know about tides?",
    "What do we know about 7?",
  ]);
  assert.deepEqual(questionsOf(["decisions/0007-backup-window.md", "decisions/007.md", "3-2-1-rule.md"]), [
    "What do we know about backup window?",
    "What do we know about 007?",
    "What do we know about 3 2 1 rule?",
  ]);
  assert.deepEqual(questionsOf([]), []);
  assert.deepEqual(questionsOf(["Untitled.md", "Inbox/untitled 3.md", "Unbenannt.md"]), []);
});

test("A title is a better topic than the name of the file, unless it is long or a number", () => {
  assert.deepEqual(
    exampleQuestions([
      { path: "memory/short.md", title: "The boiler (old)" },
      { path: "memory/long.md", title: "What we said about the boiler when it broke down again" },
      { path: "memory/2026-03-02.md", title: "Monday" },
      { path: "memory/0007-backup.md", title: "7. Backup" },
    ]),
    ["What do we know about The boiler?", "What do we know about long?", "What happened on 2026-03-02?"],
  );
});
