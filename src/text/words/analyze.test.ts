import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { createAnalyzer } from "./analyze.ts";

interface Seen {
  readonly token: string;
  readonly start: number;
  readonly end: number;
}

const analyzer = createAnalyzer();

function scan(text: string): { words: Seen[]; extras: Seen[] } {
  const words: Seen[] = [];
  const extras: Seen[] = [];
  analyzer.scan(
    text,
    (token, start, end) => words.push({ token, start, end }),
    (token, start, end) => extras.push({ token, start, end }),
  );
  return { words, extras };
}

const wordsOf = (text: string) => scan(text).words.map(({ token }) => token);
const extrasOf = (text: string) => scan(text).extras.map(({ token }) => token);
const tokensOf = (text: string) => new Set([...wordsOf(text), ...extrasOf(text)]);

/** A text in a note, and queries in other spellings, each of which must share a token with it. */
const typings: Readonly<Record<string, readonly [note: string, ...questions: string[]]>> = {
  English: ["The deployments were rolled back.", "deployment", "ROLLED", "rolling back"],
  German: [
    "Die Straßenbahn fährt über die Brücke.",
    "strassenbahn",
    "STRASSENBAHN",
    "brücke",
    "Bru\u0308cke",
    "fahrt",
  ],
  French: ["L’élève a reçu le reçu à l'école.", "eleve", "élève", "RECU", "ecole"],
  Vietnamese: ["Cuộc họp dời sang thứ hai.", "cuoc hop", "Cuộc họp".normalize("NFD")],
  Turkish: ["İstanbul ofisi taşındı.", "istanbul", "ISTANBUL", "tasindi"],
  Greek: ["Η συνάντηση στην Αθήνα.", "ΑΘΗΝΑ", "αθηνα", "ΣΥΝΑΝΤΗΣΗ"],
  Russian: ["Ёлку привезут во вторник.", "елку", "ЁЛКУ", "Вторник"],
  Ukrainian: ["Її кабінет на третьому поверсі.", "КАБІНЕТ", "її"],
  Arabic: ["الاجتماعُ القادم في المكتب ٢٠٢٦", "الاجتماع", "المكتب", "2026"],
  Hebrew: ["הַפְּגִישָׁה ביום ראשון", "הפגישה", "ראשון"],
  Hindi: ["अगली बैठक हिन्दी में होगी", "हिंदी", "बैठक"],
  Thai: ["การประชุมครั้งต่อไปที่สำนักงาน", "ประชุม", "สำนักงาน", "สํานักงาน"],
  "Chinese, simplified": ["会议改到星期三下午。", "会议", "星期三", "下午"],
  "Chinese, traditional": ["會議改到星期三下午。", "會議", "星期三"],
  Japanese: ["会議はカフェで水曜日に行います。", "カフェ", "ｶﾌｪ", "会議", "水曜日"],
  Korean: ["회의는 수요일로 옮겼습니다.", "회의", "수요일", "수요일".normalize("NFD")],
  "Latin in Chinese": ["使用GPT4模型和Docker部署", "gpt4", "docker", "模型"],
  "digits in Japanese": ["2026年3月15日に更新", "2026", "更新", "3月"],
  "full width": ["ＡＰＩ　ｋｅｙ を更新", "api", "key"],
  "emphasised Chinese": ["这是_重要API说明_。", "重要", "api", "说明"],
};

