import { LonghandError } from "../errors.ts";
import type { Notes } from "../notes/notes.ts";
import { allLines } from "../notes/read-lines.ts";
import { countOf } from "../text/count-of.ts";
import { isTranscriptPath } from "../text/layer-path.ts";
import { isSharedSession } from "../text/session-key.ts";
import { type FoundPassages, findPassages } from "./find-passages.ts";
import type { ForgetParts, ForgetPassage, ForgetRequest } from "./forget.ts";

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
