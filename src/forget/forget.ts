import type { PurgeOutcome } from "../engines/engine.ts";
import { LonghandError, messageOf, systemErrorCode, throwIfAborted } from "../errors.ts";
import type { EditResult } from "../notes/edit-file.ts";
import { entriesPath } from "../notes/note-path.ts";
import { sha256 } from "../text/hash.ts";
import { isTranscriptPath } from "../text/layer-path.ts";
import { isSharedSession } from "../text/session-key.ts";
import { type ChosenEdits, chooseEdits, type NoteEdit } from "./choose-edits.ts";
import { type FinishParts, hashOf, isDone, isUntouched, type PurgeRecord } from "./purge-records.ts";
import { createReceipt, type ForgetReceipt } from "./receipt.ts";

/** Lines of a note with their expected text. */
export interface ForgetPassage {
  readonly path: string;
  readonly startLine: number;
  /** Inclusive. */
  readonly endLine: number;
  readonly text: string;
}

export interface ForgetOptions {
  /** Only report what would be removed. */
  readonly dryRun?: boolean | undefined;
  /** The session that asks; a group or channel (or an unknown kind) cannot change private notes. */
  readonly sessionKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Which lines: those of one note (all of it without `startLine`), those that a query finds, or a given selection. */
export type ForgetRequest = ForgetOptions &
  (
    | {
        readonly path: string;
        readonly startLine?: number;
        readonly endLine?: number;
        /** The expected text of the lines. If it differs, nothing is removed. */
        readonly text?: string;
      }
    | {
        readonly query: string;
        readonly maxResults?: number;
        readonly minScore?: number;
        /** Only entries with every word of the query (the default), or all related ones to choose from. */
        readonly words?: "every" | "any";
      }
    | { readonly passages: readonly ForgetPassage[] }
  );

export interface ForgetResult {
  /** Line numbers from before the removal. */
  readonly removed: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
  }[];
  /** Chunks and cached vectors removed from the index. */
  readonly chunks: number;
  readonly cacheEntries: number;
  /** Passages that a query found but that cannot be edited, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** With `dryRun`, or if nothing matched: what would be removed. Nothing has changed. */
  readonly passages?: readonly ForgetPassage[];
  /** Absent if nothing was removed. */
  readonly receipt?: ForgetReceipt;
}

export interface ForgetParts extends FinishParts {
  /** Holds the forget lock, so that no other process forgets or finishes a pending purge meanwhile. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Lines that say the same in transcripts that are not indexed. */
  readonly findElsewhere: (texts: readonly string[]) => Promise<PurgeOutcome["stillIn"]>;
  readonly now: () => Date;
}

/** Removes text from notes, and every trace of it from the index. */
export async function forget(parts: ForgetParts, request: ForgetRequest): Promise<ForgetResult> {
  throwIfAborted(request.signal);
  const { edits, skipped } = await chooseEdits(parts, request);
  const passages = edits.flatMap((edit) => edit.passages);
  if (edits.length === 0 || request.dryRun) {
    return { removed: [], chunks: 0, cacheEntries: 0, skipped, passages };
  }
  return await parts.alone(() => editAndPurge(parts, request, { edits, skipped }));
}

