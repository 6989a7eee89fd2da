import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createDailyPattern, findPatternProblem } from "./daily-pattern.ts";

test("a pattern puts a day where its tool puts it, and reads it back", () => {
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
    ["../{date}.md", /has \.\. in it/],
    ["/tmp/{date}.md", /absolute/],
    [".obsidian/{date}.md", /hidden folder/],
    ["Daily/{title}.md", /\{title\}/],
    ["{date:gggg-[W]ww}.md", /gggg/],
    ["{date:HH:mm}.md", /HH/],
    ["a:b/{date}.md", /colon/],
  ];
  for (const [pattern, why] of cases) assert.match(findPatternProblem(pattern) ?? "", why, pattern);
});

test("every day comes back from every pattern that has a year, a month and a day", () => {
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
