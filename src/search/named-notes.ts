import type { ChunkFilter, StoredChunk } from "../stores/store.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import { pathInLayer } from "../text/layer-path.ts";
import { monthNumber } from "../text/months.ts";
import { nameToken, plainName, spaced, unescapeYaml } from "../text/note-names.ts";
import { textPattern } from "../text/text-pattern.ts";
import { type Analyzer, tokensOf } from "../text/words/analyze.ts";
import type { NamedQuery } from "./find-candidates.ts";
import { firstTextLine, frontMatterLines } from "./line-kinds.ts";
import { isNamedDay, isPartOfDay, latestMonths, namedDays, namedMonths } from "./named-days.ts";
import type { Passage } from "./passages.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { QueryWords } from "./query-words.ts";

/** The notes that a query names by file or by date. */
interface NamedNotes {
  /** Queries that find them however many other notes match. */
  queries(tokens: readonly string[], filter: ChunkFilter): NamedQuery[];
  /** Boosts the passages of a named note above those that only mention it. */
  lift(passages: readonly Passage[], terms: readonly QueryTerm[]): readonly Passage[];
}

/** The fraction of the gap to a full score that a named note gains; a date may be just a mention. */
const lifts = { exact: 0.8, stem: 0.2, date: 0.35, onlyDate: 0.8, titled: 0.8 };

export function readNamedNotes(
  query: string,
  { words }: QueryWords,
  { analyzer, today }: { readonly analyzer: Analyzer; readonly today: string },
): NamedNotes {
  const days = namedDays(query);
  const months = namedMonths(query);
  const isOnlyDate = words.every(({ kind, text }) => kind !== "word" || isPartOfDay(text));
  const dateLift = isOnlyDate ? lifts.onlyDate : lifts.date;
  const namedFile = createNamedFile(query);

  return {
    queries(tokens, filter) {
      const queries: NamedQuery[] = [];
      for (const day of days) {
        // Without a year it may be any.
        const own = day.startsWith("-") ? null : within(filter, day, day);
        if (own !== null && tokens.length > 0) queries.push({ tokens, filter: own });
      }
      for (const month of months.flatMap((each) => latestMonths(each, today))) {
        const own = within(filter, `${month}-01`, `${month}-31`);
        // A daily note has the month in its name.
        const wanted = isOnlyDate ? [...tokens, month.replace("-", ".")] : tokens;
        if (own !== null && wanted.length > 0) queries.push({ tokens: wanted, filter: own });
      }
      for (const name of fileNamesIn(query)) {
        // Its joined forms (`release.checklist`) are in few chunks of other files.
        const named = [...tokensOf(name, analyzer)];
        if (named.length > 0) queries.push({ tokens: named, filter });
      }
      const whole = [...askedNames(plainName(query))].map(nameToken).filter((token) => token !== null);
      if (whole.length > 0) queries.push({ tokens: whole, filter });
      return queries;
    },
    lift(passages, terms) {
      const known = new Map<StoredChunk, number>();
      const latest = latestNamed(passages, months, today);
      const isOfMonth = ({ date }: StoredChunk): boolean =>
        date !== undefined && latest.has(date.slice(0, 7));
      const liftOf = (chunk: StoredChunk): number => {
        const naming = namedFile(chunk.path);
        const isDated = isNamedDay(chunk.date, days) || isOfMonth(chunk);
        return Math.max(naming === null ? 0 : lifts[naming], isDated ? dateLift : 0);
      };
      const mentions = latest.size === 0 ? [] : bestMentions(passages, terms, months);
      return passages.map((passage) => {
        const lift = known.get(passage.chunk) ?? liftOf(passage.chunk);
        known.set(passage.chunk, lift);
        if (lift === 0) return passage;
        const missing = isOfMonth(passage.chunk)
          ? mentions.reduce((sum, { at, most }) => sum + most - (passage.contributions[at] ?? 0), 0)
          : 0;
        const score = Math.min(1, passage.score + missing);
        return { ...passage, score: score + (1 - score) * lift };
      });
    },
  };
}

/** Null if the search excludes all of these days. */
function within(filter: ChunkFilter, first: string, last: string): ChunkFilter | null {
  const since = first < (filter.since ?? first) ? filter.since! : first;
  const until = last > (filter.until ?? last) ? filter.until! : last;
  return since > until ? null : { ...filter, since, until };
}

