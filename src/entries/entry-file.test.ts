import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { guessCategory } from "./capture-facts.ts";
import { type Entry, entryCategories } from "./entries.ts";
import { cleanFact, factKey, formatEntry, newId, parseEntries, toSeconds } from "./entry-file.ts";

const comment =
  "<!-- id: 7f3a91c2e04b category: preference importance: 0.8 created: 2026-11-15T10:00:00Z -->";

test("an entry is a list item, followed by its metadata in a comment", () => {
  const file = `# Entries\n\n- Prefers tea over coffee. ${comment}\n- Lives in Oslo.\n`;
  const [tea, oslo] = parseEntries(file);
  assert.deepEqual(tea, {
    id: "7f3a91c2e04b",
    text: "Prefers tea over coffee.",
    category: "preference",
    importance: 0.8,
    createdAt: "2026-11-15T10:00:00Z",
    startLine: 3,
    endLine: 3,
  });
  const { id, ...rest } = oslo!;
  assert.match(id, /^[0-9a-f]{12}$/);
  assert.deepEqual(rest, {
    text: "Lives in Oslo.",
    category: "entity",
    importance: 0.5,
    createdAt: null,
    startLine: 4,
    endLine: 4,
  });
});

test("the first entry of a file may follow a byte order mark", () => {
  const texts = parseEntries("\ufeff- Prefers tea.\n- Lives in Oslo.\n").map(({ text }) => text);
  assert.deepEqual(texts, ["Prefers tea.", "Lives in Oslo."]);
});

test("entries may have several lines, lists, code, Windows line ends and text around them", () => {
  const file = [
    "---",
    "title: Facts",
    "---",
    "Some words that are no entry.",
    "",
    `- Deploys with:`,
    "  ```sh",
    "  - not an entry",
    "  ```",
    `  and then waits. ${comment}`,
    "* Another",
    "  - with a part",
    "1. A numbered one",
    "",
    "## Later",
    "",
    "+ The last",
  ].join("\r\n");
  const found = parseEntries(file).map(({ text, startLine, endLine }) => [text, startLine, endLine]);
  assert.deepEqual(found, [
    ["Deploys with:\n```sh\n- not an entry\n```\nand then waits.", 6, 10],
    ["Another\n- with a part", 11, 12],
    ["A numbered one", 13, 13],
    ["The last", 17, 17],
  ]);
  assert.equal(parseEntries(file)[0]?.id, "7f3a91c2e04b");
});

test("broken comments lose no entry: each invalid field gets its default", () => {
  const broken = [
    "- One. <!-- id: 7f3a91c2e04b category: nonsense importance: much created: yesterday -->",
    "- Two. <!-- id: ../etc category: fact -->",
    "- Three. <!-- id: 5555aaaa category: preference importance: 7",
    "- Four. <!-- a remark of mine -->",
    "- Five. <!-- category: decision importance: 0.9 -->",
    "- Six. <!-- id: -->",
    "- Seven <!-- id: 7f3a91c2e04b --> and more <!-- from: agent 10:00 -->",
    "- <!-- id: 0123456789ab -->",
  ].join("\n");
  const found = parseEntries(broken);
  assert.deepEqual(
    found.map(({ text }) => text),
    ["One.", "Two.", "Three.", "Four. <!-- a remark of mine -->", "Five.", "Six.", "Seven  and more"],
  );
  assert.deepEqual([found[0]?.id, found[0]?.importance, found[0]?.createdAt], ["7f3a91c2e04b", 0.5, null]);
  assert.deepEqual([found[2]?.id, found[2]?.category, found[2]?.importance], ["5555aaaa", "preference", 1]);
  assert.deepEqual([found[4]?.category, found[4]?.importance], ["decision", 0.9]);
  assert.equal(found[6]?.origin, "agent 10:00");
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length, "a copied id is used only once");
});

