import assert from "node:assert/strict";
import { after, before, beforeEach, suite, test } from "node:test";
import { inspect } from "node:util";
import {
  type BatchServer,
  type BatchServerJob,
  openBatchServer,
} from "../../../test/support/batch-server.ts";
import type { ServiceKind } from "../../../test/support/embedding-server.ts";
import type { LonghandError } from "../../errors.ts";
import { systemClock } from "../../timing.ts";
import { type EmbeddedText, isRefused } from "../embedder.ts";
import { createGeminiEmbedder } from "../gemini.ts";
import { createOpenAiBatches, createOpenAiEmbedder } from "../openai.ts";
import { createHttpAccess, type ProviderFacts } from "../remote/http-access.ts";
import type { ProviderOptions } from "../remote/http-service.ts";
import type { RetryClock } from "../remote/retrying.ts";
import { createVoyageEmbedder } from "../voyage.ts";
import type { BatchJobs, BatchWork, JobRecord } from "./batch-jobs.ts";
import { type BatchSettings, createBatchJobs } from "./create-batch-jobs.ts";

const canaries = { key: "sk-canary-key-4731", header: "canary-header-4732", query: "canary-query-4733" };
const hide = (text: string) => ({ reveal: () => text });
const create = { openai: createOpenAiEmbedder, gemini: createGeminiEmbedder, voyage: createVoyageEmbedder };
const kinds = Object.keys(create) as ServiceKind[];

let server: BatchServer;
before(async () => {
  server = await openBatchServer();
});
beforeEach(() => {
  server.requests.length = server.jobs.length = server.ordinary.length = server.maxConcurrent = 0;
  server.view = completeAtSecondLook;
  server.intercept = () => false;
});
after(() => server[Symbol.asyncDispose]());

function completeAtSecondLook(job: BatchServerJob): ReturnType<BatchServer["view"]> {
  if (job.looks < 2) return { status: "running", done: 1 };
  return { status: "completed", done: job.inputs.length, output: server.results(job).join("") };
}

/** Pauses are recorded instead of waited for; they advance the wall clock. */
function makeClock(): RetryClock & { readonly pauses: number[]; readonly nowMs: () => number } {
  const pauses: number[] = [];
  let skippedMs = 0;
  return {
    pauses,
    now: () => systemClock.now() + skippedMs,
    nowMs: () => Date.now() + skippedMs,
    random: () => 0.5,
    async sleep(ms) {
      pauses.push(Math.round(ms));
      skippedMs += ms;
    },
  };
}

interface OpenOptions extends Partial<BatchSettings> {
  readonly clock?: ReturnType<typeof makeClock>;
  readonly deadlineMs?: { call: number; transfer: number };
  readonly provider?: Partial<ProviderOptions>;
}

function open(kind: ServiceKind, options: OpenOptions = {}): BatchJobs {
  const { clock = makeClock(), deadlineMs, provider, ...settings } = options;
  const embedder = create[kind]({
    baseUrl: `${server.baseUrl(kind)}?token=${canaries.query}`,
    apiKey: hide(canaries.key),
    headers: { "x-canary": hide(canaries.header) },
    clock,
    batch: { minTexts: 3, wait: true, concurrency: 2, pollIntervalMs: 1000, timeoutMs: 60_000, ...settings },
    batchTiming: { nowMs: clock.nowMs, ...(deadlineMs === undefined ? {} : { deadlineMs }) },
    ...provider,
  });
  return embedder.batches!;
}

/** The part of a store that jobs use, in memory: texts, vectors and the record of jobs. */
function makeWork(count: number, options: Partial<BatchWork> = {}) {
  const texts = new Map(
    Array.from({ length: count }, (_, index) => [`hash-${index}`, `text number ${index}`]),
  );
  const kept = new Map<string, EmbeddedText>();
  const progress: string[] = [];
  const ledgers: string[] = [];
  let ledger: readonly JobRecord[] = [];
  const work: BatchWork = {
    ledger: {
      read: async () => ledger,
      async write(jobs) {
        ledger = structuredClone(jobs);
        ledgers.push(JSON.stringify(jobs));
      },
    },
    async missing(limit, { except, only }) {
      const found = [...texts].filter(
        ([hash]) => !kept.has(hash) && !except?.has(hash) && (only === undefined || only.includes(hash)),
      );
      return found.slice(0, limit).map(([hash, text]) => ({ hash, text }));
    },
    async keep(entries) {
      for (const { hash, text } of entries) if (!kept.has(hash)) kept.set(hash, text);
    },
    onProgress: ({ completed, total, label }) => progress.push(`${label} ${completed}/${total}`),
    signal: undefined,
    ...options,
  };
  return { work, texts, kept, progress, ledgers, jobs: () => ledger };
}

