import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { suite, type TestContext, test } from "node:test";
import type { PartialConfig } from "../../src/config/options.ts";
import type { SyncProgress } from "../../src/sync/sync.ts";
import { type BatchServer, openBatchServer } from "../support/batch-server.ts";
import { finish, firstOutput, startProgram } from "../support/child-process.ts";
import { type MemoryFixture, makeMemoryFixture, withMemorySearch } from "../support/memory-fixture.ts";
import { openCliFixture } from "../support/run-cli.ts";

const canaries = ["sk-canary-batch-4741", "canary-header-4742", "canary-query-4743"] as const;
const [key, header, query] = canaries;

const notes: Readonly<Record<string, string>> = Object.fromEntries([
  ["MEMORY.md", "# Memory\n\nThe deployment goes out on Friday.\n"],
  ...Array.from({ length: 9 }, (_, index) => [
    `memory/${index}.md`,
    `# N${index}\n\nFact number ${index}.\n`,
  ]),
]);

type Batch = NonNullable<NonNullable<NonNullable<Parameters<typeof withMemorySearch>[0]>["remote"]>["batch"]>;

async function setUp(t: TestContext, files: Readonly<Record<string, string>> = notes) {
  const server = await openBatchServer();
  t.after(() => server[Symbol.asyncDispose]());
  const fixture = makeMemoryFixture(t, files);
  const configFor = (batch: Batch = {}): PartialConfig =>
    withMemorySearch({
      provider: "openai",
      remote: {
        baseUrl: `${server.baseUrl("openai")}?token=${query}`,
        apiKey: key,
        headers: { "x-canary": header },
        batch: { enabled: true, minChunks: 4, pollIntervalMs: 10, ...batch },
      },
    });
  return { server, fixture, configFor };
}

function assertNoCanary({ stateDir }: Pick<MemoryFixture, "stateDir">, ...outputs: unknown[]): void {
  const texts = outputs.map((output) => (typeof output === "string" ? output : JSON.stringify(output)));
  for (const entry of readdirSync(stateDir, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) texts.push(readFileSync(path.join(entry.parentPath, entry.name)).toString("latin1"));
  }
  for (const canary of canaries) assert.ok(!texts.some((text) => text.includes(canary)), canary);
}

/** A separate process that syncs, and reports when it starts. */
function startSync(t: TestContext, fixture: MemoryFixture, config: PartialConfig) {
  const program = `
    import { openMemory } from ${JSON.stringify(new URL("../../src/memory/open-memory.ts", import.meta.url).href)};
    const [workspace, stateDir, config] = process.argv.slice(1).filter((each) => each !== "--");
    await using memory = await openMemory({ workspace, stateDir, config: JSON.parse(config) });
    console.log("begins");
    const report = await memory.sync();
    console.log(JSON.stringify(report));
  `;
  return startProgram(t, program, [fixture.workspace, fixture.stateDir, JSON.stringify(config)]);
}

/** Without the requests for queries. */
function notesIn(texts: readonly string[]): string[] {
  return texts.filter((text) => text.startsWith("#"));
}

/** Resolves when the server gets a matching request. */
function asked(server: BatchServer, fits: (method: string, path: string) => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { intercept } = server;
  server.intercept = (request, response) => {
    if (fits(request.method, request.path)) resolve();
    return intercept(request, response);
  };
  return promise;
}