suite("createAnalyzer", () => {
  for (const [script, [note, ...questions]] of Object.entries(typings)) {
    test(`finds the text of a note in any spelling: ${script}`, () => {
      const known = tokensOf(note);
      for (const question of questions) {
        const missing = wordsOf(question).filter((token) => !known.has(token));
        assert.deepEqual(missing, [], `${question} in ${note}`);
      }
    });
  }

  test("gives camelCase, snake_case, kebab-case and paths the same words and joined pairs", () => {
    const spellings = [
      "maxResults",
      "max_results",
      "max-results",
      "MAX_RESULTS",
      "max.results",
      "max/results",
    ];
    for (const spelling of spellings) {
      assert.deepEqual(wordsOf(spelling), ["max", "result"], spelling);
      assert.ok(tokensOf(spelling).has("max.results"), spelling);
    }
  });

  test("joins neighbours across inner punctuation, including those of identifiers and numbers", () => {
    assert.ok(tokensOf("src/searchIndex.ts").has("index.ts"));
    assert.ok(tokensOf("std::vector").has("std.vector"));
    assert.ok(tokensOf("ptr->next").has("ptr.next"));
    assert.ok(tokensOf("v1.2.3").has("1.2") === false && tokensOf("v1.2.3").has("v1.2"));
    assert.ok(tokensOf("GPT-4模型").has("gpt.4"));
    assert.deepEqual(extrasOf("one. two, three; four"), [], "the punctuation of sentences joins nothing");
  });

  test("keeps sigils with their word if nothing precedes them", () => {
    for (const [text, token] of [
      ["--dry-run", "--dryrun"],
      ["use `--dry-run` now", "--dryrun"],
      ["(--dry_run)", "--dryrun"],
      ["ask @Ada", "@ada"],
      ["see #42.", "#42"],
      ["@José", "@jose"],
      ["@Jose\u0301", "@jose"],
    ] as const) {
      assert.ok(tokensOf(text).has(token), text);
    }
    for (const text of ["a--b", "mail@example", "C#12", "x-y", "- item", "-- rule", "@ # --"]) {
      assert.deepEqual(
        [...tokensOf(text)].filter((token) => /^[-@#]/.test(token)),
        [],
        text,
      );
    }
  });

  test("drops only the suffix after an apostrophe", () => {
    assert.deepEqual(wordsOf("it's we'll they’re I'd don't"), wordsOf("it we they I don"));
    assert.deepEqual(wordsOf("l'eau d’or"), ["l", "eau", "d", "or"]);
    assert.deepEqual(wordsOf("'s 's"), ["s", "s"], "nothing stands before it");
    assert.deepEqual(wordsOf("O'Brien's"), wordsOf("O'Brien"));
    assert.ok(tokensOf("Ada's.desk").has("ada.desk"));
  });

  test("ignores soft hyphens and joiners", () => {
    assert.deepEqual(wordsOf("Dampf\u00adschiff\u00adfahrt"), wordsOf("Dampfschifffahrt"));
    assert.deepEqual(wordsOf("می\u200cخواهم"), wordsOf("میخواهم"));
  });

  test("gives no words for punctuation and malformed text", () => {
    for (const text of ["", " ", "!?…—", "\udc00\ud800\ud83d", "\0\u0007", "\u202e\u2066"]) {
      assert.deepEqual([...tokensOf(text)], [], JSON.stringify(text));
    }
    assert.deepEqual(wordsOf("party🎉time"), ["parti", "time"]);
    assert.deepEqual(wordsOf("\u202eabc\u202c"), ["abc"], "controls of direction belong to no word");
  });

  test("gives the offsets of the written word, or of the exact pair", () => {
    const text = "Ada's maxResults は東京タワーにある, @Zoë: สวัสดี";
    for (const { token, start, end } of scan(text).words) {
      const written = text.slice(start, end);
      assert.ok(wordsOf(written).includes(token), `${token} from ${written}`);
      assert.doesNotMatch(written, /\s/);
    }
    const at = (token: string) => {
      const found = [...scan(text).words, ...scan(text).extras].find((each) => each.token === token)!;
      return text.slice(found.start, found.end);
    };
    assert.equal(at("東京"), "東京");
    assert.equal(at("result"), "maxResults");
    assert.equal(at("zoe"), "Zoë");
    assert.equal(at("สว"), "สว");
    assert.equal(at("る"), "る", "the last character of a run, not the run");
  });

  test("visits words and extras from left to right, inside the text, each with tokens fit for the index", () => {
    const text = fc.array(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 8 }),
        fc.constantFrom(
          "maxResults",
          "a-b",
          "--flag",
          "東京",
          "ไทย",
          "don't",
          "\ud800",
          " ",
          "\n",
          "'s",
          "#1",
          "葛\u{e0100}",
        ),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(
        text.map((parts) => parts.join("")),
        (whole) => {
          const { words, extras } = scan(whole);
          for (const stream of [words, extras]) {
            let previous = 0;
            for (const { token, start, end } of stream) {
              assert.ok(start >= 0 && start < end && end <= whole.length);
              assert.ok(start >= previous || stream === extras, "in order");
              previous = start;
              assert.notEqual(token, "");
              assert.doesNotMatch(token, /[\s"\p{Cc}\p{Cs}]/u);
            }
          }
        },
      ),
      { seed: 21, numRuns: 3000 },
    );
  });

  test("gives the same tokens for a text, whatever it analyzed before", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 30 }), { maxLength: 5 }), (texts) => {
        for (const text of texts) assert.equal(analyzer.indexText(text), createAnalyzer().indexText(text));
      }),
      { seed: 22, numRuns: 200 },
    );
  });

  test("puts all words before all extras, so that phrases of words stay together", () => {
    assert.equal(
      analyzer.indexText("use --dry-run with maxResults"),
      "us dry run with max result --dryrun dry.run maxresult max.results",
    );
    assert.equal(analyzer.indexText(""), "");
    assert.equal(analyzer.indexText("!"), "");
  });

  test("takes linear time, even for megabytes that are crafted to be slow", () => {
    const megabyte = 1_000_000;
    const hostile: Readonly<Record<string, string>> = {
      "one word": "a",
      "capital and small": "aB",
      underscores: "_",
      "joined by dots": "a.",
      flags: "--a",
      sigils: "(@a",
      "one long flag": "-a",
      apostrophes: "a's'",
      marks: "\u0301",
      "soft hyphens": "\u00ad",
      joiners: "\u200d",
      "one run": "漢",
      "Latin in a run": "漢a",
      Thai: "ำ้",
      "half-width kana": "ｶﾞ",
      "beyond the basic plane": "𠮷",
      digits: "١",
      hexadecimal: "a1",
      "broken pairs": "\ud800",
      blanks: " ",
    };
    for (const [name, part] of Object.entries(hostile)) {
      const text = part.repeat(Math.ceil(megabyte / part.length));
      let visits = 0;
      let characters = 0;
      const visit = (token: string): void => {
        visits++;
        characters += token.length;
      };
      analyzer.scan(text, visit, visit);
      assert.ok(visits <= 3 * text.length, `${name}: ${visits} tokens`);
      assert.ok(characters <= 4 * text.length, `${name}: ${characters} characters of tokens`);
    }
  });
});
