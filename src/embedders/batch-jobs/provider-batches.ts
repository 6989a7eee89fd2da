import type { HttpAccess } from "../remote/http-access.ts";
import type { RemoteEmbedderOptions } from "../remote/remote-embedder.ts";
import type { ServiceOptions } from "../remote/service.ts";
import type { BatchJobs } from "./batch-jobs.ts";
import { type BatchJobsOptions, type BatchSettings, createBatchJobs } from "./create-batch-jobs.ts";

/** Options of a provider with batch jobs. */
export interface ProviderOptions extends ServiceOptions, Omit<RemoteEmbedderOptions, "batches"> {
  /** Absent: no batch jobs. */
  readonly batch?: BatchSettings | undefined;
  /** Deadlines and time, where they are not the usual ones. */
  readonly batchTiming?: Pick<BatchJobsOptions, "deadlineMs" | "nowMs">;
}

export function createProviderBatches(
  createAdapter: BatchJobsOptions["createAdapter"],
  access: HttpAccess,
  { batch, batchTiming, redact, clock }: ProviderOptions,
): BatchJobs | undefined {
  if (batch === undefined) return undefined;
  return createBatchJobs({ settings: batch, access, createAdapter, redact, clock, ...batchTiming });
}
