import type { StoredChunk } from "../stores/store.ts";
import type { LineRange } from "../text/document.ts";
import { dropOrigins, originsOf } from "../text/entry-line.ts";
import { looksLikeInstruction, wordsOfName } from "../text/instruction-like.ts";
import { hasHidden } from "../text/visible.ts";
import type { HitDraft } from "./hits.ts";
import type { LineTable } from "./line-table.ts";
import type { MatchFinder } from "./matches.ts";
import type { AnswerExplanation, HitExplanation, HitFlag, SearchHit, SearchOptions } from "./search.ts";
import type { SearchTrace } from "./searcher.ts";
import { headingsAt } from "./superseded.ts";

interface PresentLimits {
  readonly maxSnippetChars: number;
  /** For all snippets together, unless the search overrides it. */
  readonly maxInjectedChars: number;
}

/** Turns drafts into hits with snippets, within the character budget of an agent. */
export function presentHits(
  trace: SearchTrace,
  { maxSnippetChars, maxInjectedChars }: PresentLimits,
  options: Pick<SearchOptions, "maxInjectedChars" | "explain" | "matchedLines">,
): SearchHit[] {
  const { drafts, table, finder } = trace;
  let budget = Math.max(0, options.maxInjectedChars ?? maxInjectedChars);
  const cores = drafts.map(({ passage, lines }) => within(passage.lines, lines));
  const spans = drafts.map(({ passage, lines }, index) =>
    table.connected(passage.chunk, cores[index]!, lines),
  );
  const said = drafts.map(({ passage: { chunk } }, index) =>
    saidIn(chunk, table.linesText(chunk, spans[index]!).join("\n")),
  );
  const headings = drafts.map(({ passage: { chunk }, lines }) => headingsOf(chunk, lines.start, table));
  const all = drafts.map(({ passage: { chunk } }, index) =>
    [wordsOfName(chunk.path), ...headings[index]!, said[index]!].join("\n"),
  );
  // Few answers contain instructions. Checking all texts at once takes a tenth of the time, because regular expressions
  // are compiled on reuse.
  const isSuspect = looksLikeInstruction(all.join("\n"));
  return drafts.map((draft, index) => {
    const { passage, lines, score, textScore, vectorScore } = draft;
    const { chunk } = passage;
    // Each hit gets an equal share of the remaining budget, so that the last one still shows something.
    const share = Math.floor(budget / (drafts.length - index));
    const maxChars = Math.min(maxSnippetChars, share);
    const shown = spans[index]!;
    const text = makeSnippet(
      {
        // The comment with an entry's origin is for readers of the note; here it would only waste space.
        lineText: (line) => dropOrigins(table.lineText(chunk, line)),
        lines: shown,
        core: cores[index]!,
        maxChars,
      },
      finder,
    );
    // In a session, blank lines stand for lines without speech.
    const snippet = chunk.source === "sessions" ? text.replaceAll(/\n{2,}/g, "\n") : text;
    budget -= snippet.length;
    return {
      path: chunk.path,
      startLine: lines.start,
      endLine: lines.end,
      score: round(score),
      snippet,
      source: chunk.source,
      headings: headings[index]!.map(asOneLine),
      ...(chunk.date === undefined ? {} : { date: chunk.date }),
      textScore: roundOrNull(textScore),
      vectorScore: roundOrNull(vectorScore),
      ...remarksOn(said[index]!, all[index]!, isSuspect),
      ...(draft.supersededBy === undefined ? {} : { supersededBy: draft.supersededBy }),
      ...(options.matchedLines ? { matchedLines: findMatchedLines(draft, trace) } : {}),
      ...(options.explain ? { explain: explainHit(draft, trace) } : {}),
    };
  });
}

/** A passage may begin or end with navigation, which the lines of its hit leave out. */
function within(core: LineRange, lines: LineRange): LineRange {
  const start = Math.min(Math.max(core.start, lines.start), lines.end);
  return { start, end: Math.max(Math.min(core.end, lines.end), start) };
}

/** A chunk may start above all headings of its note, but its passage below one of them. */
function headingsOf(chunk: StoredChunk, firstLine: number, table: LineTable): readonly string[] {
  if (chunk.headings.length > 0 || chunk.source !== "memory") return chunk.headings;
  return headingsAt(chunk, table.linesText(chunk, { start: chunk.lines.start, end: firstLine }));
}

/** The speaker labels in transcripts are ours, not signs of a forged role. */
function saidIn({ source }: StoredChunk, text: string): string {
  return source === "sessions" ? text.replaceAll(/^(?:User|Assistant|Summary): /gm, "") : text;
}

/** Warnings about the text, its path and its headings, and where its entries came from. */
function remarksOn(text: string, all: string, isSuspect: boolean): Pick<SearchHit, "flags" | "origin"> {
  const flags: HitFlag[] = [];
  if (isSuspect && looksLikeInstruction(all)) flags.push("instruction-like");
  if (hasHidden(all)) flags.push("hidden-characters");
  const origins = originsOf(text).slice(0, maxOrigins).map(asOneLine);
  return {
    ...(flags.length === 0 ? {} : { flags }),
    ...(origins.length === 0 ? {} : { origin: origins.join(", ") }),
  };
}

const maxOrigins = 3;

