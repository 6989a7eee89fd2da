import { messageOf } from "../../errors.ts";
import { judgeVectors } from "../judge-vectors.ts";
import { isFailure, type ServiceFailure } from "../remote/service.ts";
import type { JobItem, JobState } from "./adapter.ts";
import type { BatchWork, JobRecord, KeptText } from "./batch-jobs.ts";

export interface CollectedJob {
  /** Texts that have their vectors now. */
  readonly kept: ReadonlySet<string>;
  readonly tokens: number;
  /** How many came back without a usable vector, and why the first did. */
  readonly failed: number;
  readonly problem: string | null;
}

export interface CollectOptions {
  readonly job: JobRecord;
  readonly state: JobState;
  readonly from: string;
  /** Null where the first vector decides. */
  readonly dimensions: number | null;
  readonly keep: BatchWork["keep"];
  readonly signal: AbortSignal;
}

const textsPerCommit = 256;

/**
 * Takes what a job has given, in whatever order, through the door for vectors to the store. A result that nobody asked
 * for is passed over, and of two for the same text the first that is usable counts. Lines that came before the
 * connection broke are kept.
 */
export async function collectJob(options: CollectOptions): Promise<CollectedJob | ServiceFailure> {
  const { job, state, from, keep, signal } = options;
  const done = new Set<number>();
  const faulty = new Set<number>();
  const tokensOfOne = job.tokens / Math.max(1, job.hashes.length);
  let { dimensions } = options;
  let pending: KeptText[] = [];
  let tokens = 0;
  let problem: string | null = null;

  const flush = async (): Promise<void> => {
    const texts = pending;
    pending = [];
    if (texts.length > 0) await keep(texts);
  };
  const check = (item: JobItem): Float32Array | string => {
    if ("problem" in item) return item.problem;
    try {
      const [vector] = judgeVectors([item.vector], { from, count: 1, dimensions });
      return vector instanceof Float32Array ? vector : (vector?.refused ?? "no vector came back");
    } catch (error) {
      return messageOf(error);
    }
  };
  const answer = await state.read(async (item) => {
    const index = /^\d{1,9}$/.test(item.key) ? Number(item.key) : -1;
    const hash = job.hashes[index];
    if (hash === undefined || done.has(index)) return;
    const vector = check(item);
    if (typeof vector === "string") {
      faulty.add(index);
      problem ??= vector;
      return;
    }
    dimensions ??= vector.length;
    done.add(index);
    tokens += ("tokens" in item ? item.tokens : null) ?? tokensOfOne;
    pending.push({ hash, text: [vector] });
    if (pending.length >= textsPerCommit) await flush();
  }, signal);
  await flush();
  if (isFailure(answer)) return answer;
  const kept = new Set([...done].map((index) => job.hashes[index]!));
  const failed = [...faulty].filter((index) => !done.has(index)).length;
  return { kept, tokens: Math.round(tokens), failed, problem };
}
