import assert from "node:assert/strict";
import { test } from "node:test";
import { dateTokens, isNamedDay, latestMonths, namedDays, namedMonths } from "./named-days.ts";

const tokensOf = (query: string) => dateTokens(query, query.split(" "));

test("A day is understood however it is written", () => {
  for (const query of [
    "what did I do on 4 March 2025",
    "what did I do on March 4, 2025?",
    "the 4th of March 2025",
    "open memory/2025-03-04.md",
    "2025/3/4",
    "Was war am 4. März 2025?",
    "am 04.03.2025",
    "qué hice el 4 de marzo de 2025",
    "qu'ai-je fait le 4 mars 2025",
    "что было 4 марта 2025",
    "2025年3月4日に何をした",
    "2025년 3월 4일",
    "2025年3月4号我做了什么",
    "二〇二五年三月四日",
    "what is in 20250304",
    "on Mar 4, 2025",
    "4 mar. 2025",
  ]) {
    assert.deepEqual(namedDays(query), ["2025-03-04"], query);
  }
});

test("A day may be written in words", () => {
  for (const [query, day] of [
    ["What happened on the third of March?", "-03-03"],
    ["March the fourth", "-03-04"],
    ["on ４ March", "-03-04"],
    ["on the twenty-first of May 2025", "2025-05-21"],
    ["July thirty-first", "-07-31"],
    ["Was war am dritten März?", "-03-03"],
    ["am einundzwanzigsten Mai 2025", "2025-05-21"],
  ] as const) {
    assert.deepEqual(namedDays(query), [day], query);
  }
  for (const query of ["the second half of March", "the third floor", "before the third of March"]) {
    assert.deepEqual(namedDays(query), [], query);
  }
});

test("Every ordinal word from 1 to 31 names a day, in English and German", () => {
  const english = `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth
    twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first`;
  const german = `ersten zweiten dritten vierten fünften sechsten siebten achten neunten zehnten elften zwölften
    dreizehnten vierzehnten fünfzehnten sechzehnten siebzehnten achtzehnten neunzehnten zwanzigsten einundzwanzigsten
    zweiundzwanzigsten dreiundzwanzigsten vierundzwanzigsten fünfundzwanzigsten sechsundzwanzigsten
    siebenundzwanzigsten achtundzwanzigsten neunundzwanzigsten dreißigsten einunddreißigsten`;
  for (const [words, ask] of [
    [english, (day: string) => `What happened on the ${day} of May?`],
    [german, (day: string) => `Was war am ${day} Mai?`],
    [german, (day: string) => `WAS WAR AM ${day} MAI?`.toUpperCase().normalize("NFD")],
  ] as const) {
    const days = words.split(/\s+/);
    assert.equal(days.length, 31);
    for (const [index, day] of days.entries()) {
      assert.deepEqual(namedDays(ask(day)), [`-05-${String(index + 1).padStart(2, "0")}`], ask(day));
    }
  }
});

test("A day without a year is that day of any year", () => {
  for (const query of ["who called on March 4", "who called on 4 Mar", "wer rief am 4.3. an?", "三月四号"]) {
    assert.deepEqual(namedDays(query), ["-03-04"], query);
  }
  assert.deepEqual(namedDays("十二月二十三日"), ["-12-23"]);
  assert.deepEqual(namedDays("vom 10. Okt bis heute"), ["-10-10"]);
  assert.ok(isNamedDay("2024-03-04", ["-03-04"]));
  assert.ok(!isNamedDay("2024-03-05", ["-03-04"]));
});

test("Numbers with slashes may be read both ways", () => {
  assert.deepEqual(namedDays("3/4/2025"), ["2025-03-04", "2025-04-03"]);
  assert.deepEqual(namedDays("25/4/2025"), ["2025-04-25"]);
});

test("Text that is not a day, or only limits another, names no day", () => {
  for (const query of [
    "in March 2025",
    "version 1.2.2025.4",
    "call 555-1234",
    "we upgraded to 4.3.",
    "order 20251399",
    "三月",
    "2025-13-04",
    "may we ship",
    "",
  ]) {
    assert.deepEqual(namedDays(query), [], query);
  }
  assert.deepEqual(namedDays("the week before 4 March 2025"), []);
  assert.deepEqual(namedDays("since 2025-03-04"), []);
  assert.ok(!isNamedDay(undefined, ["2025-03-04"]));
});

test("A month and its year match every note of that month, and no other", () => {
  const tokens = tokensOf("in march 2024");
  assert.deepEqual(tokens, ["2024.03"]);
  assert.deepEqual(tokensOf("marz 2024"), ["2024.03"]);
});

test("Numbers and months alone are no dates", () => {
  assert.deepEqual(tokensOf("may we ship"), []);
  assert.deepEqual(tokensOf("8 people 2023"), []);
  assert.deepEqual(tokensOf("march 1234"), []);
  assert.deepEqual(tokensOf(""), []);
});

test("A day has the tokens of a note with that date, however it is written", () => {
  for (const query of ["march 4", "三月四日", "am 4.3.", "mar 4"]) {
    assert.deepEqual(tokensOf(query), ["03.04"], query);
  }
  assert.deepEqual(tokensOf("20250304"), ["2025.03", "03.04"]);
  assert.deepEqual(tokensOf("before 4 march"), ["03.04"], "a limit finds the notes about it");
  assert.deepEqual(tokensOf("before march 4"), ["03.04"]);
  assert.deepEqual(tokensOf("the 8 of may 2023"), ["2023.05", "05.08"]);
});

test("A month without a day or a year is understood", () => {
  for (const query of [
    "what did we sign in March?",
    "What did we sign last march",
    "during March, what did we sign",
    "Was haben wir im März unterschrieben?",
    "im letzten März",
    "qué firmamos en marzo",
    "qu'avons-nous signé en mars",
    "o que assinamos em março",
    "3月に何をした",
    "三月签了什么",
    "3월에 뭐 했지",
  ]) {
    assert.deepEqual(namedMonths(query), ["03"], query);
  }
  assert.deepEqual(namedMonths("in May or in June"), ["05", "06"]);
});

test("A word that is also a month, a month with a day or a year, and a limit name no month", () => {
  for (const query of [
    "who may come in",
    "come in. May I ask",
    "when is the next march for the climate",
    "when was the last march",
    "in March 2025",
    "in March 4",
    "since March",
    "before May",
    "April's phone number",
    "3月4日に何をした",
    "2025年3月に何をした",
    "13月",
    "how do I march in step",
  ]) {
    assert.deepEqual(namedMonths(query), [], query);
  }
});

test("A month means the latest that has begun, or the one a year before", () => {
  assert.deepEqual(latestMonths("03", "2026-11-18"), ["2026-03", "2025-03"]);
  assert.deepEqual(latestMonths("11", "2026-11-01"), ["2026-11", "2025-11"]);
  assert.deepEqual(latestMonths("12", "2026-11-18"), ["2025-12", "2024-12"]);
});
