import type { Engine } from "../engines/engine.ts";
import { LonghandError } from "../errors.ts";
import type { Notes } from "../notes/notes.ts";
import { allLines } from "../notes/read-lines.ts";
import { readQueryWords } from "../search/query-words.ts";
import type { SearchHit } from "../search/search.ts";
import { countOf } from "../text/count-of.ts";
import { findEntries } from "../text/entries.ts";
import { isTranscriptPath } from "../text/layer-path.ts";
import { isSharedSession } from "../text/session-key.ts";
import { createAnalyzer, tokensOf } from "../text/words/analyze.ts";
import type { ForgetParts, ForgetPassage, ForgetRequest, ForgetResult } from "./forget.ts";

/** What is removed from one note. */
export interface NoteEdit {
  readonly path: string;
  readonly passages: readonly ForgetPassage[];
  readonly isWhole: boolean;
}

export interface ChosenEdits {
  readonly edits: readonly NoteEdit[];
  readonly skipped: FoundPassages["skipped"];
}

/** What a request asks to remove, per note. Nothing is changed yet. */
export async function chooseEdits(parts: ForgetParts, request: ForgetRequest): Promise<ChosenEdits> {
  if ("query" in request) {
    const { passages, skipped } = await findPassages(parts, request);
    return { edits: groupByNote(passages), skipped };
  }
  if ("passages" in request) {
    const sharedOnly = isSharedSession(request.sessionKey);
    const listed: ForgetPassage[] = [];
    for (const edit of groupByNote(request.passages)) {
      const { path } = await parts.notes.readLines({ path: edit.path, lines: 1, sharedOnly });
      listed.push(...edit.passages.map((passage) => ({ ...passage, path })));
    }
    return { edits: groupByNote(listed), skipped: [] };
  }
  return { edits: [await readEdit(parts.notes, request)], skipped: [] };
}

async function readEdit(notes: Notes, request: Extract<ForgetRequest, { path: string }>): Promise<NoteEdit> {
  const { path, startLine, text, sessionKey } = request;
  const isWhole = startLine === undefined && request.endLine === undefined;
  const from = startLine ?? 1;
  const endLine = request.endLine ?? startLine ?? from;
  if (isTranscriptPath(String(path))) {
    throw new LonghandError(
      "path-outside-memory",
      `Nothing can be forgotten of ${path}: it is a transcript.`,
      { hint: "longhand never edits transcripts. Remove it where it was written; the next search notices." },
    );
  }
  const refusal = await notes.whyNotEditable(path);
  const seen = await notes.readLines({
    path,
    from,
    ...allLines,
    ...(isWhole ? {} : { lines: endLine - from + 1 }),
    sharedOnly: isSharedSession(sessionKey),
  });
  if (refusal !== null) {
    throw new LonghandError("path-outside-memory", refusal, {
      hint: "Remove the lines by hand; the next search notices. To edit there, adopt that folder: longhand adopt DIR",
    });
  }
  if (seen.totalLines === 0 || seen.lines === 0) {
    const why =
      seen.totalLines === 0
        ? "there is nothing in it, or no such note"
        : `it has ${countOf(seen.totalLines, "line")}`;
    throw new LonghandError("note-changed", `Nothing can be forgotten of ${path}: ${why}.`, {
      hint: "Give a path and lines as search shows them.",
    });
  }
  const last = isWhole ? seen.totalLines : endLine;
  // The index has the note under the name that its folder lists, however it was spelled here.
  const passage = { path: seen.path, startLine: from, endLine: last, text: text ?? seen.text };
  return { path: seen.path, isWhole, passages: [passage] };
}

function groupByNote(passages: readonly ForgetPassage[]): NoteEdit[] {
  const byPath = Map.groupBy(passages, ({ path }) => path);
  return [...byPath].map(([path, own]) => ({ path, passages: own, isWhole: false }));
}

interface FoundPassages {
  /** Best first. */
  readonly passages: readonly ForgetPassage[];
  readonly skipped: ForgetResult["skipped"];
}

const defaultResults = 20;

type QueryRequest = Extract<ForgetRequest, { query: string }>;

/**
 * The whole entries of notes that match a query, because a search may find unrelated ones. Matching transcripts are
 * reported but left alone. A stale index would hide entries, and in a changed note the lines of a hit would be others;
 * in both cases the search is repeated.
 */
