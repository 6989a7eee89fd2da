import assert from "node:assert/strict";
import { test } from "node:test";
import { nameToken, nameTokens } from "./note-names.ts";

test("A name has one token, however it is written", () => {
  for (const name of [
    "Anna Kowalski",
    "anna-kowalski",
    "anna_kowalski.md",
    "“Anna”  Kowalski".replaceAll(/[“”]/g, ""),
    "`Anna Kowalski`?",
  ]) {
    assert.equal(nameToken(name), "=anna.kowalski", name);
  }
  assert.equal(nameToken("東京 2026"), "=東京.2026");
  assert.equal(nameToken("a\u0000b\ud800"), "=ab\ufffd");
});

test("A date, nothing and a name that is too long have none", () => {
  for (const name of ["2026-03-01", "", "?!", "x".repeat(81)]) assert.equal(nameToken(name), null, name);
  assert.equal(nameToken("x".repeat(80))?.length, 81);
  assert.equal(nameToken("one two three four five six seven"), null);
  assert.equal(nameToken("one two three four five six"), "=one.two.three.four.five.six");
});

test("A note is named by its file, its title and its aliases, as people write them", () => {
  const tokens = (text: string, path = "memory/people/anna.md") => nameTokens({ path, text }).join(" ");
  assert.equal(tokens("Works at Globex."), "=anna");
  assert.equal(tokens("Works at Globex.", "user:MEMORY.md"), "=memory");
  assert.equal(tokens("Works at Globex.", "memory/2026-03-01.md"), "");
  assert.equal(tokens("# Anna Kowalski\n\nWorks."), "=anna =anna.kowalski");
  assert.equal(tokens("\n# Anna\n\nWorks."), "=anna");
  assert.equal(tokens("## Anna Kowalski\n\nWorks."), "=anna");
  assert.equal(tokens("Works.\n# Anna Kowalski"), "=anna");
  for (const aliases of [
    "aliases: [Annie, A. K.]",
    'alias: "Annie", A. K.',
    "aliases:\n  - Annie\n  - 'A. K.'",
    "tags: [person]\naliases:\n- Annie\n- A. K.\ncity: Bern",
  ]) {
    assert.equal(tokens(`---\n${aliases}\n---\n\n# Anna K\n`), "=anna =annie =a..k =anna.k", aliases);
  }
  assert.equal(
    tokens("---\ntitle: Head of sales\ntags: [person, lead]\n---\nWorks."),
    "=anna =head.of.sales",
  );
  for (const [frontMatter, named] of [
    ["title: Head of sales # since May", "=anna =head.of.sales"],
    ["aliases: [Annie, A. K.] # both", "=anna =annie =a..k"],
    ["alias: Annie # of old\r", "=anna =annie"],
    ["title: Kowalski, Anna", "=anna =kowalski,.anna"],
    ["aliases:\n  - Kowalski, Anna # in letters\n  - Annie", "=anna =kowalski,.anna =annie"],
    ["title: '#1 in sales'", "=anna =#1.in.sales"],
    ['title: "Sales # 1"', "=anna =sales.#.1 =sales"],
    ["title: 'It''s Anna'", "=anna =it's.anna"],
    ["title: 'the ''best'''", "=anna =the.'best"],
    ['title: "Anna \\"Annie\\" K"', '=anna =anna."annie".k'],
    ["alias: ['It''s Anna', Annie]", "=anna =it's.anna =annie"],
    ["aliases:\n  - 'It''s Anna'\n  - Annie", "=anna =it's.anna =annie"],
    ["title: >\n  Head of\n  sales\ntags: [x]", "=anna =head.of.sales"],
    ["title: >-\r\n  Head of # 1\r\n\r\n  sales\r", "=anna =head.of.#.1.sales"],
    ["title: |2-  # folded\n  Head of sales", "=anna =head.of.sales"],
    ["title: Head of\n  sales", "=anna =head.of.sales"],
    ["title:\n  Head of sales", "=anna =head.of.sales"],
    ["title: 'Head\n  of sales' # since May", "=anna =head.of.sales"],
    ["alias: >-\n  Annie,\n  A. K.", "=anna =annie =a..k"],
    ["aliases:\n  - >-\n    Head of\n    sales\n  - Annie", "=anna =head.of.sales =annie"],
    ["aliases: [Annie, # of old\n  A. K.]", "=anna =annie =a..k"],
  ] as const) {
    assert.equal(tokens(`---\n${frontMatter}\n---\n\nWorks.`), named, frontMatter);
  }
  assert.match(tokens('---\naliases: [Annie, "Kowalski, Anna"]\n---\n'), /=kowalski,\.anna(?: |$)/);
  assert.equal(tokens("#  Anna  Kowalski ##\r\n"), "=anna =anna.kowalski");
  for (const above of ["", "\n", "---\ntags: [x]\n---\n\n"]) {
    assert.equal(tokens(`${above}Anna Kowalski\r\n====\r\n\nWorks.`), "=anna =anna.kowalski", above);
  }
  assert.equal(tokens("Anna Kowalski\n=> Globex"), "=anna");
  assert.equal(tokens("---\n\nalias: Annie"), "=anna", "a thematic break is not front matter");
});
