import { throwIfAborted } from "../../errors.ts";
import { createSlices, sliceMs } from "../../timing.ts";
import { estimateTokens } from "../remote/estimate-tokens.ts";
import type { Retry } from "../remote/retrying.ts";
import { isFailure, type ServiceFailure } from "../remote/service.ts";
import type { BatchAdapter, JobInput, JobState, NewJob, UploadedInput } from "./adapter.ts";
import type { InputText, JobRecord } from "./batch-jobs.ts";
import type { JobLog } from "./job-log.ts";

export interface SubmitOptions {
  readonly adapter: BatchAdapter;
  readonly book: JobLog;
  readonly retry: Retry;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export interface PlannedJob {
  readonly record: JobRecord;
  readonly inputs: readonly JobInput[];
}

export interface PlanOptions extends Pick<BatchAdapter, "limits" | "lineOf"> {
  /** The text as it is sent. */
  readonly prepare: (text: string) => string;
}

/** As many texts as fit in one job, in their order. Yields to other tasks, because there may be fifty thousand. */
export async function planJob(
  texts: readonly InputText[],
  { limits, lineOf, prepare }: PlanOptions,
  about: Pick<JobRecord, "name" | "since" | "attempt">,
): Promise<PlannedJob> {
  const inputs: JobInput[] = [];
  const slices = createSlices(sliceMs);
  let [bytes, tokens] = [0, 0];
  for (const text of texts.slice(0, limits.items)) {
    const input = { key: String(inputs.length), text: prepare(text.text) };
    const line = lineOf(input);
    bytes += Buffer.byteLength(line);
    if (inputs.length > 0 && bytes > limits.bytes) break;
    inputs.push({ ...input, line });
    tokens += estimateTokens(input.text);
    if (slices.isOver()) await slices.next();
  }
  const hashes = texts.slice(0, inputs.length).map(({ hash }) => hash);
  return { record: { ...about, id: null, hashes, tokens }, inputs };
}

/**
 * Starts a job. Its name is recorded before the request and its id afterwards, so that after a crash in between the job
 * is found by its name. Returns why it has not started; its record is then removed, unless the service may have it.
 */
export async function submitJob(
  { record, inputs }: PlannedJob,
  { adapter, book, retry, deadlineMs, signal }: SubmitOptions,
): Promise<JobRecord | ServiceFailure> {
  const job: NewJob = { name: record.name, inputs };
  await book.put(record);
  const input = await adapter.upload(job, signal);
  if (isFailure(input)) {
    await book.remove(record.name);
    return input;
  }
  const state = await begin(job, input);
  if (!isFailure(state)) return await noteId(book, record, state);
  // The response may have been lost.
  const found = await adapter.find(record.name, signal);
  if ("phase" in found) return await noteId(book, record, found);
  const isUnknown = isFailure(found) && found.error.retryable;
  if (!isUnknown) await book.remove(record.name);
  return state;

  /** Retries the request only if the previous one has not created the job. */
  async function begin(wanted: NewJob, uploaded: UploadedInput): Promise<JobState | ServiceFailure> {
    let isFirst = true;
    return await retry({ deadlineMs, signal }, async (limited) => {
      if (!isFirst) {
        const found = await adapter.find(wanted.name, limited);
        if (isFailure(found) && found.error.retryable) return found;
        if ("phase" in found) return found;
      }
      isFirst = false;
      return await adapter.create(wanted, uploaded, limited);
    });
  }
}

/**
 * Finds the job of a process that could not record its id. Null if there is none; the record is then removed. A failure
 * if the service cannot be asked now.
 */
export async function recoverJob(
  record: JobRecord,
  { adapter, book, signal }: Pick<SubmitOptions, "adapter" | "book" | "signal">,
): Promise<JobRecord | ServiceFailure | null> {
  if (record.id !== null) return record;
  const found = await adapter.find(record.name, signal);
  throwIfAborted(signal);
  if ("phase" in found) return await noteId(book, record, found);
  if (isFailure(found) && found.error.retryable) return found;
  await book.remove(record.name);
  return null;
}

async function noteId(book: JobLog, record: JobRecord, { id }: JobState): Promise<JobRecord> {
  const known = { ...record, id };
  await book.put(known);
  return known;
}