test("an edit by hand keeps the id; the derived id of an entry without one is stable while its text is", () => {
  const [before] = parseEntries(`- Prefers tea. ${comment}`);
  const [after] = parseEntries(`- Prefers green tea, mostly. ${comment}`);
  assert.equal(before?.id, after?.id);
  const [plain] = parseEntries("- Lives in Oslo.");
  const [, moved] = parseEntries("- Something else.\n\n* Lives in Oslo.\n");
  assert.equal(plain?.id, moved?.id);
  const copies = parseEntries("- Same.\n- Same.\n- Same.");
  assert.equal(new Set(copies.map(({ id }) => id)).size, 3);
});

const facts = fc
  .record({
    text: fc
      .oneof(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }),
        fc.string({
          unit: fc.constantFrom(
            "-",
            "*",
            "`",
            "#",
            " ",
            "<!--",
            "-->",
            "a",
            "\n",
            "1.",
            "|",
            "[",
            ">",
            "id:",
          ),
          minLength: 1,
          maxLength: 12,
        }),
      )
      .filter((text) => text.isWellFormed() && !/(?![\n\t])\p{Cc}/u.test(text)),
    category: fc.constantFrom(...entryCategories),
    importance: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
    at: fc.date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
    origin: fc.option(fc.constantFrom("agent", "agent:main:main 10:00", "capture"), { nil: undefined }),
  })
  .map(({ text, at, origin, ...rest }): Entry => {
    const [fact, createdAt] = [cleanFact(text), toSeconds(at)];
    return { ...rest, id: newId(fact, createdAt), text: fact, createdAt, ...(origin && { origin }) };
  })
  .filter(({ text }) => text !== "");

test("a written entry is read back unchanged, whatever its text", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(facts, { selector: ({ id }) => id, maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      (entries, end) => {
        const file = ["# Entries", "", ...entries.map(formatEntry), ""].join(end);
        const read = parseEntries(file).map(({ startLine: _, endLine: __, ...entry }) => entry);
        assert.deepEqual(read, entries);
      },
    ),
    { numRuns: 1500, seed: 10 },
  );
});

test("text between entries, or a truncated file, affects only the entries it covers", () => {
  const noise = fc.constantFrom("", "## Heading", "words", "| a | b |", "> quote", "<!-- remark -->", "***");
  fc.assert(
    fc.property(fc.array(fc.tuple(facts, noise), { maxLength: 8 }), (parts) => {
      const file = parts.flatMap(([entry, between]) => [formatEntry(entry), "", between, ""]).join("\n");
      assert.equal(parseEntries(file).length, parts.length);
    }),
    { numRuns: 500, seed: 11 },
  );
});

test("ten thousand entries are read with their lines", () => {
  const lines = Array.from(
    { length: 10_000 },
    (_, at) => `- Fact number ${at}. <!-- id: ${String(at).padStart(12, "0")} -->`,
  );
  const entries = parseEntries(lines.join("\n"));
  assert.equal(entries.length, 10_000);
  assert.deepEqual([entries[9999]?.startLine, entries[9999]?.id], [10_000, "000000009999"]);
});

test("only texts that differ in nothing but case, spacing or a full stop are the same", () => {
  assert.equal(factKey("Prefers  tea."), factKey("prefers tea"));
  assert.notEqual(factKey("Likes C++."), factKey("Likes C#."));
  assert.notEqual(factKey("Version 1.5"), factKey("Version 15"));
});

test("the category follows from the wording", () => {
  const cases = {
    "The user prefers dark mode.": "preference",
    "I prefer tea over coffee.": "preference",
    "We decided to use Postgres for billing.": "decision",
    "The team settled on weekly releases.": "decision",
    "My sister's name is Ana.": "entity",
    "Her dog is called Rex.": "entity",
    "The staging server has eight cores.": "fact",
    Oslo: "other",
  };
  for (const [text, category] of Object.entries(cases)) assert.equal(guessCategory(text), category, text);
});