suite("A memory with batch jobs", () => {
  test("embeds missing texts in one job, finds them by semantic search, and does nothing the second time", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    const memory = await fixture.open({ config: configFor() });
    const seen: SyncProgress[] = [];
    const report = await memory.sync({ progress: (state) => seen.push(state) });
    assert.deepEqual([report.embedded, report.degraded], [10, []]);
    assert.deepEqual([server.jobs.length, server.jobs[0]?.inputs.length, server.ordinary], [1, 10, []]);
    assert.ok(seen.some(({ label }) => label === "waiting for a batch job of openai"));
    const answer = await memory.search("Fact number 7");
    assert.deepEqual([answer.mode, answer.degraded], ["hybrid", []]);
    const { batch, embedding, dirty } = await memory.status();
    const { wait: _, concurrency, pollIntervalMs: __, timeoutMs, ...state } = batch;
    assert.deepEqual(state, { enabled: true, failures: 0, limit: 2, pending: [] });
    assert.deepEqual([concurrency, timeoutMs], [2, 3_600_000]);
    assert.deepEqual([embedding.missing, embedding.tokens, dirty], [0, 100, false]);
    const requests = server.requests.length;
    assert.equal((await memory.sync()).embedded, 0);
    assert.equal(server.requests.length, requests);

    fixture.write("memory/new.md", "# New\n\nA few more are sent as usual.\n");
    assert.equal((await memory.sync()).embedded, 1);
    assert.deepEqual([server.jobs.length, notesIn(server.ordinary).length], [1, 1]);
  });

  test("is off by default, and reports a provider without batch jobs", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    const memory = await fixture.open({ config: configFor({ enabled: false }) });
    assert.equal((await memory.sync()).embedded, 10);
    assert.equal(server.jobs.length, 0);
    assert.equal((await memory.status()).batch.enabled, false);
    const builtin = await fixture.open({
      config: withMemorySearch({ provider: "builtin", remote: { batch: { enabled: true } } }),
    });
    const { batch } = await builtin.status();
    assert.deepEqual([batch.enabled, batch.problem], [false, "the provider builtin has no batch jobs"]);
  });

  test("sends the texts that failed in a job in ordinary requests, in the same sync", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    server.view = (job) => ({
      status: "completed",
      output: server.results(job).slice(3).join(""),
      errors: server.errorLine(job, "0", `no, ${key}`),
    });
    const memory = await fixture.open({ config: configFor() });
    const report = await memory.sync();
    assert.deepEqual([report.embedded, report.degraded, server.jobs.length], [10, [], 1]);
    assert.equal(server.ordinary.length, 3);
    const { batch } = await memory.status();
    assert.deepEqual([batch.failures, batch.enabled], [0, true]);
    assert.match(batch.problem ?? "", /3 of 10 texts without a vector: no, \[secret\]/);
  });

  test("gives up after two failures in a row, and ordinary requests take over", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    server.view = () => ({ status: "failed", reason: `Bad file, ${header}` });
    const memory = await fixture.open({ config: configFor() });
    const report = await memory.sync();
    assert.deepEqual([report.embedded, server.jobs.length], [10, 1]);
    assert.deepEqual([(await memory.status()).batch.failures, server.ordinary.length], [1, 10]);
    for (let i = 0; i < 5; i++) fixture.write(`memory/again-${i}.md`, `# Again\n\nNumber ${i} of these.\n`);
    await memory.sync();
    const { batch } = await memory.status();
    assert.deepEqual([batch.enabled, batch.failures, server.jobs.length], [false, 2, 2]);
    assert.match(batch.problem ?? "", /failed with 5 of 5 texts without a vector: Bad file/);
    for (let i = 0; i < 5; i++) fixture.write(`memory/more-${i}.md`, `# More\n\nNumber ${i} of those.\n`);
    assert.equal((await memory.sync()).embedded, 5);
    assert.deepEqual([server.jobs.length, server.ordinary.length], [2, 20]);
    await memory.close();
    assertNoCanary(fixture, report, batch);
  });

  test("returns immediately if it need not wait, answers meanwhile, and a later process collects the job", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    server.view = () => ({ status: "running", done: 4 });
    const config = configFor({ wait: false });
    const first = await fixture.open({ config });
    const report = await first.sync();
    assert.deepEqual([report.embedded, server.jobs.length, server.ordinary], [0, 1, []]);
    assert.match(report.degraded.join(), /^10 texts wait for a batch job .* a later sync collects/);
    const answer = await first.search("Fact number 7");
    assert.equal(answer.results[0]?.path, "memory/7.md");
    assert.match(answer.degraded.join(), /10 texts wait for a batch job/);
    const { batch, dirty } = await first.status();
    assert.deepEqual([batch.pending.length, batch.pending[0]?.texts, dirty], [1, 10, true]);
    assert.equal(batch.pending[0]?.id, server.jobs[0]!.id);
    fixture.write("memory/new.md", "# New\n\nToo few for a job, so they are sent as usual.\n");
    await first.sync();
    assert.deepEqual(notesIn(server.ordinary), ["# New\n\nToo few for a job, so they are sent as usual."]);
    await first.close();

    server.view = (job) => ({ status: "completed", output: server.results(job).join("") });
    const second = await fixture.open({ config });
    const collected = await second.sync();
    assert.deepEqual([collected.embedded, collected.degraded], [10, []]);
    assert.deepEqual([server.jobs.length, notesIn(server.ordinary).length], [1, 1]);
    assert.deepEqual((await second.status()).batch.pending, []);
    await second.close();
    assertNoCanary(fixture, report, answer, batch, collected);
  });

  test("forgets a text for good, although a job with it is still running", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    server.view = () => ({ status: "running" });
    const memory = await fixture.open({ config: configFor({ wait: false }) });
    await memory.sync();
    const { removed } = await memory.forget({ path: "memory/7.md" });
    assert.equal(removed.length, 1);
    await memory.close();
    server.view = (job) => ({ status: "completed", output: server.results(job).join("") });
    const second = await fixture.open({ config: configFor({ wait: false }) });
    await second.sync();
    const { embedding, cache } = await second.status();
    assert.deepEqual([embedding.missing, embedding.texts, cache.entries], [0, 9, 9]);
    assert.equal(server.jobs[0]!.inputs.length, 10);
    assert.deepEqual(server.ordinary, []);
  });

  for (const moment of ["waits for it", "is about to write it down"] as const) {
    test(`resumes a job of a process that was killed while it ${moment}`, async (t) => {
      const { server, fixture, configFor } = await setUp(t);
      const config = configFor();
      server.view = () => ({ status: "running" });
      const waits = moment === "waits for it";
      if (!waits) {
        // The job exists, but its response never arrives.
        server.intercept = ({ method, path: asking, url, text, headers }) => {
          if (method !== "POST" || asking !== "batches" || headers["x-again"] !== undefined) return false;
          const address = new URL(url, new URL(server.baseUrl("openai")).origin);
          void fetch(address, { method, body: text, headers: { "x-again": "1" } });
          return true;
        };
      }
      const isThere = asked(server, (method, asking) =>
        waits ? method === "GET" && asking.startsWith("batches/") : method === "POST" && asking === "batches",
      );
      const child = startSync(t, fixture, config);
      const ended = finish(child);
      await isThere;
      while (server.jobs.length === 0) await new Promise((resolve) => setImmediate(resolve));
      child.kill("SIGKILL");
      assert.equal((await ended).signal, "SIGKILL");

      server.intercept = () => false;
      server.view = (job) => ({ status: "completed", output: server.results(job).join("") });
      const memory = await fixture.open({ config });
      const [pending] = (await memory.status()).batch.pending;
      assert.deepEqual([pending?.texts, pending?.id !== undefined], [10, waits]);
      const report = await memory.sync();
      assert.deepEqual([report.embedded, report.degraded], [10, []]);
      assert.deepEqual([server.jobs.length, server.ordinary], [1, []]);
      assert.equal(server.requests.filter(({ path: asking }) => asking === "files").length, 1);
    });
  }

  test("is started by one of two processes", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    const config = configFor();
    server.view = () => ({ status: "running" });
    const isThere = asked(server, (method, asking) => method === "GET" && asking.startsWith("batches/"));
    const first = startSync(t, fixture, config);
    const firstEnds = finish(first);
    await isThere;
    const second = startSync(t, fixture, config);
    const secondEnds = finish(second);
    await firstOutput(second);
    server.view = (job) => ({ status: "completed", output: server.results(job).join("") });
    const ends = await Promise.all([firstEnds, secondEnds]);
    assert.deepEqual(
      ends.map(({ code, stderr }) => [code, stderr]),
      [
        [0, ""],
        [0, ""],
      ],
    );
    assert.deepEqual([server.jobs.length, server.ordinary], [1, []]);
  });

  test("can be closed immediately while it waits", async (t) => {
    const { server, fixture, configFor } = await setUp(t);
    server.view = () => ({ status: "running" });
    const isThere = asked(server, (method, asking) => method === "GET" && asking.startsWith("batches/"));
    const memory = await fixture.open({ config: configFor({ pollIntervalMs: 60_000 }) });
    await memory.search("Friday");
    await isThere;
    const [job] = server.jobs;
    await memory.close();
    assert.equal(job!.cancelled, false, "a later sync collects it");
  });
});

