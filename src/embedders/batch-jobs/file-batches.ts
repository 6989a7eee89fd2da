import { readMessage } from "../remote/send-request.ts";
import { isFailure, type ServiceFailure } from "../remote/service.ts";
import type { BatchAdapter, JobInput, JobItem, JobState, OnItem } from "./adapter.ts";
import type { BatchWire } from "./batch-wire.ts";

interface FileBatches {
  readonly wire: BatchWire;
  readonly priceFactor: number;
  readonly limits: BatchAdapter["limits"];
  readonly lineOf: (input: Omit<JobInput, "line">) => unknown;
  /** What `POST /batches` receives besides the file and the name. */
  readonly order: Readonly<Record<string, unknown>>;
}

/** The key of our name in the job's metadata. */
const nameKey = "longhand_job";
const pageSize = 100;
const maxPages = 20;

const phases: Readonly<Record<string, JobState["phase"]>> = {
  completed: "completed",
  failed: "failed",
  expired: "expired",
  cancelled: "cancelled",
};

/** The protocol of OpenAI, which Voyage adopted: a file of inputs, a job, a file of outputs and one of errors. */
export function createFileBatches({ wire, lineOf, order, ...rest }: FileBatches): BatchAdapter {
  function readState(json: unknown): JobState | ServiceFailure {
    const job = (json ?? {}) as BatchObject;
    if (typeof job.id !== "string" || typeof job.status !== "string") {
      return wire.unexpectedAnswer("it does not describe a batch job");
    }
    const [error] = job.errors?.data ?? [];
    const counts = job.request_counts;
    return {
      id: job.id,
      phase: phases[job.status] ?? "running",
      done: counts ? Number(counts.completed ?? 0) + Number(counts.failed ?? 0) : null,
      reason: typeof error?.message === "string" ? wire.show(error.message) : null,
      async read(onItem, signal) {
        for (const file of [job.output_file_id, job.error_file_id]) {
          if (typeof file !== "string") continue;
          const answer = await readFile(file, onItem, signal);
          if (isFailure(answer)) return answer;
        }
        return {};
      },
    };
  }

  const readFile = (file: string, onItem: OnItem, signal: AbortSignal) =>
    wire.lines(
      { path: `files/${encodeURIComponent(file)}/content` },
      async (line) => {
        const item = readItem(line);
        if (item !== null) await onItem(item);
      },
      signal,
    );

  function readItem(json: unknown): JobItem | null {
    const { custom_id: key, response, error } = (json ?? {}) as OutputLine;
    if (typeof key !== "string") return null;
    const { status_code: status, body } = response ?? {};
    if (!error && (status === undefined || status === 200)) {
      const { data, usage } = (body ?? {}) as OutputBody;
      const vector = Array.isArray(data) && data.length === 1 ? data[0]?.embedding : null;
      const tokens = usage?.total_tokens;
      if (Array.isArray(vector)) return { key, vector, tokens: typeof tokens === "number" ? tokens : null };
    }
    const plain = typeof body === "string" && body.trim() !== "" ? body : null;
    const said = readMessage({ error }) ?? readMessage(body) ?? plain ?? readMessage(response);
    return { key, problem: wire.show(said ?? "no vector came back") };
  }

  return {
    ...rest,
    lineOf: (input) => `${JSON.stringify(lineOf(input))}\n`,
    async upload({ name, inputs }, signal) {
      const form = new FormData();
      form.append("purpose", "batch");
      form.append(
        "file",
        new Blob(
          inputs.map(({ line }) => line),
          { type: "application/jsonl" },
        ),
        `${name}.jsonl`,
      );
      const answer = await wire.call({ method: "POST", path: "files", body: form }, signal);
      if (isFailure(answer)) return answer;
      const { id } = (answer.json ?? {}) as { id?: unknown };
      return typeof id === "string" ? { file: id } : wire.unexpectedAnswer("it does not name the file");
    },
    async create({ name }, { file }, signal) {
      const body = { input_file_id: file, ...order, metadata: { [nameKey]: name } };
      const answer = await wire.callOnce({ method: "POST", path: "batches", body }, signal);
      return isFailure(answer) ? answer : readState(answer.json);
    },
    async find(name, signal) {
      let after: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const query = { limit: String(pageSize), ...(after === undefined ? {} : { after }) };
        const answer = await wire.call({ method: "GET", path: "batches", query }, signal);
        if (isFailure(answer)) return answer;
        const list = (answer.json ?? {}) as { data?: unknown; has_more?: unknown };
        if (!Array.isArray(list.data)) return wire.unexpectedAnswer("it is not a list of batch jobs");
        const jobs = list.data as (BatchObject | null)[];
        const job = jobs.find((each) => each?.metadata?.[nameKey] === name);
        if (job) return readState(job);
        const last = jobs.at(-1)?.id;
        if (list.has_more !== true || typeof last !== "string" || last === after) break;
        after = last;
      }
      return null;
    },
    async look(id, signal) {
      const answer = await wire.call({ method: "GET", path: `batches/${encodeURIComponent(id)}` }, signal);
      return isFailure(answer) ? answer : readState(answer.json);
    },
    cancel: (id, signal) =>
      wire.call({ method: "POST", path: `batches/${encodeURIComponent(id)}/cancel` }, signal),
  };
}

interface BatchObject {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly output_file_id?: unknown;
  readonly error_file_id?: unknown;
  readonly errors?: { readonly data?: readonly { readonly message?: unknown }[] | null } | null;
  readonly request_counts?: { readonly completed?: unknown; readonly failed?: unknown } | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

interface OutputLine {
  readonly custom_id?: unknown;
  readonly response?: { readonly status_code?: unknown; readonly body?: unknown } | null;
  readonly error?: unknown;
}

interface OutputBody {
  readonly data?: readonly ({ readonly embedding?: unknown } | null)[] | null;
  readonly usage?: { readonly total_tokens?: unknown } | null;
}