type Bench = ReturnType<typeof makeWork>;

/** Each text has its own vector, of unit length. */
function assertKept({ texts, kept }: Bench, hashes: Iterable<string> = texts.keys()): void {
  for (const hash of hashes) {
    const vectors = kept.get(hash);
    assert.ok(vectors && !isRefused(vectors), hash);
    const raw = server.vectorOf(texts.get(hash)!);
    const length = Math.hypot(...raw);
    assert.deepEqual(
      vectors[0],
      Float32Array.from(raw, (value) => value / length),
      hash,
    );
  }
}

function assertNoCanary(...things: unknown[]): void {
  const shown = inspect(things, { depth: 10, showHidden: true }) + JSON.stringify(things);
  for (const canary of Object.values(canaries)) assert.ok(!shown.includes(canary), canary);
}

const refuse =
  (status: number, message: string, headers: Record<string, string> = {}) =>
  (response: import("node:http").ServerResponse): true => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message } }));
    return true;
  };

for (const kind of kinds) {
  suite(`Batch jobs of ${kind}`, () => {
    test("give every text its vector, as documented, and are removed from the record when they are done", async () => {
      const bench = makeWork(5);
      const jobs = open(kind);
      const outcome = await jobs.run(bench.work);
      assertKept(bench);
      assert.deepEqual([outcome.pending.size, outcome.holdsRest, bench.jobs()], [0, false, []]);
      assert.deepEqual([server.jobs.length, server.ordinary], [1, []]);
      const [job] = server.jobs;
      assert.deepEqual(
        job!.inputs.map(({ text }) => text),
        [...bench.texts.values()],
      );
      assert.match(job!.name, /^longhand-[0-9a-f]{16}$/);
      const uploads = server.requests.filter(({ path }) => path === "files");
      if (kind === "gemini") {
        assert.equal(uploads.length, 0, "a few inputs are sent inside the job");
        const { batch } = job!.order as { batch: Record<string, unknown> };
        assert.equal(batch["model"], "models/gemini-embedding-001");
        assert.match(server.requests[0]!.path, /^models\/gemini-embedding-001:asyncBatchEmbedContent$/);
        assert.equal(server.requests[0]!.headers["x-goog-api-key"], canaries.key);
      } else {
        assert.equal(uploads.length, 1);
        assert.match(uploads[0]!.headers["content-type"] ?? "", /^multipart\/form-data; boundary=/);
        assert.equal(uploads[0]!.headers.authorization, `Bearer ${canaries.key}`);
        const { input_file_id: _, metadata: __, ...order } = job!.order;
        const expected =
          kind === "openai"
            ? { completion_window: "24h" }
            : {
                completion_window: "12h",
                request_params: { model: "voyage-4-large", input_type: "document" },
              };
        assert.deepEqual(order, { endpoint: "/v1/embeddings", ...expected });
      }
      assert.deepEqual(
        job!.inputs[0]!.body,
        {
          openai: {
            custom_id: "0",
            method: "POST",
            url: "/v1/embeddings",
            body: { model: "text-embedding-3-small", input: "text number 0" },
          },
          voyage: { custom_id: "0", body: { input: ["text number 0"] } },
          gemini: {
            key: "0",
            request: {
              model: "models/gemini-embedding-001",
              content: { parts: [{ text: "text number 0" }] },
              taskType: "RETRIEVAL_DOCUMENT",
            },
          },
        }[kind],
      );
      assert.deepEqual(jobs.trouble(), { failures: 0, limit: 2, last: null });
      assert.equal(jobs.usage().requests, server.requests.length);
      assert.ok(jobs.usage().tokens >= 20, "counted by the service, or estimated");
      assert.deepEqual(bench.progress.at(-1), `waiting for a batch job of ${kind} 5/5`);
      assertNoCanary(bench.ledgers, bench.progress, jobs.trouble());
    });

    test("are recorded by name before the request, and by id afterwards", async () => {
      const bench = makeWork(3);
      let before: unknown;
      server.intercept = ({ method }) => {
        if (method === "POST") before ??= structuredClone(bench.jobs());
        return false;
      };
      await open(kind).run(bench.work);
      const [intent] = before as JobRecord[];
      assert.deepEqual([intent?.id, intent?.hashes], [null, ["hash-0", "hash-1", "hash-2"]]);
      assert.equal(intent!.name, server.jobs[0]!.name);
      assert.ok(bench.ledgers[1]!.includes(`${server.jobs[0]!.id}"`));
      assert.ok(!bench.ledgers.join().includes("text number"));
    });

    test("start only with enough texts, and again when more come", async () => {
      const bench = makeWork(2);
      const jobs = open(kind);
      await jobs.run(bench.work);
      assert.deepEqual([server.requests.length, bench.kept.size], [0, 0]);
      bench.texts.set("hash-2", "one more");
      await jobs.run(bench.work);
      assertKept(bench);
    });

    test("leave failed texts to ordinary requests, and keep the rest", async () => {
      const bench = makeWork(5);
      server.view = (job) => ({
        status: "completed",
        output:
          server
            .results(job)
            .filter((_, index) => index !== 1 && index !== 3)
            .join("") + (kind === "gemini" ? server.errorLine(job, "1", `bad ${canaries.key}`) : ""),
        errors: kind === "gemini" ? null : server.errorLine(job, "1", `bad ${canaries.key}`),
      });
      const jobs = open(kind);
      const outcome = await jobs.run(bench.work);
      assertKept(bench, ["hash-0", "hash-2", "hash-4"]);
      assert.deepEqual([bench.kept.size, outcome.pending.size, server.jobs.length], [3, 0, 1]);
      assert.deepEqual(bench.jobs(), []);
      assert.equal(jobs.trouble().failures, 0);
      assert.match(jobs.trouble().last ?? "", /2 of 5 texts without a vector: bad \[secret\]/);
      assertNoCanary(jobs.trouble());
    });

    for (const status of ["expired", "cancelled", "failed"] as const) {
      test(`that were ${status} give what they have, and count as a failure`, async () => {
        const bench = makeWork(4);
        server.view = (job) => ({
          status,
          reason: `It was ${status}, ${canaries.header}`,
          output: status === "failed" ? null : server.resultLine(job, "2"),
        });
        const jobs = open(kind);
        const outcome = await jobs.run(bench.work);
        assert.deepEqual([...bench.kept.keys()], status === "failed" ? [] : ["hash-2"]);
        assert.deepEqual([outcome.pending.size, outcome.holdsRest, server.jobs.length], [0, false, 1]);
        assert.deepEqual([jobs.trouble().failures, jobs.isOn()], [1, true]);
        assert.match(
          jobs.trouble().last ?? "",
          new RegExp(`${status} with \\d of 4 texts.*It was ${status}`),
        );
        assertNoCanary(jobs.trouble());
        // The second failure in a row ends batch mode.
        await jobs.run(bench.work);
        assert.deepEqual([server.jobs.length, jobs.isOn()], [2, false]);
        await jobs.run(bench.work);
        assert.equal(server.jobs.length, 2);
      });
    }

    test("accept only valid lines, in any order: no duplicates, no unknown keys, no truncated ones", async () => {
      const bench = makeWork(6);
      server.view = (job) => {
        const line = (key: string, vector?: unknown[]) => server.resultLine(job, key, vector);
        const lines = [
          line("5"),
          line("99", [1, 2, 3, 4, 5, 6, 7, 8]),
          line("hash-1", [1, 2, 3, 4, 5, 6, 7, 8]),
          line("0", [0, 0, 0, 0, 0, 0, 0, 0]),
          line("0"),
          line("0", [8, 7, 6, 5, 4, 3, 2, 1]),
          line("1", [1, 2, 3]),
          line("2", [null, 1, 2, 3, 4, 5, 6, 7]),
          line("4"),
        ];
        // Gemini's short responses are one JSON value, which is either complete or invalid.
        const cut = kind === "gemini" ? "" : line("3").slice(0, 40);
        return { status: "completed", output: lines.join("") + cut };
      };
      const jobs = open(kind);
      await jobs.run(bench.work);
      assertKept(bench, ["hash-5", "hash-0", "hash-4"]);
      assert.equal(bench.kept.size, 3);
      assert.equal(jobs.trouble().failures, 0);
    });

    test("with no usable line at all count as failed", async () => {
      const bench = makeWork(3);
      server.view = () => ({ status: "completed", output: "" });
      const jobs = open(kind);
      await jobs.run(bench.work);
      assert.deepEqual([bench.kept.size, jobs.trouble().failures], [0, 1]);
    });

    test("are polled with growing pauses, through overload, limits and lost connections", async () => {
      const bench = makeWork(3);
      const clock = makeClock();
      let looks = 0;
      server.intercept = ({ path, method }, response) => {
        if (method !== "GET" || !path.startsWith("batches/")) return false;
        looks++;
        if (looks <= 3) return refuse(429, "Slow down")(response);
        if (looks <= 6) return refuse(500, "Oh no")(response);
        if (looks <= 9) {
          response.socket?.resetAndDestroy();
          return true;
        }
        if (looks === 10) return refuse(429, "Later", { "retry-after": "300" })(response);
        return false;
      };
      const jobs = open(kind, { clock, timeoutMs: 3_600_000 });
      await jobs.run(bench.work);
      assertKept(bench);
      assert.deepEqual([server.jobs.length, jobs.trouble().failures], [1, 0]);
      const pauses = clock.pauses.filter((ms) => ms >= 1000);
      assert.deepEqual(pauses, [1000, 1500, 2250, 300_000, 5063]);
    });

    test("are looked up by name before the request is repeated, because its response may be lost", async () => {
      const bench = makeWork(3);
      let orders = 0;
      server.intercept = ({ path, method, kind: asked, text, ...request }, response) => {
        const isOrder = method === "POST" && (path === "batches" || path.endsWith(":asyncBatchEmbedContent"));
        if (!isOrder || ++orders > 1) return false;
        // The job is created, but the response is lost.
        server.intercept = () => false;
        void fetch(`http://127.0.0.1:${new URL(server.baseUrl(kind)).port}${request.url}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: text,
        }).then(() => response.socket?.resetAndDestroy());
        return true;
      };
      await open(kind).run(bench.work);
      assertKept(bench);
      assert.equal(server.jobs.length, 1);
    });

    test("that cannot be started are left to ordinary requests; two in a row end batch mode", async () => {
      const bench = makeWork(3);
      server.intercept = ({ method }, response) =>
        method === "POST" && refuse(400, `No batches here, ${canaries.query}`)(response);
      const jobs = open(kind);
      const outcome = await jobs.run(bench.work);
      assert.deepEqual([outcome.pending.size, outcome.holdsRest, bench.jobs()], [0, false, []]);
      assert.deepEqual([jobs.trouble().failures, jobs.isOn()], [1, true]);
      assert.match(jobs.trouble().last ?? "", /could not be begun: .*\(HTTP 400\): No batches here/);
      await jobs.run(bench.work);
      assert.equal(jobs.isOn(), false);
      const asked = server.requests.length;
      await jobs.run(bench.work);
      assert.equal(server.requests.length, asked);
      assertNoCanary(jobs.trouble());
    });

    test("are found again by a new process that knows only their names, or their ids", async () => {
      for (const knows of ["name", "id"] as const) {
        server.jobs.length = server.requests.length = 0;
        const bench = makeWork(4);
        const stopping = new AbortController();
        server.view = () => {
          stopping.abort();
          return { status: "running" };
        };
        await assert.rejects(open(kind).run({ ...bench.work, signal: stopping.signal }), { code: "aborted" });
        const [record] = bench.jobs();
        assert.ok(record?.id);
        if (knows === "name") await bench.work.ledger.write([{ ...record, id: null }]);
        server.view = completeAtSecondLook;
        bench.texts.set("hash-new", "a note that was written meanwhile");
        await open(kind).run(bench.work);
        assert.equal(server.jobs.length, 1, "nothing is paid for twice");
        assert.equal(bench.kept.size, 4);
        assert.ok(!bench.kept.has("hash-new"));
        assert.deepEqual(bench.jobs(), []);
      }
    });

    test("that ran while no process waited are waited for, not stopped", async () => {
      const bench = makeWork(3);
      server.view = () => ({ status: "running" });
      await open(kind, { wait: false }).run(bench.work);
      const [record] = bench.jobs();
      const since = new Date(Date.now() - 5 * 3600 * 1000).toISOString();
      await bench.work.ledger.write([{ ...record!, since }]);
      server.view = (job) => (job.looks < 4 ? { status: "running" } : completeAtSecondLook(job));
      await open(kind).run(bench.work);
      assertKept(bench);
      assert.deepEqual([server.jobs.length, server.jobs[0]!.cancelled], [1, false]);
    });

    test("that were recorded and never created are removed from the record, and started again", async () => {
      const bench = makeWork(3);
      const since = new Date().toISOString();
      const hashes = [...bench.texts.keys()];
      await bench.work.ledger.write([
        { name: "longhand-0000", id: null, hashes, tokens: 9, since, attempt: 1 },
      ]);
      await open(kind).run(bench.work);
      assertKept(bench);
      assert.equal(server.jobs.length, 1);
    });

    test("are not waited for if the settings say so, and collected by a later run", async () => {
      const bench = makeWork(7);
      const clock = makeClock();
      const jobs = open(kind, { wait: false, clock });
      server.view = () => ({ status: "running" });
      const first = await jobs.run(bench.work);
      assert.deepEqual([first.pending.size, first.holdsRest, server.jobs.length], [7, false, 1]);
      assert.deepEqual(clock.pauses, []);
      const asked = server.requests.length;
      bench.texts.set("hash-new", "a few more");
      const second = await jobs.run(bench.work);
      assert.deepEqual([second.pending.size, server.jobs.length], [7, 1]);
      assert.equal(server.requests.length, asked + 1, "one look");
      await jobs.run(bench.work);
      assert.equal(server.requests.length, asked + 1, "and none too soon after another");
      server.view = (job) => ({ status: "completed", output: server.results(job).join("") });
      const third = await open(kind, { wait: false }).run(bench.work);
      assert.deepEqual([third.pending.size, bench.kept.size, bench.jobs()], [0, 7, []]);
      assert.equal(server.jobs.length, 1);
    });

    test("that take too long are stopped, retried once, and then given up", async () => {
      const bench = makeWork(4);
      server.view = (job) =>
        job.cancelled && job.looks > 3
          ? { status: "cancelled", output: server.resultLine(job, "0") }
          : { status: "running" };
      const jobs = open(kind, { timeoutMs: 5000 });
      const outcome = await jobs.run(bench.work);
      assert.deepEqual([server.jobs.length, jobs.isOn(), jobs.trouble().failures], [2, false, 2]);
      assert.ok(server.jobs.every(({ cancelled }) => cancelled));
      assert.deepEqual(
        server.jobs.map(({ inputs }) => inputs.length),
        [4, 3],
        "what the first had done is kept",
      );
      assert.deepEqual([...bench.kept.keys()], ["hash-0", "hash-1"]);
      assert.deepEqual([outcome.pending.size, bench.jobs()], [0, []]);
      assert.match(jobs.trouble().last ?? "", /was not done within 0.08 minutes/);
    });

    test("that take too long once may succeed the second time", async () => {
      const bench = makeWork(4);
      server.view = (job) => (server.jobs.length === 1 ? { status: "running" } : completeAtSecondLook(job));
      const jobs = open(kind, { timeoutMs: 5000 });
      await jobs.run(bench.work);
      assertKept(bench);
      assert.deepEqual([server.jobs.length, jobs.isOn(), jobs.trouble().failures], [2, true, 0]);
    });

    test("that the service no longer knows are given up", async () => {
      const bench = makeWork(3);
      server.intercept = ({ path, method }, response) =>
        method === "GET" && path.startsWith("batches/") && refuse(404, "No such batch")(response);
      const jobs = open(kind);
      const outcome = await jobs.run(bench.work);
      assert.deepEqual([outcome.pending.size, bench.jobs(), jobs.trouble().failures], [0, [], 1]);
    });

    test("that the service refuses to describe stay recorded, but are not waited for", async () => {
      const bench = makeWork(3);
      server.intercept = ({ path, method }, response) =>
        method === "GET" && path.startsWith("batches/") && refuse(403, "Not yours")(response);
      const jobs = open(kind);
      const outcome = await jobs.run(bench.work);
      assert.deepEqual([outcome.pending.size, bench.jobs().length, jobs.trouble().failures], [0, 1, 1]);
      server.intercept = () => false;
      await open(kind).run(bench.work);
      assertKept(bench);
      assert.equal(server.jobs.length, 1);
    });

    test("end in time when the service hangs", async () => {
      const bench = makeWork(3);
      server.intercept = ({ path, method }) => method === "GET" && path.startsWith("batches/");
      const clock = { ...makeClock(), sleep: systemClock.sleep, nowMs: Date.now };
      const jobs = open(kind, {
        clock,
        pollIntervalMs: 10,
        timeoutMs: 100,
        deadlineMs: {
          // Only hanging requests have a short deadline: on a busy machine, creating a job takes a while.
          get call() {
            return bench.jobs().some(({ id }) => id !== null) ? 250 : 60_000;
          },
          transfer: 60_000,
        },
      });
      await jobs.run(bench.work);
      assert.deepEqual([jobs.isOn(), bench.jobs(), server.jobs.length], [false, [], 2]);
    });

    test("mask likely secrets, and cut long texts", async () => {
      const bench = makeWork(3);
      bench.texts.set("hash-0", "our key is AKIAIOSFODNN7EXAMPLE, do not tell");
      bench.texts.set("hash-1", "long ".repeat(60_000));
      bench.texts.set("hash-blank", "  \n ");
      await open(kind).run(bench.work);
      const sent = server.jobs[0]!.inputs.map(({ text }) => text);
      assert.match(sent[0]!, /\[redacted/);
      assert.ok(!sent[0]!.includes("AKIA") && sent[1]!.length < 200_000);
      assert.deepEqual([sent.length, bench.kept.get("hash-blank")], [3, []]);
    });
  });
}

suite("Batch jobs", () => {
  test("are as large as the service allows, and at most as many at once as configured", async () => {
    const bench = makeWork(16);
    const clock = makeClock();
    const facts: ProviderFacts = {
      provider: "openai",
      baseUrl: server.baseUrl("openai"),
      models: { "some-model": { dimensions: 8, usdPerMillionTokens: 1 } },
      limits: { items: 1, inputTokens: 8000 },
      keyVariable: "SOME_KEY",
      authorise: (key) => ["authorization", key],
    };
    const jobs = createBatchJobs({
      settings: { minTexts: 3, wait: true, concurrency: 2, pollIntervalMs: 1000, timeoutMs: 60_000 },
      access: createHttpAccess(facts, { apiKey: hide(canaries.key) }),
      createAdapter: (access, wire) => ({
        ...createOpenAiBatches(access, wire),
        limits: { items: 5, bytes: 10_000 },
      }),
      clock,
      nowMs: clock.nowMs,
    });
    // The first ends only once the second exists, so they must run concurrently.
    server.view = (job) => (server.jobs.length === 1 ? { status: "running" } : completeAtSecondLook(job));
    await jobs.run(bench.work);
    assert.deepEqual(
      server.jobs.map(({ inputs }) => inputs.length),
      [5, 5, 5],
      "the last one is too few for a job",
    );
    assert.deepEqual([server.maxConcurrent, bench.kept.size], [2, 15]);
    const { tokens, costUsd } = jobs.usage();
    assert.deepEqual([tokens, costUsd], [150, (150 / 1e6) * 0.5]);
  });

  test("of Gemini are files when they are large", async () => {
    const bench = makeWork(201);
    await open("gemini").run(bench.work);
    assertKept(bench);
    const paths = server.requests.map(({ url }) => new URL(url, "http://x").pathname);
    assert.equal(paths[0], "/gemini/upload/v1/files");
    assert.match(server.requests[0]!.headers["content-type"] ?? "", /^multipart\/related; boundary=/);
    assert.match(paths.at(-1)!, /^\/gemini\/download\/v1\/files\/.*:download$/);
    assert.match(server.requests.at(-1)!.url, /alt=media/);
    const { inputConfig } = server.jobs[0]!.order["batch"] as { inputConfig: { fileName: string } };
    assert.match(inputConfig.fileName, /^files\/file-\d+$/);
  });

  test("pass on the reason that the service gives for a text, wherever it is in the response", async () => {
    for (const [said, response] of [
      ["nested reason", { status_code: 400, body: { error: { message: "nested reason" } } }],
      ["plain reason", { status_code: 500, body: "plain reason" }],
      ["no vector came back", { status_code: 500, body: " " }],
    ] as const) {
      const bench = makeWork(3);
      server.view = (job) => ({
        status: "completed",
        output: server
          .results(job)
          .filter((_, index) => index !== 1)
          .join(""),
        errors: `${JSON.stringify({ id: job.id, custom_id: "1", response, error: null })}\n`,
      });
      const jobs = open("openai");
      await jobs.run(bench.work);
      assert.match(jobs.trouble().last ?? "", new RegExp(`1 of 3 texts without a vector: ${said}`));
    }
  });

  test("beyond the limit hold the remaining texts back if they are not waited for", async () => {
    const bench = makeWork(3);
    server.view = () => ({ status: "running" });
    const jobs = open("openai", { wait: false, concurrency: 1 });
    await jobs.run(bench.work);
    for (let index = 0; index < 5; index++) bench.texts.set(`more-${index}`, `more ${index}`);
    const outcome = await jobs.run(bench.work);
    assert.deepEqual([outcome.pending.size, outcome.holdsRest, server.jobs.length], [3, true, 1]);
  });

  test("whose file is truncated are read again, and keep what was read", async () => {
    const bench = makeWork(600);
    let reads = 0;
    server.intercept = ({ path }, response) => {
      if (!path.endsWith("/content") || ++reads > 2) return false;
      const lines = server.results(server.jobs[0]!);
      const text = lines.slice(0, reads * 260).join("");
      response.writeHead(200, { "content-length": String(text.length + 1000) });
      response.write(text, () => response.socket?.resetAndDestroy());
      return true;
    };
    await open("openai").run(bench.work);
    assertKept(bench);
    assert.deepEqual([reads, server.jobs.length], [3, 1]);
  });

  test("whose texts got vectors in the meantime are stopped and removed from the record", async () => {
    const bench = makeWork(3);
    server.view = () => ({ status: "running" });
    await open("openai", { wait: false }).run(bench.work);
    for (const hash of bench.texts.keys()) bench.kept.set(hash, []);
    await open("openai", { wait: false }).run(bench.work);
    assert.deepEqual([server.jobs[0]!.cancelled, bench.jobs()], [true, []]);
  });

  test("that may have started are not started again", async () => {
    const bench = makeWork(3);
    server.intercept = ({ path }, response) => {
      if (path !== "batches") return false;
      response.socket?.resetAndDestroy();
      return true;
    };
    const jobs = open("openai");
    const outcome = await jobs.run(bench.work);
    assert.deepEqual([outcome.pending.size, bench.jobs()[0]?.id], [3, null]);
    const again = await jobs.run(bench.work);
    assert.equal(again.pending.size, 3);
    assert.match(jobs.trouble().last ?? "", /it is not known whether a batch job was started/);
    server.intercept = () => false;
    await open("openai").run(bench.work);
    assertKept(bench);
    assert.equal(server.jobs.length, 1);
  });

  test("that another process has started stay recorded", async () => {
    const bench = makeWork(3);
    const other: JobRecord = {
      name: "longhand-other",
      id: "batch_other",
      hashes: ["elsewhere"],
      tokens: 1,
      since: new Date().toISOString(),
      attempt: 1,
    };
    server.view = (job) => {
      if (job.looks === 1) void bench.work.ledger.write([...bench.jobs(), other]);
      return completeAtSecondLook(job);
    };
    await open("openai").run(bench.work);
    assertKept(bench);
    assert.deepEqual(bench.jobs(), [other]);
  });

  test("pass on the store's verdict on their vectors, and its failures", async () => {
    const invalid = Object.assign(new Error("no"), { code: "ENOSPC" });
    const bench = makeWork(3, {
      keep: async () => {
        throw invalid;
      },
    });
    await assert.rejects(
      open("openai").run(bench.work),
      (error: LonghandError) => error === (invalid as unknown),
    );
    assert.equal(bench.jobs().length, 1, "what is paid for is collected by a later run");
  });
});
