import { appendFileSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { unlessRefused } from "../errors.ts";
import { makeFolder, removeFileSync, renameFileSync } from "../files.ts";
import { fieldsOf, isFields } from "../text/fields.ts";
import { parseJson } from "../text/parse-json.ts";

/** How often lines were part of answers on one day: by note, then by the key of the line. */
export interface RecallBatch {
  readonly day: string;
  readonly notes: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/**
 * Counts on their way to the index. A hook or a search in a shell lives for a moment and would spend a tenth of its time
 * on writing to the index; a line in this file takes next to nothing.
 */
export interface RecallJournal {
  /** False when it is full or cannot be written. */
  append(batch: RecallBatch): boolean;
  isEmpty(): boolean;
  /** Removes all batches from the journal and returns them. */
  take(): readonly RecallBatch[];
}

/** Thousands of searches. */
const maxBytes = 256 * 1024;

export function openRecallJournal({
  stateDir,
  agentId,
}: Pick<Settings, "stateDir" | "agentId">): RecallJournal {
  const file = join(stateDir, "agents", agentId, "recalls.jsonl");
  const sizeOf = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

  /** Counts are not worth an error. */
  const attempt = <Result>(work: () => Result, otherwise: Result): Result =>
    unlessRefused(work, () => otherwise);

  return {
    append: (batch) =>
      attempt(() => {
        if (sizeOf() > maxBytes) return false;
        makeFolder(dirname(file), 0o700);
        appendFileSync(file, `${JSON.stringify(batch)}\n`, { mode: 0o600 });
        return true;
      }, false),
    isEmpty: () => attempt(() => sizeOf() === 0, true),
    take: () =>
      attempt(() => {
        if (sizeOf() === 0) return [];
        // Another process may append or take at the same moment.
        const taken = `${file}.${process.pid}`;
        renameFileSync(file, taken);
        const text = readFileSync(taken, "utf8");
        removeFileSync(taken);
        return text.split("\n").flatMap(parseBatch);
      }, []),
  };
}

/** Nothing for a line that a crash has cut. */
function parseBatch(line: string): RecallBatch[] {
  const { day, notes } = fieldsOf(parseJson(line)) as Partial<RecallBatch>;
  return typeof day === "string" && isFields(notes) ? [{ day, notes }] : [];
}