/** The last year in which a passage is dated in each named month, as `2025-03`; a month to come is not meant. */
function latestNamed(passages: readonly Passage[], months: readonly string[], today: string): Set<string> {
  const latest = new Map<string, string>();
  if (months.length === 0) return new Set();
  for (const { chunk } of passages) {
    const named = chunk.date?.slice(0, 7) ?? "";
    const month = named.slice(5);
    if (!months.includes(month) || named > today.slice(0, 7)) continue;
    if (named > (latest.get(month) ?? "")) latest.set(month, named);
  }
  return new Set(latest.values());
}

/** What the name of a month adds to a passage at most: a note of that month need not mention it. */
function bestMentions(
  passages: readonly Passage[],
  terms: readonly QueryTerm[],
  months: readonly string[],
): { readonly at: number; readonly most: number }[] {
  return terms.flatMap(({ text }, at) => {
    if (!months.includes(monthNumber(text) ?? "")) return [];
    return [{ at, most: passages.reduce((most, each) => Math.max(most, each.contributions[at] ?? 0), 0) }];
  });
}

type FileNaming =
  /** By its full name (`roadmap q3.md`) or path, or the query is nothing but its name, or asks for it ("who is …"). */
  | "exact"
  /** By its name without the extension, spelled the same: "the deploy-runbook". */
  | "stem";

/** How the query names the file at a path; null if it does not. */
type NamedFile = (path: string) => FileNaming | null;

const noteEnding = /\.(?:md|markdown)$/;
/** Characters that may surround a name in a sentence. */
const edge = /[\s"'`“”‘’«»()[\]<>,;:!?]/;

/** Prepares a query for matching against many paths. */
export function createNamedFile(query: string): NamedFile {
  const asked = query.normalize("NFKC").toLowerCase().trim();
  const wanted = askedNames(plainName(query));
  return (path) => {
    const lower = pathInLayer(path).normalize("NFKC").toLowerCase();
    const name = lower.slice(lower.lastIndexOf("/") + 1);
    const stem = name.replace(noteEnding, "");
    if (
      [spaced(stem), spaced(lower.replace(noteEnding, ""))].some((each) => each !== "" && wanted.has(each))
    ) {
      return "exact";
    }
    if (name !== stem && names(asked, name, lower)) return "exact";
    const isTelling = /[-_.]/.test(stem) && !/^[\d\W_]+$/.test(stem);
    return isTelling && names(asked, stem, lower.replace(noteEnding, "")) ? "stem" : null;
  };
}

const fileName = textPattern("[^\\s\"'`“”‘’«»()[\\]<>,;]+\\.(?:md|markdown)(?![\\p{L}\\p{N}])", "gi");

/** The file names with an extension in a query, for finding notes of that name. */
export function fileNamesIn(query: string): string[] {
  return [...query.matchAll(fileName(query))].map(([name]) => name.slice(name.lastIndexOf("/") + 1));
}

/** Whether the name occurs on its own, or after a path that does not name another file. */
function names(asked: string, name: string, path: string): boolean {
  for (let at = asked.indexOf(name); at !== -1; at = asked.indexOf(name, at + 1)) {
    const after = asked[at + name.length];
    const isEnd =
      after === undefined || edge.test(after) || /^\.(?:\s|$)/.test(asked.slice(at + name.length));
    if (!isEnd) continue;
    const before = asked[at - 1];
    if (before === undefined || edge.test(before)) return true;
    if (before !== "/") continue;
    let start = at;
    while (start > 0 && !edge.test(asked[start - 1]!)) start--;
    const written = asked.slice(start, at + name.length).replace(/^\.?\//, "");
    if (path === written || path.endsWith(`/${written}`) || written.endsWith(`/${path}`)) return true;
  }
  return false;
}

/**
 * Boosts the notes whose title or alias is the whole query, or what it asks for ("who is …"), above those that mention
 * it. Only the best chunk of a note is boosted, so that the mentions follow.
 */
export async function liftTitled(passages: readonly Passage[], query: string): Promise<readonly Passage[]> {
  const name = plainName(query);
  if (name === "") return passages;
  const names = askedNames(name);
  const chunks = new Set(passages.map(({ chunk }) => chunk));
  const aliased = await pathsWithAlias(chunks, names);
  const best = new Map<string, Passage>();
  for (const passage of passages) {
    const { path } = passage.chunk;
    const isTitled =
      aliased.has(path) || titlesOf(passage.chunk).some((title) => names.has(plainName(title)));
    if (isTitled && passage.score > (best.get(path)?.score ?? 0)) best.set(path, passage);
  }
  if (best.size === 0) return passages;
  const lifted = new Set([...best.values()].map(({ chunk }) => chunk));
  return passages.map((passage) => {
    if (!lifted.has(passage.chunk)) return passage;
    return {
      ...passage,
      lines: textLines(passage),
      score: passage.score + (1 - passage.score) * lifts.titled,
    };
  });
}

/** The outermost heading; that of a chunk which begins with front matter is within its text. */
function titlesOf(chunk: StoredChunk): string[] {
  const outermost = chunk.headings.slice(0, 1);
  if (frontMatterLines(chunk) === 0) return outermost;
  const line = chunk.text.split("\n")[firstTextLine(chunk) - chunk.lines.start] ?? "";
  return line.startsWith("# ") ? [...outermost, line.slice(2)] : outermost;
}

async function pathsWithAlias(
  chunks: Iterable<StoredChunk>,
  names: ReadonlySet<string>,
): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const chunk of chunks) {
    const lines = frontMatterLines(chunk);
    // Parsing is slow, and few notes have the name anywhere in their front matter.
    if (lines === 0) continue;
    const head = plainName(unescapeYaml(chunk.text.split("\n", lines).join("\n")));
    if (![...names].some((name) => head.includes(name))) continue;
    const aliases = (await parseFrontMatter(chunk.text))?.aliases ?? [];
    if (aliases.some((alias) => names.has(plainName(alias)))) paths.add(chunk.path);
  }
  return paths;
}