async function findPassages(
  { notes, openEngine }: ForgetParts,
  request: QueryRequest,
): Promise<FoundPassages> {
  const { signal } = request;
  const engine = await openEngine();
  let isBehind = false;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const before = await readVersions(notes, signal);
    const isComplete = isBehind && (await syncAll(engine, signal));
    const { hits, spoken, stale } = await search(engine, request);
    isBehind = stale;
    if (stale && !isComplete) continue;
    const found = await readPassages(notes, request, hits);
    const after = await readVersions(notes, signal);
    // A search reports `stale` whenever its own check took too long. If no note has changed since the sync, nothing is
    // missing.
    const paths = stale ? new Set([...before.keys(), ...after.keys()]) : hits.map(({ path }) => path);
    if ([...paths].some((path) => before.get(path) !== after.get(path))) continue;
    return { ...found, skipped: [...found.skipped, ...spoken.map(refuseTranscript)] };
  }
  throw isBehind ? refuseBehind() : refuseMoving();
}

/** Whether the index is now complete. */
async function syncAll(engine: Engine, signal: AbortSignal | undefined): Promise<boolean> {
  const { left, pendingRemovals } = await engine.sync({ ...(signal && { signal }) });
  return left === 0 && pendingRemovals.length === 0;
}

const maxAttempts = 5;

async function readVersions(
  notes: Notes,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const { entries } = await notes.scan({ signal });
  return new Map(entries.map(({ path, version }) => [path, version]));
}

interface Found {
  readonly hits: readonly SearchHit[];
  /** In transcripts. */
  readonly spoken: readonly SearchHit[];
  /** There may be notes with more. */
  readonly stale: boolean;
}

async function search(
  engine: Engine,
  { query, maxResults = defaultResults, minScore, sessionKey, signal }: QueryRequest,
): Promise<Found> {
  const options = {
    maxResults,
    scope: "project" as const,
    ...(minScore === undefined ? {} : { minScore }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(signal ? { signal } : {}),
  };
  const { results, stale } = await engine.search(query, { ...options, source: "memory", matchedLines: true });
  const spoken = await engine.search(query, { ...options, source: "sessions" });
  return { hits: results, spoken: spoken.results, stale };
}

async function readPassages(
  notes: Notes,
  { query, words = "every", sessionKey }: QueryRequest,
  hits: readonly SearchHit[],
): Promise<FoundPassages> {
  const linesOf = new Map<string, number[]>();
  for (const { path, matchedLines = [] } of hits) {
    linesOf.set(path, [...(linesOf.get(path) ?? []), ...matchedLines]);
  }
  const isMeant = words === "every" ? createEveryWordCheck(query) : () => true;
  const passages: ForgetPassage[] = [];
  const skipped: { path: string; reason: string }[] = [];
  for (const [path, numbers] of linesOf) {
    const reason = await notes.whyNotEditable(path);
    if (reason !== null) {
      skipped.push({ path, reason });
      continue;
    }
    const { text, totalLines } = await notes.readLines({
      path,
      ...allLines,
      sharedOnly: isSharedSession(sessionKey),
    });
    const lines = text.split("\n");
    for (const { start, end } of findEntries(text, numbers)) {
      if (end > totalLines) continue;
      const passage = lines.slice(start - 1, end).join("\n");
      if (isMeant(passage)) passages.push({ path, startLine: start, endLine: end, text: passage });
      else skipped.push({ path, reason: `${path}:${start} does not have every word of the question.` });
    }
  }
  return { passages, skipped };
}

function refuseTranscript({ path, startLine }: SearchHit): { path: string; reason: string } {
  const why = "it is a transcript, and longhand never edits those";
  return { path, reason: `${path}:${startLine} cannot be changed: ${why}.` };
}

function refuseBehind(): LonghandError {
  return new LonghandError(
    "index-busy",
    "Nothing was forgotten: the index does not have all notes yet, so a question may miss some of the text.",
    {
      hint: "Run `longhand index` and see what it says, then repeat; or name the lines: longhand forget PATH:FROM-TO.",
      retryable: true,
    },
  );
}

function refuseMoving(): LonghandError {
  return new LonghandError(
    "note-changed",
    "Nothing was forgotten: notes that the question finds kept changing meanwhile.",
    { hint: "Repeat it when the program that changes them is done.", retryable: true },
  );
}

/** Matches texts that contain every word of a query in any form, except stop words. */
export function createEveryWordCheck(query: string): (text: string) => boolean {
  const analyzer = createAnalyzer();
  const wanted = readQueryWords(query, analyzer)
    .words.filter(({ kind }) => kind !== "exact" && kind !== "joined")
    .map(({ token }) => token);
  return (text) => {
    const found = tokensOf(text, analyzer);
    return wanted.every((token) => found.has(token));
  };
}
