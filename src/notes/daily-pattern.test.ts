import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createDailyPattern, dateOf, findPatternProblem } from "./daily-pattern.ts";
import { scopeOf } from "./note-path.ts";

test("a pattern gives the path that its tool uses for a day, and reads it back", () => {
  const cases: [pattern: string, path: string][] = [
    ["memory/{date}.md", "memory/2025-03-04.md"],
    ["journals/{date:YYYY_MM_DD}.md", "journals/2025_03_04.md"],
    ["Journal/{date:YYYY/MM-MMMM/YYYY-MM-DD-dddd}.md", "Journal/2025/03-March/2025-03-04-Tuesday.md"],
    ["{date:DD-MM-YYYY}.md", "04-03-2025.md"],
    ["Daily/{date:MMM Do, YYYY}.md", "Daily/Mar 4th, 2025.md"],
    ["{date:[Day] D.M.YYYY}.md", "Day 4.3.2025.md"],
  ];
  for (const [pattern, path] of cases) {
    const { pathOf, dateOf } = createDailyPattern(pattern);
    assert.equal(findPatternProblem(pattern), null, pattern);
    assert.equal(pathOf("2025-03-04"), path);
    assert.equal(dateOf(path), "2025-03-04", path);
  }
});

test("a pattern without a date is one note, and a note that does not fit the pattern keeps its usual date", () => {
  const inbox = createDailyPattern("Inbox.md");
  assert.equal(inbox.pathOf("2025-03-04"), "Inbox.md");
  assert.equal(inbox.dateOf("Inbox.md"), null);
  const daily = createDailyPattern("{date:DD-MM-YYYY}.md");
  assert.equal(daily.dateOf("journals/2025_03_04.md"), "2025-03-04");
  assert.equal(daily.dateOf("31-02-2025.md"), null);
});

test("what cannot be the path of a note is refused with its reason", () => {
  const cases: [pattern: string, why: RegExp][] = [
    ["Daily/{date}", /end in \.md/],
    ["../{date}.md", /contains "\.\."/],
    ["/tmp/{date}.md", /absolute/],
    [".obsidian/{date}.md", /hidden folder/],
    ["Daily/{title}.md", /\{title\}/],
    ["{date:gggg-[W]ww}.md", /gggg/],
    ["{date:HH:mm}.md", /HH/],
    ["a:b/{date}.md", /colon/],
  ];
  for (const [pattern, why] of cases) assert.match(findPatternProblem(pattern) ?? "", why, pattern);
});

test("every day survives the round trip through every pattern that has a year, a month and a day", () => {
  const day = fc
    .date({ min: new Date("1900-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const separator = fc.constantFrom("-", "_", ".", " ", "/", "[x]");
  const month = fc.constantFrom("MM", "MMM", "MMMM");
  const parts = fc.tuple(
    fc.constant("YYYY"),
    month,
    fc.constantFrom("DD", "Do"),
    fc.constantFrom("dddd", "ddd"),
  );
  const format = fc
    .tuple(
      parts.chain((tokens) => fc.shuffledSubarray([...tokens], { minLength: 4 })),
      separator,
    )
    .map(([tokens, between]) => tokens.join(between));
  fc.assert(
    fc.property(day, format, (wanted, letters) => {
      const { pathOf, dateOf } = createDailyPattern(`Log/{date:${letters}}.md`);
      assert.equal(dateOf(pathOf(wanted)), wanted);
    }),
  );
});

test("a note is dated by the real calendar day in its name, as common tools write it, at any depth", () => {
  const cases: [string, string | null][] = [
    ["memory/2026-03-01.md", "2026-03-01"],
    ["memory/2026-03-01-planning.md", "2026-03-01"],
    ["memory/team/2024-02-29-x-y.md", "2024-02-29"],
    ["extra/0/2026-03-01.md", "2026-03-01"],
    ["2026-03-01.md", "2026-03-01"],
    ["memory/2025-02-29.md", null],
    ["memory/2026-13-01.md", null],
    ["memory/2026-00-10.md", null],
    ["memory/2026-03-011.md", null],
    ["memory/2026-03-01 planning.md", "2026-03-01"],
    ["memory/2026-03-01planning.md", null],
    ["journals/2025_03_04.md", "2025-03-04"],
    ["daily.journal.2025.03.04.md", "2025-03-04"],
    ["zettel/20250304.md", "2025-03-04"],
    ["zettel/202503041530 Harbour.md", "2025-03-04"],
    ["zettel/2025030415.md", null],
    ["zettel/20259999.md", null],
    ["phone/491512345678.md", null],
    ["04.03.2025.md", "2025-03-04"],
    ["04-03-2025.md", null],
    ["Team/Meeting 2025-03-04.md", "2025-03-04"],
    ["Journal/2025/03/04.md", "2025-03-04"],
    ["Journal/2025/03-March/04.md", "2025-03-04"],
    ["Journal/2025/03/14 tips.md", null],
    ["March 4th, 2025.md", "2025-03-04"],
    ["Mar 4, 2025.md", "2025-03-04"],
    ["Tuesday, March 4th 2025.md", "2025-03-04"],
    ["4. März 2025.md", "2025-03-04"],
    ["Top 10 2025.md", null],
    ["Plans 2025.md", null],
    ["memory/notes-2026-03-01.md", null],
    ["memory/2026-03-01/x.md", null],
    ["memory/26-03-01.md", null],
    ["MEMORY.md", null],
  ];
  for (const [path, date] of cases) assert.equal(dateOf(path), date, path);
});

test("only the long-term note and the entries are private, whatever their letter case", () => {
  assert.equal(scopeOf("MEMORY.md"), "private");
  assert.equal(scopeOf("memory.md"), "private");
  assert.equal(scopeOf("memory/entries.md"), "private");
  for (const path of ["Memory.md", "memory/Entries.md", "Memory/ENTRIES.md"])
    assert.equal(scopeOf(path), "private", path);
  for (const path of ["memory/MEMORY.md", "extra/0/MEMORY.md", "memory/2026-03-01.md"]) {
    assert.equal(scopeOf(path), "shared", path);
  }
});

test("a day of the month has its English ordinal suffix", () => {
  const { pathOf } = createDailyPattern("{date:YYYY-MM Do}.md");
  const days = Array.from({ length: 31 }, (_, index) => `2026-01-${String(index + 1).padStart(2, "0")}`);
  const endings = days.map((day) => /\d(\D+)\.md$/.exec(pathOf(day))![1]);
  const expected = days.map((_, index) => {
    if ([1, 21, 31].includes(index + 1)) return "st";
    if ([2, 22].includes(index + 1)) return "nd";
    return [3, 23].includes(index + 1) ? "rd" : "th";
  });
  assert.deepEqual(endings, expected);
});

test("a pattern that ends in {date}.md or has no whole date needs no id of its own", () => {
  const ids = ["Journal/{date}.md", "{date}.md", "journal.md", "log/{date:YYYY-MM}.md"].map(
    (pattern) => createDailyPattern(pattern).id,
  );
  assert.deepEqual(ids, ["", "", "", ""]);
  for (const pattern of ["{date}.md/day.md", "log/{date:DD.MM.YYYY}.md"])
    assert.equal(createDailyPattern(pattern).id, pattern);
});
