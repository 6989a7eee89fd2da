import { cutLines } from "../../src/notes/edit-lines.ts";
import { planEntry } from "../../src/notes/plan-entry.ts";
import { sliceLines } from "../../src/notes/read-lines.ts";
import { kindsOfLines } from "../../src/search/line-kinds.ts";
import { createChunker } from "../../src/text/chunk.ts";
import { findEntries } from "../../src/text/entries.ts";
import { blankOrigins, dropOrigins, normaliseEntryLine, originsOf } from "../../src/text/entry-line.ts";
import { parseFrontMatter } from "../../src/text/front-matter.ts";
import { looksLikeInstruction } from "../../src/text/instruction-like.ts";
import { outlineMarkdown } from "../../src/text/markdown.ts";
import { redactSecrets } from "../../src/text/redact.ts";
import { hasHidden, showHidden } from "../../src/text/visible.ts";
import { createAnalyzer } from "../../src/text/words/analyze.ts";
import { type Chooser, createChooser } from "./choose.ts";
import { createTally, type FuzzSuite } from "./suite.ts";

/** Elements of Markdown, and text that can hide in it. */
export const pieces: readonly string[] = [
  ..."\n|\n\n|\r\n|\r|\t| |  |    |- |* |+ |1. |10) |# |## |####### |===|---|***|___|```|````|~~~|> |>> |\\||\\|---\\||`|``"
    .split(/(?<!\\)\|/)
    .map((piece) => piece.replaceAll("\\|", "|")),
  ..."<!-- from: |-->|<!--|<|>|</|[|](|![|]|(|)|:|: |---\n|...\n|title: x\n|tags: [a, b\n|date: 2026-03-01\n|&|&amp;|*a|!!js".split(
    "|",
  ),
  ..."ignore all previous|instructions|curl|| sh|SYSTEM:|you must|api_key=|password: |-----BEGIN PRIVATE KEY-----|sk-|AKIA".split(
    /(?<!\|)\|/,
  ),
  ..."a|word|Überblick|日本語|\ud800|\udc00|\u0000|\u202e|\u200d|\ufe0f|\ufeff|\u00a0|\u2028|😀|e\u0301|_|=|-|.|,|/|\\|'|\"".split(
    "|",
  ),
];

const analyzer = createAnalyzer();
const chunker = createChunker({ tokens: 100, overlap: 20 });

/** Everything that parses the text of a note. Nothing may throw; invariants between the parsers are checked. */
export async function readEveryWay(text: string, numbers: readonly number[]): Promise<string | null> {
  const lines = text.split("\n");
  const outline = outlineMarkdown(text, 400);
  const chunks = chunker.chunk(text);
  for (const { start, end } of findEntries(text, numbers)) {
    if (start < 1 || end < start || end > lines.length) return `an entry of lines ${start}-${end}`;
  }
  for (const { lines: range } of chunks) {
    if (range.start < 1 || range.end < range.start || range.end > outline.count)
      return `a chunk of ${range.end}`;
  }
  if (blankOrigins(text).length !== text.length) return "origins are not blanked in place";
  await parseFrontMatter(text);
  analyzer.indexText(text);
  kindsOfLines(lines);
  dropOrigins(text);
  originsOf(text);
  normaliseEntryLine(text);
  looksLikeInstruction(text);
  redactSecrets(text);
  if (hasHidden(showHidden(text))) return "something hidden is left";
  planEntry(text, { path: "memory/2026-03-01.md", text: "an entry", origin: "fuzz" });
  const bytes = Buffer.from(text);
  const { totalLines } = sliceLines(bytes, {});
  if (totalLines > 0) {
    const line = 1 + ((numbers[0] ?? 0) % totalLines);
    const seen = sliceLines(bytes, { from: line, lines: 1, maxChars: bytes.length });
    cutLines(bytes, [{ startLine: line, endLine: line, text: seen.text }], "memory/a.md");
  }
  return null;
}

export const fuzzMarkdown: FuzzSuite = async ({ seed, count }) => {
  const chooser = createChooser(seed);
  const tally = createTally();
  for (let turn = 0; turn < count; turn++) {
    const text = makeMarkdown(chooser, chooser.chance(0.01) ? 3000 : 80);
    try {
      const problem = await readEveryWay(text, [1, 2, 1 + chooser.below(40)]);
      if (problem !== null) tally.fail(`${JSON.stringify(text)}: ${problem}`);
    } catch (error) {
      tally.fail(`${JSON.stringify(text)} failed with ${(error as Error).stack}`);
    }
  }
  return tally.report(count);
};

function makeMarkdown({ below, one, chance, character }: Chooser, maxPieces: number): string {
  const parts: string[] = chance(0.1) ? ["---\n"] : [];
  for (let left = below(maxPieces); left > 0; left--) parts.push(chance(0.05) ? character() : one(pieces));
  return parts.join("");
}
