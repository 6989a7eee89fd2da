import { throwIfAborted } from "../../errors.ts";
import { createTaskQueue } from "../../task-queue.ts";
import { createSlices, sliceMs } from "../../timing.ts";
import { estimateTokens } from "../remote/estimate-tokens.ts";
import type { Retry } from "../remote/retrying.ts";
import { isFailure, type ServiceFailure } from "../remote/service.ts";
import type { BatchAdapter, JobInput, JobState, NewJob, UploadedInput } from "./adapter.ts";
import type { InputText, JobLedger, JobRecord } from "./batch-jobs.ts";

/** The pending jobs; each change is recorded before anything else happens. */
export interface JobLog {
  list(): readonly JobRecord[];
  put(job: JobRecord): Promise<void>;
  remove(name: string): Promise<void>;
}

export async function openJobLog(ledger: JobLedger): Promise<JobLog> {
  let jobs = await ledger.read();
  const queue = createTaskQueue();
  /**
   * One at a time, each based on what is recorded by then: a process that was paused must not overwrite jobs that
   * others have started meanwhile.
   */
  const write = async (change: (before: readonly JobRecord[]) => readonly JobRecord[]): Promise<void> => {
    await queue.run(async () => {
      jobs = change(await ledger.read());
      await ledger.write(jobs);
    });
  };
  return {
    list: () => jobs,
    put: (job) => write((before) => [...before.filter(({ name }) => name !== job.name), job]),
    remove: (gone) => write((before) => before.filter(({ name }) => name !== gone)),
  };
}

interface SubmitOptions {
  readonly adapter: BatchAdapter;
  readonly log: JobLog;
  readonly retry: Retry;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

interface PlannedJob {
  readonly record: JobRecord;
  readonly inputs: readonly JobInput[];
}

interface PlanOptions extends Pick<BatchAdapter, "limits" | "lineOf"> {
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
  { adapter, log, retry, deadlineMs, signal }: SubmitOptions,
): Promise<JobRecord | ServiceFailure> {
  const job: NewJob = { name: record.name, inputs };
  await log.put(record);
  const input = await adapter.upload(job, signal);
  if (isFailure(input)) {
    await log.remove(record.name);
    return input;
  }
  const state = await begin(input);
  if (!isFailure(state)) return await noteId(log, record, state);
  // The response may have been lost.
  const found = await adapter.find(job.name, signal);
  if (found !== null && !isFailure(found)) return await noteId(log, record, found);
  if (!isUnknown(found)) await log.remove(job.name);
  return state;

  /** Retries the request only if the previous one has not created the job. */
  async function begin(uploaded: UploadedInput): Promise<JobState | ServiceFailure> {
    let isFirst = true;
    return await retry({ deadlineMs, signal }, async (limited) => {
      if (!isFirst) {
        const found = await adapter.find(job.name, limited);
        if (found !== null && (!isFailure(found) || isUnknown(found))) return found;
      }
      isFirst = false;
      return await adapter.create(job, uploaded, limited);
    });
  }
}

/** The service cannot be asked now, so it may have the job or not. */
function isUnknown(found: JobState | ServiceFailure | null): boolean {
  return isFailure(found) && found.error.retryable;
}

/**
 * Finds the job of a process that could not record its id. Null if there is none; the record is then removed. A failure
 * if the service cannot be asked now.
 */
export async function recoverJob(
  record: JobRecord,
  { adapter, log, signal }: Pick<SubmitOptions, "adapter" | "log" | "signal">,
): Promise<JobRecord | ServiceFailure | null> {
  if (record.id !== null) return record;
  const found = await adapter.find(record.name, signal);
  throwIfAborted(signal);
  if (found !== null && !isFailure(found)) return await noteId(log, record, found);
  if (isUnknown(found)) return found;
  await log.remove(record.name);
  return null;
}

async function noteId(log: JobLog, record: JobRecord, { id }: JobState): Promise<JobRecord> {
  const known = { ...record, id };
  await log.put(known);
  return known;
}
