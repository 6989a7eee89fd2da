import type { BatchAdapter, JobInput, JobItem, JobState } from "./batch-jobs/adapter.ts";
import type { BatchWire } from "./batch-jobs/batch-wire.ts";
import type { Embedder } from "./embedder.ts";
import type { HttpAccess } from "./remote/http-access.ts";
import { createProviderEmbedder, type HttpProvider, type ProviderOptions } from "./remote/http-service.ts";
import { readMessage } from "./remote/send-request.ts";
import { isFailure, type Purpose, type ServiceFailure } from "./remote/service.ts";

const gemini: HttpProvider = {
  provider: "gemini",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  models: { "gemini-embedding-001": { dimensions: 3072, usdPerMillionTokens: 0.15 } },
  limits: { items: 100, inputTokens: 2048 },
  keyVariable: "GEMINI_API_KEY",
  authorise: (key) => ["x-goog-api-key", key],
  ask: (request) => {
    const { texts, model, purpose } = request;
    const path = `models/${encodeURIComponent(model)}`;
    const requests = texts.map((text) => geminiRequest(text, request));
    // A query is a single text, which has its own method.
    if (purpose === "query") return { path: `${path}:embedContent`, body: requests[0] };
    return { path: `${path}:batchEmbedContents`, body: { requests } };
  },
  read: (json, { purpose }) => {
    const { embedding, embeddings } = (json ?? {}) as { embedding?: unknown; embeddings?: unknown };
    const items = purpose === "query" ? [embedding] : embeddings;
    if (!Array.isArray(items)) return null;
    const vectors = (items as ({ values?: unknown } | null | undefined)[]).map((item) => item?.values);
    return vectors.every((values): values is number[] => Array.isArray(values))
      ? { vectors, tokens: null }
      : null;
  },
  // Lists of models name it with `models/`.
  modelName: (model) => model.replace(/^(?:models|gemini|google)\//, ""),
  createBatches: createGeminiBatches,
};

export function createGeminiEmbedder(options: ProviderOptions): Embedder {
  return createProviderEmbedder(gemini, options);
}

/** Up to this many inputs are sent inside the job, and their vectors returned in its state, which takes fewer steps. */
const maxInlined = 200;
const pageSize = 20;
const maxPages = 20;
/** A list may contain the vectors of all its jobs: 200 each, of 3,072 dimensions. */
const maxAnswerBytes = 256 * 2 ** 20;

const phases: Readonly<Record<string, JobState["phase"]>> = {
  SUCCEEDED: "completed",
  FAILED: "failed",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
};

/** https://ai.google.dev/api/batch-api: `asyncBatchEmbedContent`, an operation that is polled until it is done. */
function createGeminiBatches(access: HttpAccess, wire: BatchWire): BatchAdapter {
  const { model, askedDimensions: dimensions } = access;
  const requestOf = ({ text }: Pick<JobInput, "text">) =>
    geminiRequest(text, { model, purpose: "document", dimensions });

  function readState(json: unknown): JobState | ServiceFailure {
    const { name, metadata, done, response, error } = (json ?? {}) as Operation;
    if (typeof name !== "string") return wire.unexpectedAnswer("it does not describe a batch job");
    const output = response ?? metadata?.output;
    const state = String(metadata?.state ?? "").replace(/^(?:BATCH|JOB)_STATE_/, "");
    const ended: JobState["phase"] = done === true ? (error ? "failed" : "completed") : "running";
    const stats = metadata?.batchStats;
    const said = readMessage({ error });
    return {
      id: name,
      phase: phases[state] ?? ended,
      done: stats ? Number(stats.successfulRequestCount ?? 0) + Number(stats.failedRequestCount ?? 0) : null,
      reason: said === null ? null : wire.show(said),
      async read(onItem, signal) {
        const inlined = output?.inlinedResponses?.inlinedResponses ?? [];
        for (const [place, item] of inlined.entries()) await onItem(readItem(item, place));
        const file = output?.responsesFile;
        if (typeof file !== "string") return {};
        return await wire.lines(
          { path: `${pathOf(file)}:download`, before: "download", query: { alt: "media" } },
          (line, place) => onItem(readItem(line, place)),
          signal,
        );
      },
    };
  }

  /** Results are in the order of the inputs, unless they carry a key. */
  function readItem(json: unknown, place: number): JobItem {
    const item = (json ?? {}) as OutputItem;
    const given = item.key ?? item.metadata?.key;
    const key = typeof given === "string" ? given : String(place);
    const vector = (item.response ?? item).embedding?.values;
    if (Array.isArray(vector)) return { key, vector: vector as number[], tokens: null };
    return { key, problem: wire.show(readMessage(item) ?? "no vector came back") };
  }

  return {
    limits: { items: 50_000, bytes: 64 * 2 ** 20 },
    priceFactor: 0.5,
    lineOf: (input) => `${JSON.stringify({ key: input.key, request: requestOf(input) })}\n`,
    async upload({ name, inputs }, signal) {
      if (inputs.length <= maxInlined) return { file: null };
      const boundary = `part-${name}`;
      const about = JSON.stringify({ file: { displayName: name, mimeType: "application/jsonl" } });
      const body = new Blob([
        `--${boundary}\r\ncontent-type: application/json; charset=utf-8\r\n\r\n${about}\r\n`,
        `--${boundary}\r\ncontent-type: application/jsonl\r\n\r\n`,
        ...inputs.map(({ line }) => line),
        `\r\n--${boundary}--\r\n`,
      ]);
      const answer = await wire.call(
        {
          method: "POST",
          path: "files",
          before: "upload",
          query: { uploadType: "multipart" },
          headers: {
            "x-goog-upload-protocol": "multipart",
            "content-type": `multipart/related; boundary=${boundary}`,
          },
          body,
        },
        signal,
      );
      if (isFailure(answer)) return answer;
      const { file } = (answer.json ?? {}) as { file?: { name?: unknown } | null };
      return typeof file?.name === "string"
        ? { file: file.name }
        : wire.unexpectedAnswer("it does not name the file");
    },
    async create({ name, inputs }, { file }, signal) {
      const inlined = () => ({
        requests: {
          requests: inputs.map((input) => ({ request: requestOf(input), metadata: { key: input.key } })),
        },
      });
      const body = {
        batch: {
          model: `models/${model}`,
          displayName: name,
          inputConfig: file === null ? inlined() : { fileName: file },
        },
      };
      const path = `models/${encodeURIComponent(model)}:asyncBatchEmbedContent`;
      const answer = await wire.callOnce({ method: "POST", path, body }, signal);
      return isFailure(answer) ? answer : readState(answer.json);
    },
    async find(name, signal) {
      let pageToken: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const query = { pageSize: String(pageSize), ...(pageToken === undefined ? {} : { pageToken }) };
        const request = {
          method: "GET",
          path: "batches",
          query,
          maxBytes: maxAnswerBytes,
        } as const;
        const answer = await wire.call(request, signal);
        if (isFailure(answer)) return answer;
        const list = (answer.json ?? {}) as { operations?: unknown; nextPageToken?: unknown };
        const operations = (Array.isArray(list.operations) ? list.operations : []) as (Operation | null)[];
        const job = operations.find((each) => each?.metadata?.displayName === name);
        if (job) return readState(job);
        if (typeof list.nextPageToken !== "string" || list.nextPageToken === "") break;
        pageToken = list.nextPageToken;
      }
      return null;
    },
    async look(id, signal) {
      const request = { method: "GET", path: pathOf(id), maxBytes: maxAnswerBytes } as const;
      const answer = await wire.call(request, signal);
      return isFailure(answer) ? answer : readState(answer.json);
    },
    cancel: (id, signal) => wire.call({ method: "POST", path: `${pathOf(id)}:cancel` }, signal),
  };
}

