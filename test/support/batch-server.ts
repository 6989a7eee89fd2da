import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServiceKind } from "./embedding-server.ts";

export interface BatchServerJob {
  readonly kind: ServiceKind;
  readonly id: string;
  /** The name that the client gave it. */
  readonly name: string;
  /** The body of `POST /batches`, or of its equivalent. */
  readonly order: Record<string, unknown>;
  readonly inputs: readonly { readonly key: string; readonly text: string; readonly body: unknown }[];
  /** Results for a client that asks for them. */
  looks: number;
  cancelled: boolean;
}

/** The state of a job at one poll. */
export interface JobView {
  readonly status: "running" | "completed" | "failed" | "expired" | "cancelled";
  readonly done?: number;
  readonly reason?: string;
  /** Null if there is no such file. */
  readonly output?: string | null;
  readonly errors?: string | null;
}

export interface BatchRequest {
  readonly kind: ServiceKind;
  readonly method: string;
  /** The path after the version: `batches/batch_1`. */
  readonly path: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

export interface BatchServer extends AsyncDisposable {
  readonly requests: BatchRequest[];
  readonly jobs: BatchServerJob[];
  /** Texts that came by ordinary requests. */
  readonly ordinary: string[];
  /** The maximum number of concurrent jobs. */
  maxConcurrent: number;
  /** Decides the state of a job; by default it has completed at the second poll. */
  view: (job: BatchServerJob) => JobView;
  /** Replaces the server's answer if it returns true. */
  intercept: (request: BatchRequest, response: ServerResponse) => boolean;
  baseUrl(kind: ServiceKind): string;
  vectorOf(text: string): number[];
  /** One result line for an input, in the format of the service. */
  resultLine(job: BatchServerJob, key: string, vector?: readonly unknown[]): string;
  errorLine(job: BatchServerJob, key: string, message: string): string;
  /** All lines of a job. */
  results(job: BatchServerJob): string[];
}

/** A real server on loopback that implements the batch APIs of OpenAI, Gemini and Voyage as documented. */
export async function openBatchServer({ dimensions = 8 } = {}): Promise<BatchServer> {
  const files = new Map<string, string>();
  const views = new Map<string, JobView>();
  let jobCount = 0;
  const http = createServer((message, response) => {
    const parts: Buffer[] = [];
    message.on("data", (part: Buffer) => parts.push(part));
    message.on("error", () => {});
    message.on("end", () => {
      const request = readRequest(message, Buffer.concat(parts));
      server.requests.push(request);
      if (server.intercept(request, response)) return;
      void answer(request).then(({ status = 200, json, text }) => {
        response.writeHead(status, {
          "content-type": text === undefined ? "application/json" : "text/plain",
        });
        response.end(text ?? JSON.stringify(json));
      });
    });
  });

  async function answer(request: BatchRequest): Promise<{ status?: number; json?: unknown; text?: string }> {
    const { kind, method, path } = request;
    const ordinary = path === "embeddings" || /:(?:batchEmbedContents|embedContent)$/.test(path);
    if (ordinary) return { json: embed(request) };
    if (method === "POST" && path === "files") return { json: await upload(request) };
    const content = /^files\/([^/:]+)(?:\/content|:download)$/.exec(path)?.[1];
    if (content !== undefined) {
      const text = files.get(content);
      return text === undefined ? notFound : { text };
    }
    if (method === "POST" && (path === "batches" || path.endsWith(":asyncBatchEmbedContent"))) {
      return { json: describe(create(request)) };
    }
    if (method === "GET" && path === "batches") return { json: list(kind) };
    const [, id, action] = /^batches\/([^/:]+)(?:[/:](cancel))?$/.exec(path) ?? [];
    const job = server.jobs.find((each) => each.kind === kind && each.id === id);
    if (job === undefined) return notFound;
    if (action === "cancel") {
      job.cancelled = true;
      return { json: kind === "gemini" ? {} : describe(job) };
    }
    job.looks++;
    views.set(job.id, server.view(job));
    return { json: describe(job) };
  }

  function embed({ kind, path, text }: BatchRequest): unknown {
    const body = JSON.parse(text);
    if (kind === "gemini") {
      const asked = path.endsWith(":embedContent") ? [body] : body.requests;
      const texts: string[] = asked.map((each: GeminiRequest) => each.content.parts[0]!.text);
      if (!path.endsWith(":embedContent")) server.ordinary.push(...texts);
      const embeddings = texts.map((each) => ({ values: server.vectorOf(each) }));
      return path.endsWith(":embedContent") ? { embedding: embeddings[0] } : { embeddings };
    }
    const texts: string[] = body.input;
    server.ordinary.push(...texts);
    const data = texts.map((each, index) => ({
      object: "embedding",
      index,
      embedding: server.vectorOf(each),
    }));
    return { object: "list", data, model: body.model, usage: { total_tokens: texts.length * 10 } };
  }

  async function upload({ kind, headers, text }: BatchRequest): Promise<unknown> {
    const id = `file-${files.size + 1}`;
    if (kind === "gemini") {
      const boundary = /boundary=(.+)$/.exec(headers["content-type"] ?? "")![1]!;
      const [, about, content] = text.split(`--${boundary}`).map((part) => part.split("\r\n\r\n")[1] ?? "");
      files.set(id, content!.trim());
      return { file: { ...JSON.parse(about!).file, name: `files/${id}`, state: "ACTIVE" } };
    }
    const form = await new Response(text, {
      headers: { "content-type": headers["content-type"]! },
    }).formData();
    if (form.get("purpose") !== "batch") throw new Error("a file for a batch must say so");
    const file = form.get("file") as File;
    files.set(id, await file.text());
    return { id, object: "file", bytes: file.size, filename: file.name, purpose: "batch" };
  }

  function create({ kind, text }: BatchRequest): BatchServerJob {
    const order = JSON.parse(text);
    const fileId: string | undefined =
      kind === "gemini" ? order.batch.inputConfig.fileName?.replace(/^files\//, "") : order.input_file_id;
    const lines =
      fileId === undefined
        ? order.batch.inputConfig.requests.requests.map(
            (each: { request: unknown; metadata: { key: string } }) => ({
              key: each.metadata.key,
              request: each.request,
            }),
          )
        : files
            .get(fileId)!
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line));
    const job: BatchServerJob = {
      kind,
      id: `batch_${++jobCount}`,
      name: kind === "gemini" ? order.batch.displayName : order.metadata.longhand_job,
      order,
      inputs: lines.map(readInput),
      looks: 0,
      cancelled: false,
    };
    server.jobs.push(job);
    const underWay = server.jobs.filter(({ id }) => (views.get(id)?.status ?? "running") === "running");
    server.maxConcurrent = Math.max(server.maxConcurrent, underWay.length);
    return job;
  }