/** A title or a comment may span several lines. */
function asOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Lines with a word of the query; a passage found by semantic search alone counts in full. */
function findMatchedLines({ passage, joined }: HitDraft, { finder, table }: SearchTrace): number[] {
  const numbers = new Set<number>();
  for (const { chunk, lines } of [passage, ...joined.map((each) => each.passage)]) {
    const all = Array.from({ length: lines.end - lines.start + 1 }, (_, index) => lines.start + index);
    const matched = all.filter((line) =>
      finder.count(table.lineText(chunk, line)).some((count) => count > 0),
    );
    for (const line of matched.length > 0 ? matched : all) numbers.add(line);
  }
  return [...numbers].sort((a, b) => a - b);
}

function explainHit(draft: HitDraft, { terms, minScore, alignedOf }: SearchTrace): HitExplanation {
  const { passage, textScore, vectorScore, decay } = draft;
  const aligned = alignedOf?.(draft);
  return {
    terms: terms.map(({ text, weight }, t) => ({
      term: text,
      weight: round(weight),
      occurrences: round(passage.occurrences[t] ?? 0),
      contribution: round(passage.contributions[t] ?? 0),
    })),
    text: roundOrNull(textScore),
    vector: roundOrNull(vectorScore),
    ...(aligned && { similarWords: round(aligned.covered) }),
    decay: round(decay),
    floor: minScore,
  };
}

export function explainAnswer(
  trace: Pick<SearchTrace, "terms" | "found" | "aboveFloor">,
  timings: Readonly<Record<string, number>>,
): AnswerExplanation {
  return {
    tokens: trace.terms.map(({ text, chunks, weight, forms }) => ({
      token: text,
      chunks,
      weight: round(weight),
      ...(forms.size > 1 ? { note: `also as ${[...forms.keys()].slice(1, 6).join(", ")}` } : {}),
    })),
    candidates: { ...trace.found, aboveFloor: trace.aboveFloor.length },
    timings: Object.fromEntries(
      Object.entries(timings).map(([name, ms]) => [name, Math.round(ms * 100) / 100]),
    ),
  };
}

/** Round down, so that using a displayed score as the floor keeps the hit. */
function round(value: number): number {
  return Math.floor(value * 10_000) / 10_000;
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : round(value);
}

interface SnippetRequest {
  /** The text of a line; blank if no chunk contains it. */
  readonly lineText: (line: number) => string;
  /** The lines of the hit, and the most relevant ones among them. */
  readonly lines: LineRange;
  readonly core: LineRange;
  readonly maxChars: number;
}

/**
 * The text of the hit in whole lines: the core first, then its surroundings as far as they fit. A single line that is
 * too long is cut around the matched words. Always verbatim.
 */
export function makeSnippet(
  { lineText, lines, core, maxChars }: SnippetRequest,
  finder: MatchFinder,
): string {
  let { start, end } = core;
  const sizeOf = (line: number): number => lineText(line).length + 1;
  let used = -1;
  for (let line = start; line <= end; line++) used += sizeOf(line);
  while (used > maxChars && end > start) used -= sizeOf(end--);
  if (used > maxChars) return cutAroundMatches(lineText(start), maxChars, finder);
  for (let grew = true; grew; ) {
    grew = false;
    // Text after a match explains it more often than text before it.
    if (end < lines.end && used + sizeOf(end + 1) <= maxChars) {
      used += sizeOf(++end);
      grew = true;
    }
    if (start > lines.start && used + sizeOf(start - 1) <= maxChars) {
      used += sizeOf(--start);
      grew = true;
    }
  }
  const text: string[] = [];
  for (let line = start; line <= end; line++) text.push(lineText(line));
  return text.join("\n");
}

/** The window with the most distinct matched words, aligned to word boundaries if there are any. */
function cutAroundMatches(text: string, maxChars: number, finder: MatchFinder): string {
  if (text.length <= maxChars) return text;
  const found = finder.positions(text);
  let best = { from: 0, to: 0, terms: 0 };
  for (let i = 0, j = 0; i < found.length; i++) {
    j = Math.max(j, i);
    while (j + 1 < found.length && found[j + 1]!.end - found[i]!.start <= maxChars) j++;
    const terms = new Set(found.slice(i, Math.min(j + 1, i + 64)).map(({ term }) => term)).size;
    if (terms > best.terms) best = { from: found[i]!.start, to: found[j]!.end, terms };
  }
  const slack = Math.max(0, maxChars - (best.to - best.from));
  let start = Math.max(0, Math.min(best.from - Math.floor(slack / 3), text.length - maxChars));
  let end = Math.min(text.length, start + maxChars);
  const blankAfterStart = start === 0 ? -1 : text.slice(start, start + 40).search(/\s/);
  if (blankAfterStart >= 0 && start + blankAfterStart < best.from) start += blankAfterStart + 1;
  if (end < text.length) {
    const tail = /\s\S*$/.exec(text.slice(Math.max(best.to, end - 40), end));
    if (tail) end -= tail[0].length;
  }
  // Move inwards, so that the result stays within the limit.
  if (isInsidePair(text, start)) start++;
  if (isInsidePair(text, end)) end--;
  return text.slice(start, Math.max(start, end));
}

function isInsidePair(text: string, index: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, index - 1), index + 1));
}
