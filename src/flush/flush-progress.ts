import { statSync } from "node:fs";
import { join } from "node:path";
import { removeFileSync, replaceFileSync } from "../files.ts";
import { listNames, readTextFile } from "../paths.ts";
import { fieldsOf } from "../text/fields.ts";
import { sha256 } from "../text/hash.ts";
import { parseJson } from "../text/parse-json.ts";

/** How far a host's transcript has been flushed, and how far it still has to be. */
export interface FlushProgress {
  /** An absolute path. */
  readonly transcript: string;
  readonly sessionId?: string | undefined;
  /** The workspace whose notes get the sentences, whichever memory is open then. */
  readonly workspaceDir: string;
  /** Position in the transcript; see `Segment`. Null if nothing is known about earlier parts. */
  readonly flushedTo: number | null;
  /** Positions where the host compacted, or was about to, with an unfinished flush. */
  readonly pending: readonly number[];
  /** How many turns up to a position were read by a flush that ran out of time, in the order in which it reads. */
  readonly read?: { readonly to: number; readonly turns: number } | undefined;
  /** No other process needs the transcript. */
  readonly isCopy?: boolean | undefined;
}

/** Stored in files, so that the next process finishes what a killed one began. */
export interface FlushProgressStore {
  get(transcript: string): FlushProgress | null;
  put(progress: FlushProgress): void;
  /** Also removes a transcript that is a copy. */
  remove(progress: Pick<FlushProgress, "transcript" | "isCopy">): void;
  /** Transcripts with an unfinished flush. Cheap if there are none. */
  pending(): readonly FlushProgress[];
}

const extension = ".json";
/** No host resumes a session after this long. */
const maxAgeMs = 60 * 86_400_000;

/** One file per transcript, replaced as a whole. A pending one has another name, so that a listing shows it. */
export function openFlushProgress(folder: string, now: () => Date = () => new Date()): FlushProgressStore {
  const nameOf = (transcript: string) => sha256(transcript).slice(0, 32);
  const doneFile = (transcript: string) => join(folder, `${nameOf(transcript)}${extension}`);
  const pendingFile = (transcript: string) => join(folder, `${nameOf(transcript)}.pending${extension}`);
  return {
    get: (transcript) => read(pendingFile(transcript)) ?? read(doneFile(transcript)),
    put(progress) {
      const isPending = progress.pending.length > 0;
      const [file, other] = [pendingFile, doneFile].map((name) => name(progress.transcript));
      replaceFileSync((isPending ? file : other)!, JSON.stringify(progress));
      // The pending file wins if a process ended between the two writes.
      if (!isPending) removeFileSync(file!);
      else removeOld(folder, now().getTime() - maxAgeMs);
    },
    remove({ transcript, isCopy }) {
      if (isCopy) removeFileSync(transcript);
      removeFileSync(pendingFile(transcript));
      removeFileSync(doneFile(transcript));
    },
    pending: () =>
      listNames(folder)
        .sort()
        .filter((name) => name.endsWith(`.pending${extension}`))
        .flatMap((name) => read(join(folder, name)) ?? []),
  };
}

/** Null if it is missing or invalid. */
function read(file: string): FlushProgress | null {
  const value = fieldsOf(parseJson(readTextFile(file) ?? "")) as Partial<FlushProgress>;
  if (typeof value.transcript !== "string" || typeof value.workspaceDir !== "string") return null;
  const position = (number: unknown) => (typeof number === "number" && number >= 0 ? number : null);
  return {
    transcript: value.transcript,
    workspaceDir: value.workspaceDir,
    ...(typeof value.sessionId === "string" && { sessionId: value.sessionId }),
    flushedTo: position(value.flushedTo),
    pending: Array.isArray(value.pending) ? value.pending.filter((number) => position(number) !== null) : [],
    ...(position(value.read?.to) !== null && position(value.read?.turns) !== null && { read: value.read }),
    ...(value.isCopy === true && { isCopy: true }),
  };
}

/** Also removes temporary files of killed processes. */
function removeOld(folder: string, beforeMs: number): void {
  for (const name of listNames(folder)) {
    const file = join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && stats.mtimeMs < beforeMs) removeFileSync(file);
  }
}