suite("The command line with batch jobs", () => {
  test("shows running jobs and no key", async (t) => {
    const { server, configFor } = await setUp(t);
    const fixture = openCliFixture(t);
    for (const [name, text] of Object.entries(notes)) fixture.write(name, text);
    const configPath = fixture.write("config.json5", JSON.stringify(configFor({ wait: false })));
    const run = (...args: string[]) =>
      fixture.run("--workspace", fixture.project, "--config", configPath, ...args);
    server.view = () => ({ status: "running" });
    const outputs: string[] = [];
    for (const command of [["index"], ["status"], ["status", "--json"], ["search", "Friday", "--json"]]) {
      const { stdout, stderr, code } = await run(...command);
      assert.equal(code, 0, stderr);
      outputs.push(stdout, stderr);
    }
    assert.match(outputs.join("\n"), /10 texts wait for a batch job/);
    assert.match(outputs[2]!, /batch +1 job under way, 10 texts/);
    server.view = () => ({ status: "failed", reason: `Bad ${canaries.join(" ")}` });
    for (const command of [["index", "--json"], ["status"]]) {
      const { stdout, stderr } = await run(...command);
      outputs.push(stdout, stderr);
    }
    assert.match(outputs.at(-2)!, /state +up to date/);
    assertNoCanary(fixture, ...outputs);
  });
});