/** The user who asks for a note by its alias knows the alias: show the text. */
function textLines({ chunk, lines }: Passage): Passage["lines"] {
  if (lines.end - chunk.lines.start >= frontMatterLines(chunk)) return lines;
  const line = firstTextLine(chunk);
  return { start: line, end: line };
}

/**
 * A question that asks for a person or a thing by name and says nothing else: "who is Marta?" is "Marta". Only as long
 * as the rest is the whole name of a note does this matter, so a phrase more costs nothing.
 */
const questions = [
  /^(?:who|what)(?: is| are| was| were|['’]s|['’]re) /,
  /^tell me (?:more |everything |something )?about /,
  /^what (?:do|did) (?:i|we|you) (?:know|say|write|note) about /,
  /^(?:wer|was) (?:ist|sind|war|waren) /,
  /^was (?:wissen wir|wei(?:ß|ss) ich) über /,
  /^qui (?:est|sont|était) /,
  /^qu['’]est ce que? (?:c['’]est que )?/,
  /^que (?:savons nous|sait on) (?:de |d['’]|sur )/,
  /^(?:¿ ?)?(?:quién|quien|qué|que) (?:es|son|era) /,
  /^(?:¿ ?)?qué sabemos (?:de|sobre) /,
  /^(?:chi|cos['’]?|che cosa) ?(?:è|sono|era) /,
  /^(?:quem|o que) (?:é|são|era) /,
  /^(?:wie|wat) (?:is|zijn|was) /,
];
/** How they begin. Most queries begin otherwise, and compiling all these expressions takes long. */
const mayBeQuestion = /^(?:who|what|tell me|w(?:er|as|ie|at) |qu|¿|chi|cos|che cosa|o que)/;
const questionEnds = /(?:是谁|是誰|是什么|是什麼|とは(?:誰|何)?(?:ですか)?|って誰|は誰(?:ですか)?)$/;
const articles = /^(?:the|a|an|my|our|der|die|das|mein|meine|unser|unsere|el|la|los|las|le|les|il|o|de|het) /;

/** What the query, written as `plainName` writes it, may name: all of it, or what its question is about. */
export function askedNames(name: string): ReadonlySet<string> {
  const names = new Set([name]);
  const start = mayBeQuestion.test(name) ? questions.find((question) => question.test(name)) : undefined;
  const rest = name.replace(start ?? questionEnds, "").trim();
  if (rest !== name && rest !== "") names.add(rest).add(rest.replace(articles, ""));
  return names;
}