  function describe(job: BatchServerJob): unknown {
    const seen = views.get(job.id) ?? { status: "running" };
    const output = keepFile(`${job.id}-output`, seen.output);
    const errors = keepFile(`${job.id}-errors`, seen.errors);
    if (job.kind === "gemini") return describeGemini(job, seen, output);
    const status = seen.status === "running" ? (job.cancelled ? "cancelling" : "in_progress") : seen.status;
    return {
      id: job.id,
      object: "batch",
      endpoint: "/v1/embeddings",
      errors:
        seen.reason === undefined ? null : { object: "list", data: [{ code: "bad", message: seen.reason }] },
      input_file_id: job.order["input_file_id"],
      completion_window: job.order["completion_window"],
      status,
      output_file_id: output,
      error_file_id: errors,
      request_counts: { total: job.inputs.length, completed: seen.done ?? 0, failed: 0 },
      metadata: job.order["metadata"],
    };
  }

  function describeGemini(job: BatchServerJob, seen: JobView, output: string | null): unknown {
    const state = `BATCH_STATE_${seen.status === "completed" ? "SUCCEEDED" : seen.status.toUpperCase()}`;
    const { batch } = job.order as { batch: { displayName: string; inputConfig: { fileName?: string } } };
    const isFile = batch.inputConfig.fileName !== undefined;
    const inlined = () =>
      (seen.output ?? "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const { key, ...rest } = JSON.parse(line);
          return { ...rest, metadata: { key } };
        });
    const results = isFile
      ? { responsesFile: `files/${output}` }
      : { inlinedResponses: { inlinedResponses: inlined() } };
    return {
      name: `batches/${job.id}`,
      metadata: {
        "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.EmbedContentBatch",
        displayName: batch.displayName,
        state,
        batchStats: {
          requestCount: String(job.inputs.length),
          successfulRequestCount: String(seen.done ?? 0),
        },
      },
      done: seen.status !== "running",
      ...(seen.reason === undefined ? {} : { error: { code: 13, message: seen.reason } }),
      ...(output === null ? {} : { response: results }),
    };
  }

  function keepFile(id: string, text: string | null | undefined): string | null {
    if (text === null || text === undefined) return null;
    files.set(id, text);
    return id;
  }

  function list(kind: ServiceKind): unknown {
    const jobs = server.jobs.filter((job) => job.kind === kind).toReversed();
    if (kind === "gemini") return { operations: jobs.map(describe) };
    return { object: "list", data: jobs.map(describe), has_more: false };
  }

  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const server: BatchServer = {
    requests: [],
    jobs: [],
    ordinary: [],
    maxConcurrent: 0,
    view: (job) =>
      job.looks < 2
        ? { status: "running", done: 1 }
        : { status: "completed", done: job.inputs.length, output: server.results(job).join("") },
    intercept: () => false,
    baseUrl: (kind) => `http://127.0.0.1:${port}/${kind}/v1`,
    vectorOf(text) {
      const counts = new Array<number>(dimensions).fill(0.01);
      for (const letter of text.toLowerCase()) counts[letter.codePointAt(0)! % dimensions]! += 1;
      return counts;
    },
    resultLine({ kind, id, inputs }, key, vector) {
      const values = vector ?? server.vectorOf(inputs[Number(key)]?.text ?? "");
      if (kind === "gemini") return `${JSON.stringify({ key, response: { embedding: { values } } })}\n`;
      const data = [{ object: "embedding", index: 0, embedding: values }];
      const body = { object: "list", data, usage: { prompt_tokens: 10, total_tokens: 10 } };
      return `${JSON.stringify({ id, custom_id: key, response: { status_code: 200, request_id: "r", body }, error: null })}\n`;
    },
    errorLine({ kind, id }, key, message) {
      if (kind === "gemini") return `${JSON.stringify({ key, error: { code: 3, message } })}\n`;
      if (kind === "voyage") {
        return `${JSON.stringify({ batch_id: id, custom_id: key, response: { status_code: 500, message }, error: null })}\n`;
      }
      return `${JSON.stringify({ id, custom_id: key, response: null, error: { code: "batch_expired", message } })}\n`;
    },
    results: (job) => job.inputs.map(({ key }) => server.resultLine(job, key)),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

const notFound = { status: 404, json: { error: { message: "No such thing" } } };

interface GeminiRequest {
  readonly content: { readonly parts: readonly { readonly text: string }[] };
}

function readRequest(message: IncomingMessage, bytes: Buffer): BatchRequest {
  const url = message.url ?? "";
  const [, kind, ...rest] = new URL(url, "http://localhost").pathname.split("/");
  // Uploads and downloads have a prefix before the version.
  const below = rest[0] === "v1" ? rest.slice(1) : rest.slice(2);
  return {
    kind: kind as ServiceKind,
    method: message.method ?? "",
    path: below.map(decodeURIComponent).join("/"),
    url,
    headers: message.headers,
    text: bytes.toString("utf8"),
  };
}

interface InputLine {
  readonly custom_id?: string;
  readonly key?: string;
  readonly body?: { readonly input: string | readonly string[] };
  readonly request?: GeminiRequest;
}

function readInput(line: InputLine): BatchServerJob["inputs"][number] {
  const text = line.request?.content.parts[0]?.text ?? [line.body?.input].flat()[0];
  return { key: (line.custom_id ?? line.key)!, text: text!, body: line };
}
