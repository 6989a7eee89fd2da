import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createAnalyzer } from "./analyze.ts";
import { createCodeUnits } from "./code-units.ts";
import { irregularForms } from "./stems/irregular-english.ts";
import { stemWord } from "./stems/stem.ts";
import { createWantedWords } from "./wanted-words.ts";

const unitsOf = createCodeUnits();
const mayBecome = (word: string, token: string): boolean =>
  createWantedWords([token]).skipOthers(unitsOf(word), 0, word.length, () => {}) === 0;

test("a word that becomes a token is never ruled out by its first letters", () => {
  const alphabet = "abcdefghijklmnopqrstuvwxyz";
  for (const first of alphabet) {
    for (const second of alphabet) {
      for (const end of ["", "y", "s", "ys", "es", "ies", "ed", "ing", "eed", "ational", "al", "e", "ll"]) {
        const word = `${first}${second}${end}`;
        assert.ok(mayBecome(word, stemWord(word)), word);
      }
    }
  }
  for (const [form] of irregularForms()) assert.ok(mayBecome(form, stemWord(form)), form);
  const letter = fc.constantFrom(...alphabet);
  const word = fc
    .tuple(
      fc.string({ unit: letter, minLength: 2, maxLength: 8 }),
      fc.constantFrom(
        ..." s es ies ied ed ing eed y ly ness ational ization iveness biliti bility ably alism enci ator logy".split(
          " ",
        ),
        ..."icate ative alize ical ful ement ance able ment ion al er ous eli bli bling ating izing lled".split(
          " ",
        ),
      ),
      fc.constantFrom("", "", "s", "ly", "ed", "ing"),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(word, (each) => mayBecome(each, stemWord(each))),
    { seed: 7, numRuns: 20_000 },
  );
});

test("words that begin otherwise are ruled out", () => {
  assert.equal(mayBecome("table", "go"), false);
  assert.equal(mayBecome("goat", "go"), true);
  assert.equal(mayBecome("relative", "reason"), false);
  assert.equal(mayBecome("replay", "replai"), true);
  assert.equal(mayBecome("went", "go"), true);
});

test("scanning for wanted words finds them where a whole scan does, among as many tokens", () => {
  const analyzer = createAnalyzer();
  const piece = fc.constantFrom(
    ..."went go goes Going table tables it's don't a.b a/b foo-bar --max-results @name #12 maxResults ab1 Ärger 日本 x 12 12. 7 3.5 2026-03-02 9a 12% $5 10:30".split(
      " ",
    ),
    "<!-- from: tool 14:05 -->",
    "\n",
    "-",
    "'",
    "(table)",
    "**go**",
    "`went`:",
    "- ",
    "# ",
    "@ ",
    "table's",
    "go).",
    '"table,"',
    "über",
    "–",
    ..."дом Дом домДом ёлка2 Αθήνα σας नमस्ते \u093cन सलाम१ سلام ـسلام שלום 東京タワー 日 ไทย น\u0e4dา 가나다 Việt e\u0301 é1".split(
      " ",
    ),
  );
  const text = fc.array(
    fc.tuple(
      piece,
      fc.constantFrom(
        " ",
        "",
        "\n",
        ", ",
        "-",
        ".",
        "/",
        ": ",
        ") ",
        " (",
        "!\n",
        "\t",
        " *",
        "* ",
        "--",
        " @",
      ),
    ),
    {
      maxLength: 40,
    },
  );
  const tokens = fc.subarray([
    "go",
    "tabl",
    "max",
    "foo.bar",
    "a.b",
    "--maxresults",
    "@name",
    "x",
    "日本",
    "дом",
    "bar",
    "12",
    "3.5",
    "2026",
    "9a",
  ]);
  fc.assert(
    fc.property(text, tokens, (parts, wantedTokens) => {
      const written = parts.flat().join("");
      const wanted = new Set(wantedTokens);
      const scanWith = (only?: ReturnType<typeof createWantedWords>): unknown[] => {
        const found: unknown[] = [];
        const counts = [0, 0];
        const visit = (kind: number) => (token: string, start: number, end: number) => {
          counts[kind]!++;
          if (wanted.has(token)) found.push([kind, token, start, end, counts[kind]]);
        };
        const onSkipped = (count: number): void => {
          counts[0]! += count;
        };
        analyzer.scan(written, visit(0), visit(1), only && { wanted: only, onSkipped });
        return [found, counts];
      };
      assert.deepEqual(scanWith(createWantedWords(wanted)), scanWith());
    }),
    { seed: 11, numRuns: 3000 },
  );
});
