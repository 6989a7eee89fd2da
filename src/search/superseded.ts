import {
  compareFacts,
  type FactLine,
  mayRelate,
  type ReadLine,
  readLine,
  wordsOfLine,
} from "../facts/compare-facts.ts";
import { dayWritten, isNewer, splitDay, type WrittenLine } from "../facts/is-newer.ts";
import { isNews } from "../facts/read-fact.ts";
import type { StoredChunk } from "../stores/store.ts";
import { readHeading } from "../text/markdown-line.ts";
import { once } from "../text/once.ts";
import type { HitDraft, RankedPassage } from "./hits.ts";
import { fencesOf, frontMatterLines } from "./line-kinds.ts";
import type { Passage } from "./passages.ts";
import type { SupersededBy } from "./search.ts";

/** Bounds on the work: hits to compare, other passages, and lines of each. */
const maxHits = 10;
const maxOthers = 12;
const maxLines = 4;
const maxRemembered = 512;
const maxNews = 4096;
/** A longer line is prose and states no single fact. */
const maxLineChars = 300;

interface ComparedLine extends WrittenLine {
  readonly words: ReadonlySet<string>;
  readonly read: () => ReadLine;
  /** Absent if the passage is not a hit. */
  readonly draft?: HitDraft;
}

/**
 * Marks hits that a newer line contradicts, and ranks the newer hit before the older. Compares only lines that the
 * search has read already: those of the hits and of the best other passages.
 */
export function createSupersededFinder(): (
  drafts: readonly HitDraft[],
  ranked: readonly RankedPassage[],
) => HitDraft[] {
  const remembered = new Map<string, ReadLine>();
  const news = new Map<string, boolean>();

  /** Needs neither the headings nor the facts of the line. */
  function isNewsLine(text: string): boolean {
    let known = news.get(text);
    if (known === undefined) {
      if (news.size >= maxNews) news.clear();
      known = isNews(splitDay(text).said);
      news.set(text, known);
    }
    return known;
  }

  function remember(line: FactLine): ReadLine {
    const key = JSON.stringify(line);
    let known = remembered.get(key);
    if (known === undefined) {
      if (remembered.size >= maxRemembered) remembered.clear();
      known = readLine(line);
      remembered.set(key, known);
    }
    return known;
  }

  function linesOf({ chunk, lines: { start, end }, isMatched }: Passage, draft?: HitDraft): ComparedLine[] {
    if (chunk.source !== "memory" || !isMatched) return [];
    const { path, text: chunkText, date } = chunk;
    const dated = date === undefined ? {} : { date };
    const texts = chunkText.split("\n");
    const first = Math.max(start, chunk.lines.start + frontMatterLines(chunk));
    const fences = fencesOf(chunkText);
    const found: ComparedLine[] = [];
    for (let line = first; line <= end && found.length < maxLines; line++) {
      const at = line - chunk.lines.start;
      const text = texts[at] ?? "";
      if (text.trim() === "" || text.length > maxLineChars || fences?.[at]) continue;
      const read = once(() =>
        remember({ text, path, headings: headingsAt(chunk, texts.slice(0, at)), ...dated }),
      );
      const words = wordsOfLine(text);
      found.push({
        ...{ path, line, words, read, day: dayWritten(text, date) },
        get isNews() {
          return isNewsLine(text);
        },
        ...(draft && { draft }),
      });
    }
    return found;
  }

  return (drafts, ranked) => {
    const hits = drafts
      .slice(0, maxHits)
      .flatMap((draft) =>
        [draft, ...draft.joined].slice(0, 3).flatMap(({ passage }) => linesOf(passage, draft)),
      );
    if (hits.length === 0) return [...drafts];
    const shown = new Set(drafts.flatMap((draft) => [draft, ...draft.joined].map(({ passage }) => passage)));
    const others = ranked
      .slice(0, maxOthers + shown.size)
      .filter(({ passage, relevance }) => relevance > 0 && !shown.has(passage))
      .slice(0, maxOthers)
      .flatMap(({ passage }) => linesOf(passage));
    const all = [...hits, ...others];
    const found = new Map<HitDraft, { by: SupersededBy; newer: HitDraft | undefined }>();
    for (const older of hits) {
      const draft = older.draft!;
      if (found.has(draft)) continue;
      const newer = all.find(
        (each) => !isSameLine(each, older) && mayRelate(each.words, older.words) && supersedes(each, older),
      );
      if (newer === undefined) continue;
      const by = { path: newer.path, line: newer.line, oldLine: older.line };
      found.set(draft, { by, newer: newer.draft });
    }
    return found.size === 0 ? [...drafts] : reorder(drafts, found);
  };
}

function reorder(
  drafts: readonly HitDraft[],
  found: ReadonlyMap<HitDraft, { by: SupersededBy; newer: HitDraft | undefined }>,
): HitDraft[] {
  const placed = new Set<HitDraft>();
  const ordered: HitDraft[] = [];
  const place = (draft: HitDraft, minScore: number): void => {
    if (placed.has(draft)) return;
    placed.add(draft);
    const score = Math.max(draft.score, minScore);
    const mark = found.get(draft);
    if (mark?.newer !== undefined) place(mark.newer, score);
    ordered.push({ ...draft, score, ...(mark && { supersededBy: mark.by }) });
  };
  for (const draft of drafts) place(draft, 0);
  return ordered;
}

/** Whether `other` is newer and contradicts the older line. */
function supersedes(other: ComparedLine, older: ComparedLine): boolean {
  return isNewer(other, older) && compareFacts(older.read(), other.read()).kind === "supersedes";
}

function isSameLine(left: ComparedLine, right: ComparedLine): boolean {
  return left.line === right.line && left.path === right.path;
}

/** The headings above the line, outermost first; those of the chunk if there are none. */
export function headingsAt({ headings }: StoredChunk, above: readonly string[]): readonly string[] {
  const open: { level: number; text: string }[] = [];
  for (const line of above) {
    const heading = readHeading(line);
    if (heading === null) continue;
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    open.push(heading);
  }
  return open.length === 0 ? headings : open.map(({ text }) => text);
}
