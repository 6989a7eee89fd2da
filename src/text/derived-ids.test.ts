import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { listRedactionTexts } from "../../test/redaction-rates.ts";
import { createRandom } from "../eval/compare.ts";
import { createChunker } from "./chunk.ts";
import { createMask } from "./mask.ts";
import { redactSecrets } from "./redact.ts";
import { createAnalyzer } from "./words/analyze.ts";
import { indexHead } from "./words/chunk-tokens.ts";

/*
 * An index keeps chunks, tokens and masked texts until the id of what made them changes. So anyone who changes what is
 * made must change the id as well, or old and new notes would be searched by different rules.
 *
 * When one of these tests fails and the change is meant, give the part a new id and record it here with the digest that
 * the message shows. When only the texts of the test have changed, record the digest alone.
 */
const digests: Readonly<Record<string, string>> = {
  "mask 6": "6d8564b40eefdb60",
  "chunker markdown-1:400:80,markdown-1:60:20": "90b5b72a8b4404d9",
  "analyzer words-10": "2d585c7f061421c2",
};

function checkDigest(name: string, id: string, made: Iterable<string>): void {
  const hash = createHash("sha256");
  for (const each of made) hash.update(each).update("\0");
  const digest = hash.digest("hex").slice(0, 16);
  assert.equal(digest, digests[`${name} ${id}`], `${name} gives other results under the same id, ${id}`);
}

function createPicker(seed: number) {
  const random = createRandom(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  return {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
    many: <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make),
  };
}

test("A mask that masks any text differently has another id", () => {
  const { below, pick } = createPicker(1);
  const texts = listRedactionTexts();
  // Cut anywhere, they try the limits of the rules.
  const cut = texts.flatMap((text) => {
    const at = below(text.length + 1);
    return [text.slice(0, at), text.slice(at), `${pick(texts)} ${text.slice(at)}`];
  });
  const values =
    "YOUR_API_KEY changeme1 xxxxxxxx process.env.API_KEY {{TOKEN}} $TOKEN1 <token> abc1 abc12 abc123 abc12345 hunter2 aB3dE5fG7h null true 12345678 ******** env:API_KEY1 secrets.API_KEY op://vault/item1 (see) https://a.b/c1 dXNlcjpwYXNzd29yZDE= q8Zr4Tn1Lw9Vb3Xk6Mc2".split(
      " ",
    );
  const named = values.flatMap((value) =>
    [
      ...["Authorization: Bearer ", "Authorization: Basic ", "X-Api-Key: ", "Cookie: sid=", "curl -u me:"],
      ...["password=", "password: ", "export API_TOKEN=", "my password is ", "--token ", "| Password | "],
      ...['"secret": "', "<password>", "postgres://me:", "PIN ", "passphrase `"],
    ].map(
      (name) =>
        `${name}${value}${pick(["", " ", ";", '"', "</password>", "@host/db", " |", "`", ", then go"])}`,
    ),
  );
  // One character more, less or different: right beside what the rules were written for.
  const marks = [..." \n\t\u00a0=:\"'`|-_/.\\()<>Az09,", "", "", "\r\n"];
  const edited = [...texts, ...texts].map((text) => {
    const at = below(text.length + 1);
    return text.slice(0, at) + pick(marks) + text.slice(at + below(3));
  });
  const joined = texts.flatMap((text) => {
    const at = below(text.length + 1);
    const between = pick(["\n", "\r\n", "\n\n", "\t", "  \n  ", " | ", ", ", "; "]);
    return [
      text.slice(0, at) + between + pick([pick(texts), text.slice(at)]),
      ...(text.includes("\n") ? [text.replaceAll("\n", "\r\n"), text.replaceAll("\n", " ")] : []),
    ];
  });
  checkDigest(
    "mask",
    createMask([]).id,
    [...texts, ...cut, ...named, ...edited, ...joined].map((text) => redactSecrets(text).text),
  );
});

