import { createFenceReader, readNote } from "../consolidate/statements.ts";
import type { Engine } from "../engines/engine.ts";
import {
  compareFacts,
  type FactRelation,
  mayRelate,
  type ReadLine,
  readLine,
  wordsOfLine,
} from "../facts/compare-facts.ts";
import { dayWritten, isNewer } from "../facts/is-newer.ts";
import type { Notes } from "../notes/notes.ts";
import type { SearchHit } from "../search/search.ts";
import { normaliseEntryLine } from "../text/entry-line.ts";
import { outlineMarkdown } from "../text/markdown.ts";

/** An existing line that states or contradicts a new one. */
export interface KnownFact {
  readonly kind: "same" | "near-duplicate" | "supersedes";
  readonly path: string;
  readonly line: number;
  /** The same statement also exists, but has been superseded since. */
  readonly isRepeated?: boolean;
}

interface KnownFactRequest {
  readonly text: string;
  /** Target of the write; see `AddOptions.to`. */
  readonly to: string;
  readonly heading: string | undefined;
  readonly sessionKey: string | undefined;
  readonly sharedOnly: boolean;
  readonly today: string;
}

const maxHits = 8;
const maxChars = 300;
/** Longer texts are documents rather than facts. */
const maxStatements = 12;
/** Adding a text waits no longer than this for the lookup, and as long as a search does for the index. */
const lookupMs = 1200;

/**
 * Looks for a line that says the same as a new one, or that the new one supersedes. A fact in a daily note does not
 * prevent writing it to a long-term one. Text of several lines is known only where each of its lines is.
 */
export async function findKnownFact(request: KnownFactRequest, parts: Parts): Promise<KnownFact | null> {
  const signal = AbortSignal.timeout(lookupMs + parts.searchWaitMs);
  const { text } = request;
  if (!text.includes("\n")) return await findKnownLine(request, { ...parts, signal, isPart: false });
  const { statements, lines } = readNote({ path: "", text, date: null });
  if (statements.length > maxStatements) return null;
  const known: (KnownFact | null)[] = [];
  for (const { said, headings } of statements) {
    const line = { ...request, text: said, heading: headings.at(-1) ?? request.heading };
    known.push(await findKnownLine(line, { ...parts, signal, isPart: true }));
  }
  const older = known.find((each) => each?.kind === "supersedes");
  if (older) return older;
  const isAllSaid = statements.length === lines.filter((line) => line.trim() !== "").length;
  const [first] = known;
  if (!isAllSaid || known.includes(null) || !first) return null;
  const isReworded = known.some((each) => each?.kind === "near-duplicate");
  return isReworded ? { ...first, kind: "near-duplicate" } : first;
}

interface Parts {
  readonly openEngine: () => Promise<Engine>;
  readonly notes: Notes;
  /** `sync.searchWaitMs`. */
  readonly searchWaitMs: number;
}

async function findKnownLine(
  { text, to, heading, sessionKey, sharedOnly, today }: KnownFactRequest,
  {
    openEngine,
    notes,
    signal,
    isPart,
  }: Omit<Parts, "searchWaitMs"> & { signal: AbortSignal; isPart: boolean },
): Promise<KnownFact | null> {
  if (text.length > maxChars) return null;
  const isDaily = to === "daily";
  const target = isDaily ? notes.daily.pathOf(today) : to === "long-term" ? "MEMORY.md" : to;
  const said = readLine({
    text,
    path: target,
    ...(heading === undefined ? {} : { headings: [heading] }),
    ...(isDaily ? { date: today } : {}),
  });
  if (said.facts.length === 0) return null;
  const engine = await openEngine();
  const { results } = await engine.search(text, {
    keywordOnly: true,
    maxResults: maxHits,
    minScore: 0,
    source: "memory",
    scope: "project",
    signal,
    ...(sessionKey === undefined ? {} : { sessionKey }),
  });
  const lines: RelatedLine[] = [];
  for (const hit of results) {
    const note = await notes.readWhole({ path: hit.path, sharedOnly });
    if (note === null) continue;
    for (const line of linesOf(note.text, hit, wordsOfLine(text))) {
      lines.push({ ...line, kind: compareFacts(line.read, said).kind });
    }
  }
  const outdatedBy: RelatedLine[] = [];
  for (const known of lines) {
    const { kind, path, line, date } = known;
    if (kind !== "same" && kind !== "near-duplicate") continue;
    const newer = lines.find((other) => supersedes(other, known));
    if (newer !== undefined) outdatedBy.push(newer);
    // Appending detects an identical entry in the same note itself, and makes sure that it is on disk.
    else if (!isPart && path === target && normaliseEntryLine(known.text) === normaliseEntryLine(text))
      return null;
    else if (isDaily || date === undefined || (isPart && path === target)) return { kind, path, line };
  }
  const [changed] = outdatedBy;
  const older = changed ?? lines.find(({ kind }) => kind === "supersedes");
  if (older === undefined) return null;
  return { kind: "supersedes", path: older.path, line: older.line, isRepeated: changed !== undefined };
}

interface NoteLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly read: ReadLine;
  readonly date?: string;
}

interface RelatedLine extends NoteLine {
  readonly kind: FactRelation["kind"];
}

/** A superseded statement may become true again, and then deserves a new line. */
function supersedes(other: NoteLine, known: NoteLine): boolean {
  if (compareFacts(known.read, other.read).kind !== "supersedes") return false;
  const [left, right] = [known, other].map(({ path, line, text, date, read }) => ({
    ...{ path, line, isNews: read.isNews },
    day: dayWritten(text, date),
  }));
  return isNewer(right!, left!);
}

/** The lines of a hit that state something and share words with the text. */
function* linesOf(
  text: string,
  { path, startLine, endLine, date }: SearchHit,
  words: ReadonlySet<string>,
): Generator<NoteLine> {
  const lines = text.split("\n");
  const { headings } = outlineMarkdown(text, 0);
  // Code states no facts.
  const isCode = lines.map(createFenceReader());
  for (let line = startLine; line <= Math.min(endLine, lines.length); line++) {
    const written = lines[line - 1]!.replace(/\r$/, "");
    if (isCode[line - 1] || written.includes("~~") || !mayRelate(wordsOfLine(written), words)) continue;
    const heading = headings.findLast((each) => each.line < line);
    const dated = date === undefined ? {} : { date };
    const below = heading === undefined ? {} : { headings: [heading.text] };
    yield {
      path,
      line,
      text: written,
      read: readLine({ text: written, path, ...below, ...dated }),
      ...dated,
    };
  }
}
