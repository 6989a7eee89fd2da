import assert from "node:assert/strict";
import { test } from "node:test";
import { generateQuestions, type QuestionKind, questionKinds } from "./generate-questions.ts";
import type { NoteText } from "./read-note.ts";

function note(path: string, ...lines: string[]): NoteText {
  const date = /(\d{4}-\d{2}-\d{2})\.md$/.exec(path)?.[1] ?? null;
  return { path, date, text: lines.join("\n") };
}

/** `query → path:lines` of every question of a kind, in order of the alphabet. */
function ask(kind: QuestionKind, ...notes: NoteText[]): string[] {
  return generateQuestions(notes, { limit: 1000, kinds: [kind] })
    .map(({ query, gold }) => {
      const places = gold.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`);
      return `${query} → ${places.join(" ")}`;
    })
    .sort();
}

const english = "This is what we do with all of the things that are in here.";

test("Headings ask for their section, without the blank lines at its end", () => {
  const text = note("a.md", "# The *big* move", english, "", "## Boxes", "- forty", "", "# Rest", "x", "");
  assert.deepEqual(ask("heading", text), [
    "what about Boxes → a.md:4-5",
    "what about Rest → a.md:7-8",
    "what about The big move → a.md:1-5",
  ]);
});

test("A heading that occurs twice, or has nothing below it, makes no question", () => {
  const [one, two] = ["a.md", "b.md"].map((path) => note(path, "# Notes", english, "# Bare", "# Bare end"));
  assert.deepEqual(ask("heading", one!, two!), []);
});

test("Names inside a sentence ask for every line that has them, wherever it begins", () => {
  const first = note("a.md", "We met Ada Byron at the station.", "Ada Byron was late, and so was the train.");
  const other = note("b.md", "There was nobody else from the Society there.");
  assert.deepEqual(ask("name", first, other), [
    "what do we know about Ada Byron → a.md:1-1 a.md:2-2",
    "what do we know about Society → b.md:1-1",
  ]);
});

test("A name on many lines makes no question", () => {
  const lines = Array.from({ length: 4 }, (_, index) => `We saw the Thames on day ${index}.`);
  assert.deepEqual(ask("name", note("a.md", ...lines)), []);
});

test("Identifiers become questions for their lines, in code too; numbers, dates and words do not", () => {
  const text = note(
    "a.md",
    "We set MAX_RETRIES and then called `fetchLater` with --dry-run on db-03.",
    "It was 10.30 on 3/4 of the way, well-known and in the year 2026, e.g. here.",
    "```",
    "cat /etc/longhand.json5 # see c0ffee1",
    "```",
  );
  assert.deepEqual(ask("identifier", text), [
    "what is --dry-run → a.md:1-1",
    "what is /etc/longhand.json5 → a.md:4-4",
    "what is MAX_RETRIES → a.md:1-1",
    "what is c0ffee1 → a.md:4-4",
    "what is db-03 → a.md:1-1",
    "what is fetchLater → a.md:1-1",
  ]);
});

test("Dated notes ask by day and by two of the rarest words of a line", () => {
  const day = note("memory/2026-03-14.md", "# Saturday", "- The lighthouse got its new generator.", "- ok");
  const other = note("memory/topics.md", "The generator is in the shed.");
  assert.deepEqual(ask("date", day, other), [
    "what happened on 2026-03-14, about lighthouse and generator → memory/2026-03-14.md:2-2",
  ]);
});

test("`key: value` lines ask for the value, with the heading where the key alone is not enough", () => {
  const text = note(
    "a.md",
    "# Router",
    "- **Admin password:** see the safe, that is where it is",
    "The Model: X12",
    "Anna: hello, how are you?",
    "Anna: still there?",
    "# Printer",
    "Model: P7",
    "See https://example.org and 12:30 for the rest",
    "```",
    "inner: code",
    "```",
  );
  assert.deepEqual(ask("value", text), [
    "what is the admin password → a.md:2-2",
    "what is the model of Printer → a.md:7-7",
    "what is the model of Router → a.md:3-3",
  ]);
});

test("Front matter makes no question", () => {
  const text = note("a.md", "---", "title: Something", "tags: x", "---", english);
  assert.deepEqual(ask("value", text), []);
});

test("Definitions ask what a term means", () => {
  const text = note(
    "a.md",
    "- gangue — what is left of the ore when it was washed",
    "**Adit** - the way into a mine",
    "",
    "Stope",
    ": the room where the ore was",
  );
  assert.deepEqual(ask("definition", text), [
    "what does Adit mean → a.md:2-2",
    "what does Stope mean → a.md:4-5",
    "what does gangue mean → a.md:1-1",
  ]);
});

test("Notes in other languages are asked with their own words alone", () => {
  const german = note(
    "de.md",
    "# Die Werkstatt",
    "Hier steht, was wir mit der Säge und dem Hobel machen.",
    "Öffnungszeit: von acht bis zwölf",
  );
  assert.deepEqual(ask("heading", german), ["Die Werkstatt → de.md:1-3"]);
  assert.deepEqual(ask("value", german), ["Öffnungszeit → de.md:3-3"]);
  const japanese = note("memory/2026-05-01.md", "# 京都旅行", "旅館の予約は山田さんが担当する。");
  assert.deepEqual(ask("heading", japanese), ["京都旅行 → memory/2026-05-01.md:1-2"]);
  assert.match(ask("date", japanese).join(), /^2026-05-01 \S+ \S+ → memory\/2026-05-01\.md:2-2$/);
});

const many = Array.from({ length: 40 }, (_, index) =>
  note(`n${index}.md`, `# Topic number${index}`, english, `Code${index} word: value`, `See item_${index}.`),
);

test("The same notes give the same questions, in whatever order they were found", () => {
  const first = generateQuestions(many, { limit: 50 });
  assert.equal(first.length, 50);
  assert.deepEqual(generateQuestions(many.toReversed(), { limit: 50 }), first);
  assert.equal(new Set(first.map(({ id }) => id)).size, 50);
});

test("Each kind gets its share of the limit", () => {
  const kinds = Map.groupBy(generateQuestions(many, { limit: 60 }), ({ category }) => category);
  assert.deepEqual(
    [...kinds].map(([kind, some]) => [kind, some.length]),
    [
      ["heading", 20],
      ["identifier", 20],
      ["value", 20],
    ],
  );
});

test("A new note changes few of the questions", () => {
  const before = generateQuestions(many, { limit: 60 }).map(({ query }) => query);
  const more = [...many, note("new.md", "# Something else", english)];
  const after = new Set(generateQuestions(more, { limit: 60 }).map(({ query }) => query));
  assert.ok(before.filter((query) => after.has(query)).length >= 59);
});

test("Malformed notes do no harm", () => {
  const odd = [
    "",
    "\n\n",
    "#",
    "---",
    "```\nnever closed",
    ": \n:",
    "\r\n# x\r\n",
    "a".repeat(100_000),
    "\u0000😀: 😀",
  ];
  const notes = odd.map((text, index) => ({ path: `${index}.md`, text, date: "2026-01-01" }));
  assert.ok(Array.isArray(generateQuestions(notes, { limit: 200, kinds: questionKinds })));
  assert.deepEqual(generateQuestions([], { limit: 200 }), []);
});