/** The purge is recorded before the first edit, so that if this process dies the next one finishes it. */
async function editAndPurge(
  parts: ForgetParts,
  request: ForgetRequest,
  { edits, skipped }: ChosenEdits,
): Promise<ForgetResult> {
  const { notes, now, records } = parts;
  const { record, problem } = await recordPurge(parts, edits);

  const index = await prepareIndex(
    parts,
    edits.map(({ path }) => path),
  );
  const edited: EditResult[] = [];
  const problems: string[] = [];
  const removeRecord = (): void => {
    if (record !== null) records.remove([record.id]);
  };
  for (const { path, passages: lines, isWhole } of edits) {
    const { signal } = request;
    try {
      edited.push(
        isWhole
          ? await notes.removeNote({ path, expected: { text: lines[0]!.text }, signal })
          : await notes.removeLines({ path, passages: lines, signal }),
      );
    } catch (error) {
      // The first failure may fail the call; later ones must not hide what has been removed by then.
      if (edited.length === 0 && record !== null && (await isUntouched(notes, record))) removeRecord();
      if (edited.length === 0 || !(error instanceof LonghandError)) throw error;
      problems.push(error.message);
    }
  }
  const done = edits.filter(({ path }) => edited.some((each) => each.path === path));
  const removed = done.flatMap((edit) => edit.passages);
  const outcome = await index.purge(
    edited.filter(({ after }) => after === null).map(({ path }) => path),
    removed.map(({ text }) => text),
  );
  // The text is gone; leftover cleanup does not make it a failure.
  await notes.removeLeftovers().catch((error: unknown) => {
    if (!(error instanceof LonghandError)) throw error;
    problems.push(`Temporary files of earlier edits may be left. ${error.message}`);
  });
  const isOfEntries = removed.some(({ path }) => path === entriesPath);
  const entriesProblem = isOfEntries ? await parts.removeEntries() : null;
  if (entriesProblem !== null) problems.push(entriesProblem);
  const receiptsProblem = await parts.purgeReceipts({
    texts: removed.map(({ text }) => text),
    paths: edited.map(({ path }) => path),
  });
  if (receiptsProblem !== null) problems.push(receiptsProblem);
  const elsewhere = await parts.findElsewhere(removed.map(({ text }) => text));
  const isPurged =
    outcome.report !== null && isDone(outcome.report) && entriesProblem === null && receiptsProblem === null;
  if (isPurged) removeRecord();
  else if (problem !== null) problems.push(problem);
  return {
    removed: removed.map(({ path, startLine, endLine }) => ({ path, startLine, endLine })),
    chunks: outcome.report?.chunks ?? 0,
    cacheEntries: outcome.report?.cacheEntries ?? 0,
    skipped,
    receipt: createReceipt({
      at: now(),
      notes: edited,
      removed: removed.map(({ text, ...lines }) => ({ ...lines, sha256: sha256(text) })),
      report: outcome.report && {
        ...outcome.report,
        stillIn: await nameOpenly(outcome.report.stillIn, parts, request),
      },
      elsewhere: await nameOpenly(elsewhere, parts, request),
      isPending: !isPurged && record !== null,
      problems: [...problems, ...outcome.problems],
    }),
  };
}

/** Notes are edited even if the record cannot be written. */
async function recordPurge(
  { notes, records, now }: ForgetParts,
  edits: readonly NoteEdit[],
): Promise<{ record: PurgeRecord | null; problem: string | null }> {
  const before: { path: string; before: string }[] = [];
  for (const { path } of edits) before.push({ path, before: (await hashOf(notes, path)) ?? "" });
  try {
    return { record: records.add({ at: now().toISOString(), notes: before }), problem: null };
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const problem = `What is left to purge could not be written down. ${messageOf(error)}`;
    return { record: null, problem };
  }
}

/** Other sessions must not learn that private notes or transcripts say the same. */
async function nameOpenly(
  stillIn: PurgeOutcome["stillIn"],
  { notes }: ForgetParts,
  { sessionKey }: ForgetOptions,
): Promise<PurgeOutcome["stillIn"]> {
  if (!isSharedSession(sessionKey)) return stillIn;
  const open: PurgeOutcome["stillIn"][number][] = [];
  for (const line of stillIn) {
    if (isTranscriptPath(line.path)) continue;
    try {
      await notes.readLines({ path: line.path, lines: 1, sharedOnly: true });
      open.push(line);
    } catch (error) {
      if (!(error instanceof LonghandError)) throw error;
    }
  }
  return open;
}

interface IndexSide {
  purge(
    gone: readonly string[],
    texts: readonly string[],
  ): Promise<{ report: PurgeOutcome | null; problems: string[] }>;
}

/** Notes are edited whatever the state of the index; what failed there is reported. */
async function prepareIndex({ openEngine }: ForgetParts, paths: readonly string[]): Promise<IndexSide> {
  const tell = (error: unknown) => {
    if (!(error instanceof LonghandError)) throw error;
    return { report: null, problems: [`The index may still hold the text. ${error.message} ${error.hint}`] };
  };
  try {
    const purge = await (await openEngine()).preparePurge(paths);
    return {
      purge: (gone, texts) =>
        purge({ gone, texts }).then((report) => ({ report, problems: [...(report.problems ?? [])] }), tell),
    };
  } catch (error) {
    const reported = tell(error);
    return { purge: async () => reported };
  }
}