/** `batches/abc` or `files/abc`, with each segment escaped for a URL. */
function pathOf(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/");
}

interface Operation {
  readonly name?: unknown;
  readonly done?: unknown;
  readonly error?: { readonly message?: unknown } | null;
  readonly response?: Output | null;
  readonly metadata?: {
    readonly state?: unknown;
    readonly displayName?: unknown;
    readonly output?: Output | null;
    readonly batchStats?: {
      readonly successfulRequestCount?: unknown;
      readonly failedRequestCount?: unknown;
    } | null;
  } | null;
}

interface Output {
  readonly responsesFile?: unknown;
  readonly inlinedResponses?: { readonly inlinedResponses?: readonly unknown[] | null } | null;
}

interface OutputItem {
  readonly key?: unknown;
  readonly metadata?: { readonly key?: unknown } | null;
  readonly response?: OutputItem | null;
  readonly embedding?: { readonly values?: unknown } | null;
}

interface GeminiRequestOptions {
  readonly model: string;
  readonly purpose: Purpose;
  readonly dimensions: number | undefined;
}

/** One text in Gemini's format, alone or in a batch. */
function geminiRequest(text: string, { model, purpose, dimensions }: GeminiRequestOptions): unknown {
  return {
    model: `models/${model}`,
    content: { parts: [{ text }] },
    taskType: purpose === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT",
    outputDimensionality: dimensions,
  };
}