test("A chunker that cuts any note differently has another id", () => {
  const { below, pick, many } = createPicker(2);
  const words = "alpha beta gamma notes of the week 東京都 Straße release `code` [link](a.md) **bold**".split(
    " ",
  );
  const sentence = (most: number): string => many(1 + below(most), () => pick(words)).join(" ");
  const block: readonly (() => string)[] = [
    () => `${"#".repeat(1 + below(7))} ${sentence(4)}${pick(["", " #", " ##  ", "#"])}`,
    () => `${" ".repeat(below(5))}# ${sentence(2)}`,
    () => `${sentence(6)}\n${pick(["===", "---", "-", "- - -", "   ===", "***", "_ _ _"])}`,
    () =>
      many(1 + below(8), () => `${" ".repeat(below(5))}${pick(["-", "*", "1.", "12)"])} ${sentence(9)}`).join(
        "\n",
      ),
    () =>
      `${pick(["```", "~~~~", "  ```js", "1. ```"])}\n${many(below(9), () => sentence(5)).join("\n")}\n${pick(["```", "~~~~", "", "````"])}`,
    () => `| a | b |\n|---|:-:|\n${many(1 + below(6), () => `| ${sentence(3)} | x |`).join("\n")}`,
    () => `> ${sentence(20)}\n> ${sentence(3)}`,
    () => `<!-- ${sentence(4)} -->\n<div>\n${sentence(3)}\n</div>`,
    () => pick(["---", "***", "", "\t", "\u00a0", "#tag", "#", "[[2026-01-01]] | [[2026-01-03]]"]),
    () => sentence(120),
    () => many(1 + below(12), () => sentence(14)).join("\n"),
    () => pick(["x", "漢字", "😀", "a "]).repeat(below(900)),
  ];
  const notes = many(250, () => {
    const start = pick(["", "", "---\ntitle: x\n---\n", "\ufeff", "---\nopen\n"]);
    const [between, end] = [pick(["\n", "\n\n", "\r\n", "\n\n\n"]), pick(["", "\n"])];
    return start + many(1 + below(25), () => pick(block)()).join(between) + end;
  });
  const chunkers = [
    { tokens: 400, overlap: 80 },
    { tokens: 60, overlap: 20 },
  ].map(createChunker);
  checkDigest(
    "chunker",
    chunkers.map(({ id }) => id).join(),
    chunkers.flatMap((chunker) => notes.map((note) => JSON.stringify(chunker.chunk(note)))),
  );
});

test("An analyzer that gives any text other tokens has another id", () => {
  const { below, pick, many } = createPicker(3);
  const analyzer = createAnalyzer();
  const bases =
    "run hop fall hiss file agree relate note connect memory trouble size happy rate able sky tan".split(" ");
  const suffixes =
    "s es ies ed eed ing ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(
      " ",
    );
  const scripts = [
    "abcdeinstäöüß",
    "авеиойлмнстьіїє",
    "αεηιοςτμνάέ",
    "اتهيونكبلوفأ",
    "הוםיןבלכשמתר",
    "कनतािीोंे्",
    "রেটিগুল্",
    "கள்ுில்",
    "లుంాల్",
    "ışğçiIİ",
    "àéèêîôqul'’",
    "東京都のカｶﾞ가ไทย",
    "aB3_-./:@#'",
  ].map((letters) => [...letters]);
  const texts = [
    ...bases.flatMap((base) =>
      suffixes.flatMap((suffix) => [base + suffix, base + base.at(-1) + suffix, base.slice(0, -1) + suffix]),
    ),
    ...scripts.flatMap((letters) => many(1200, () => many(1 + below(12), () => pick(letters)).join(""))),
    ...many(1500, () =>
      many(1 + below(8), () => many(1 + below(9), () => pick(pick(scripts))).join("")).join(" "),
    ),
    ...listRedactionTexts().slice(0, 1000),
  ];
  const heads = texts.map((text) =>
    indexHead(analyzer, {
      path: `memory/${text}.md`,
      headings: [text],
      text: `# ${text}`,
    }).toString(),
  );
  const names = [
    "Head of sales",
    "'It''s Anna' # x",
    '"A \\"B\\", C"',
    "[A, B c]",
    ">-\n  Head\n  of",
    "\n  - A b\n  - C",
  ];
  const named = names.flatMap((name) =>
    ["title", "alias", "aliases"].map((field) => {
      const text = `---\ntags: [x]\n${field}: ${name}\n---\n\nText.`;
      return indexHead(analyzer, { path: "memory/a.md", headings: [], text }).toString();
    }),
  );
  const made = [...texts.map((text) => analyzer.indexText(text)), ...heads, ...named];
  checkDigest("analyzer", analyzer.id, made);
});
