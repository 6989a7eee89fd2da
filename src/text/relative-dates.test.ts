import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../test/support/growth.ts";
import { anchorDates } from "./relative-dates.ts";

const day = "2026-03-05"; // a Thursday

test("a relative date gets its absolute day, in every supported language", () => {
  const cases: [string, string][] = [
    ["Met Ana yesterday.", "Met Ana yesterday (2026-03-04)."],
    ["Yesterday's deploy failed.", "Yesterday's (2026-03-04) deploy failed."],
    ["Took last night's backup.", "Took last night's (2026-03-04) backup."],
    ["The day before yesterday we moved.", "The day before yesterday (2026-03-03) we moved."],
    ["Tonight's backup is the last.", "Tonight's (2026-03-05) backup is the last."],
    ["The day after tomorrow's demo is off.", "The day after tomorrow's (2026-03-07) demo is off."],
    ["Last month's bill is paid.", "Last month's (2026-02) bill is paid."],
    ["Next week’s review is short.", "Next week’s (2026-W11) review is short."],
    ["Heute war die Abnahme.", "Heute (2026-03-05) war die Abnahme."],
    ["Demo is tomorrow at 10:00.", "Demo is tomorrow (2026-03-06) at 10:00."],
    ["The server was moved 3 days ago.", "The server was moved 3 days ago (2026-03-02)."],
    ["We hired Jo last month and Al next year.", "We hired Jo last month (2026-02) and Al next year (2027)."],
    ["Review is next week.", "Review is next week (2026-W11)."],
    ["Gestern haben wir umgestellt.", "Gestern (2026-03-04) haben wir umgestellt."],
    ["Das Gespräch ist morgen um 9.", "Das Gespräch ist morgen (2026-03-06) um 9."],
    ["Der Termin ist übermorgen.", "Der Termin ist übermorgen (2026-03-07)."],
    ["Ayer cambiamos de proveedor.", "Ayer (2026-03-04) cambiamos de proveedor."],
    ["La reunión es mañana por la mañana.", "La reunión es mañana (2026-03-06) por la mañana."],
    ["Pasado mañana llega Eva.", "Pasado mañana (2026-03-07) llega Eva."],
    ["Hier nous avons changé le mot.", "Hier (2026-03-04) nous avons changé le mot."],
    ["On livre après-demain, pas demain.", "On livre après-demain (2026-03-07), pas demain (2026-03-06)."],
    ["昨天和王芳开会。", "昨天（2026-03-04）和王芳开会。"],
    ["会议改到后天。", "会议改到后天（2026-03-07）。"],
    ["昨日サーバーを移した。", "昨日（2026-03-04）サーバーを移した。"],
  ];
  for (const [line, expected] of cases) {
    assert.equal(anchorDates(line, day), expected);
    assert.equal(anchorDates(expected, day), expected, "a second time changes nothing");
  }
});

test("words that mean no single day, or already have their date, stay unchanged", () => {
  const same = [
    "The report of yesterday is loaded every morning.",
    "Run `yesterday.sh` first.",
    'We listened to "Yesterday" by the Beatles.',
    "See [[yesterday]] and [log](yesterday.md).",
    "The demo was yesterday (4 March).",
    "The demo is tomorrow, 6.3. at noon.",
    "Heute Morgen war es kalt, guten Morgen.".replace("Heute Morgen war", "Am Morgen war"),
    "Por la mañana llueve y esta mañana también.",
    "Das Büro ist hier im zweiten Stock.",
    "Jeden Tag heute und morgen dasselbe.",
    "Morgen is de zaak van de klant.",
    "每天今天都一样。",
    "The lift is closed for the last week of March.",
    "Todayish is not a word.",
  ];
  for (const line of same) assert.equal(anchorDates(line, day), line);
});

test("the ends of months and years are handled", () => {
  assert.equal(anchorDates("It broke yesterday.", "2024-03-01"), "It broke yesterday (2024-02-29).");
  assert.equal(anchorDates("It ends tomorrow.", "2025-12-31"), "It ends tomorrow (2026-01-01).");
  assert.equal(anchorDates("We met last month.", "2026-01-31"), "We met last month (2025-12).");
  assert.equal(anchorDates("We meet next week.", "2026-12-28"), "We meet next week (2027-W01).");
});

test("long runs of unclosed delimiters take linear time", () => {
  for (const unit of ["`", "<!-- ", "[[", "](", "(", '"', "https://", "yesterday "]) {
    assertLinear((size) => anchorDates(`Met Ana yesterday ${unit.repeat(size)}`, day), 4000, unit);
  }
});
