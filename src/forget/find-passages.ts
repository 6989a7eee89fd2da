import { isSharedSession } from "../search/session-scope.ts";
import { findEntries } from "../text/entries.ts";
import { createEveryWordCheck } from "./every-word.ts";
import type { ForgetParts, ForgetPassage, ForgetRequest, ForgetResult } from "./forget.ts";

export interface FoundPassages {
  /** Best first. */
  readonly passages: readonly ForgetPassage[];
  readonly skipped: ForgetResult["skipped"];
}

const defaultResults = 20;

/** The entries of notes that a question is about, whole ones; what a search finds may be about something else. Transcripts that it finds are named and left alone. */
export async function findPassages(
  { notes, openEngine }: ForgetParts,
  {
    query,
    maxResults = defaultResults,
    minScore,
    words = "every",
    sessionKey,
    signal,
  }: Extract<ForgetRequest, { query: string }>,
): Promise<FoundPassages> {
  const engine = await openEngine();
  const options = {
    maxResults,
    ...(minScore === undefined ? {} : { minScore }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(signal ? { signal } : {}),
  };
  const { results } = await engine.search(query, { ...options, source: "memory", matchedLines: true });
  const spoken = await engine.search(query, { ...options, source: "sessions" });
  const linesOf = new Map<string, number[]>();
  for (const { path, matchedLines = [] } of results) {
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
      lines: Number.MAX_SAFE_INTEGER,
      maxChars: Number.MAX_SAFE_INTEGER,
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
  for (const { path, startLine } of spoken.results) {
    const why = "it is a transcript, and longhand never edits those";
    skipped.push({ path, reason: `${path}:${startLine} cannot be changed: ${why}.` });
  }
  return { passages, skipped };
}
