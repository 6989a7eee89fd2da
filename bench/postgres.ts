/**
 * Many clients on one index: compares PostgreSQL with SQLite in one run, with the same notes, vectors, queries and load.
 * Notes are stored in groups, as a sync stores them. A client runs one hybrid query at a time, and stores a note in
 * every twentieth step. Each client is a process, unless `--processes` says how many processes they share; the clients
 * of a process share its connections. `--plain` compares with bare SQL on the same server (full-text search and
 * pgvector), without writes and with the `ef_search` that longhand uses, so that both find as much, and exits with 1 if
 * longhand misses its limits; `--effort` sets another `ef_search`, and `--rounds` measures both several times in turn
 * and compares the means. Bare SQL only asks; a search of longhand also cuts, scores and shows its hits. `--agents`
 * divides the chunks among that many agents, and `--partitions` the tables. Needs a server
 * (`scripts/postgres-server.sh start` prints the address of one); its CPU time is shown if it runs on this machine. The
 * data is removed afterwards, unless `--keep` is given; that prints an address for another run with `--at`.
 *
 *     node bench/postgres.ts --url postgresql://… [--chunks 100000] [--dims 768] [--clients 8] [--processes 8]
 *       [--seconds 15] [--only postgres|sqlite] [--plain] [--rounds 3] [--effort 40] [--agents 100] [--partitions 16] [--keep] [--at postgresql://…]
 */

import { fork } from "node:child_process";
import { once as onceEmitted } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programArguments } from "../scripts/program-arguments.ts";
import type { Embedder } from "../src/embedders/embedder.ts";
import { semanticSourceOf } from "../src/search/choose-query-embedder.ts";
import { createSearcher } from "../src/search/searcher.ts";
import { openPostgresStore } from "../src/stores/postgres/postgres-store.ts";
import { graphEffort } from "../src/stores/postgres/vectors-read.ts";
import { openSqliteStore } from "../src/stores/sqlite/sqlite-store.ts";
import type { FullStore } from "../src/stores/store.ts";
import { createGroup } from "../src/sync/group.ts";
import { once } from "../src/text/once.ts";
import { createAnalyzer } from "../src/text/words/analyze.ts";
import { createTestDatabase, runOn } from "../test/support/postgres.ts";
import { searchSettings } from "../test/support/search-fixture.ts";
import { createMadeUpNotes, type MadeUpNotes } from "./made-up-notes.ts";
import { megabytes } from "./megabytes.ts";
import { fillPlain, openPlain, type PlainOptions } from "./plain-postgres.ts";
import { findServerClock, type ServerClock } from "./server-clock.ts";

const { values } = programArguments(import.meta.filename, {
  options: {
    url: { type: "string", default: process.env["LONGHAND_TEST_POSTGRES_URL"] },
    chunks: { type: "string", default: "100000" },
    dims: { type: "string", default: "768" },
    clients: { type: "string", default: "8" },
    processes: { type: "string" },
    seconds: { type: "string", default: "15" },
    plain: { type: "boolean", default: false },
    rounds: { type: "string", default: "1" },
    effort: { type: "string" },
    agents: { type: "string", default: "1" },
    partitions: { type: "string" },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
    at: { type: "string" },
    client: { type: "string" },
    location: { type: "string" },
  },
});
const chunkCount = Number(values.chunks);
const dimensions = Number(values.dims);
const clientCount = Number(values.clients);
const processCount = Math.min(clientCount, Number(values.processes ?? clientCount));
const agentCount = Number(values.agents);
/** Connections per process, as longhand opens them; with many agents, per agent. */
const connections = agentCount === 1 ? 4 : 1;
/** The limits relative to bare SQL, with all clients: searches per second, and the p95 latency. */
const bars = { minThroughput: 1, maxP95: 1 };
const embedder = { id: "bench", provider: "bench", model: "bench" };
const notesAtOnce = 2048;
/** As a sync commits them. */
const vectorsPerPut = 256;
const stepsPerWrite = 20;
const recallQuestions = 20;
/** Searches of each process before the measurement, so that its code is compiled, as in a process that runs for long. */
const warmUp = { searches: 100, firstStep: 100_000 };
const limit = 24;
/** longhand compares at least 40 chunks, and asks the graph for twice as many. */
const effort = Number(values.effort ?? graphEffort(chunkCount / agentCount, 2 * Math.max(40, limit)));
const nearestOfQueries = once(findNearest);
const plainOptions: PlainOptions = { connections, dimensions, limit, effort };
const analyzer = createAnalyzer();

/** The results of all clients together. */
interface Load {
  readonly perSecond: number;
  readonly p95Ms: number;
}

interface Measured {
  readonly searchesMs: number[];
  readonly writesMs: number[];
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

/** A process of clients that is ready to measure. */
interface ReadyClients {
  measure(): Promise<Measured>;
}

type IndexLocation = { readonly driver: "postgres" | "sqlite" | "plain"; readonly at: string };

/** Shared by the clients of one process. */
interface Searched extends AsyncDisposable {
  search(question: string, vector: Float32Array): Promise<unknown>;
  /** Absent if only searches are compared. */
  put?(chunk: number): Promise<unknown>;
}

if (values.client !== undefined) {
  const location = JSON.parse(values.location!) as IndexLocation;
  await runClients(location, Number(values.client), clientCount);
  process.disconnect();
} else {
  await compare();
}

async function compare(): Promise<void> {
  console.log(`${chunkCount} chunks × ${dimensions} numbers, ${clientCount} clients`);
  const folder = mkdtempSync(join(tmpdir(), "longhand-bench-"));
  try {
    if (values.only !== "postgres") {
      const at = join(folder, "index.sqlite");
      await prepare({ driver: "sqlite", at }, async () => statSync(at).size);
      await measureClients({ driver: "sqlite", at });
    }
    if (values.only === "sqlite") return;
    if (values.url === undefined) throw new Error("--url is missing: name a PostgreSQL server");
    if (values.at !== undefined) return await measureServer(values.at);
    const database = await createTestDatabase(values.url);
    try {
      if (values.partitions !== undefined) {
        await using _ = await openStore({ driver: "postgres", at: database.url }, 0);
        await runOn(database.url, `SELECT longhand.partition_tables(${Number(values.partitions)})`);
      }
      await measureServer(database.url);
    } finally {
      if (values.keep) console.log(`  kept: --at ${database.url}`);
      else await database[Symbol.asyncDispose]();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureServer(at: string): Promise<void> {
  const sizeOf = async () => {
    const tables = await runOn(
      at,
      `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS size FROM pg_class
       WHERE relnamespace IN ('longhand'::regnamespace, to_regnamespace('longhand_parts')) AND relkind = 'r'
       ORDER BY size DESC LIMIT 5`,
    );
    for (const { name, size } of tables) console.log(`    ${name}: ${megabytes(Number(size))} MB`);
    const [row] = await runOn(at, "SELECT pg_database_size(current_database())::float8 AS size");
    return Number(row?.["size"]);
  };
  const ours: IndexLocation = { driver: "postgres", at };
  const plain: IndexLocation = { driver: "plain", at };
  await prepare(ours, sizeOf);
  if (!values.plain) return void (await measureClients(ours));
  await preparePlain(at);
  // In turn, because other work on the machine comes and goes.
  const loads: { readonly ours: Load; readonly plain: Load }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    loads.push({ ours: await measureClients(ours), plain: await measureClients(plain) });
  }
  compareLoads(loads);
}

function compareLoads(loads: readonly { readonly ours: Load; readonly plain: Load }[]): void {
  const compare = (figure: keyof Load) => {
    const [ours, plain] = (["ours", "plain"] as const).map((which) =>
      loads.reduce((sum, load) => sum + load[which][figure], 0),
    );
    return ours! / plain!;
  };
  const [throughput, p95] = [compare("perSecond"), compare("p95Ms")];
  const isMet = throughput >= bars.minThroughput && p95 <= bars.maxP95;
  console.log(
    `${isMet ? "✓" : "✗"} ${clientCount} clients against bare SQL: ${throughput.toFixed(2)}× the searches per second ` +
      `(bar: at least ${bars.minThroughput}×), ${p95.toFixed(2)}× the p95 (at most ${bars.maxP95}×)`,
  );
  if (!isMet) process.exitCode = 1;
}

async function preparePlain(at: string): Promise<void> {
  console.log("plain: full-text search and pgvector in bare SQL");
  const [known] = await runOn(at, "SELECT to_regclass('plain.chunks') IS NOT NULL AS there");
  if (known?.["there"] !== true) {
    const began = performance.now();
    await fillPlain(at, { notes: createMadeUpNotes(dimensions), chunks: chunkCount, dimensions });
    console.log(`  filled ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
  await using index = await openPlain(at, plainOptions);
  const recall = await recallOf(async (query) =>
    (await index.nearest(query)).map((chunk) => `memory/${chunk}.md`),
  );
  console.log(`  ef_search ${plainOptions.effort}, recall@${limit} ${recall.toFixed(4)}`);
}

async function prepare(location: IndexLocation, sizeOf: () => Promise<number>): Promise<void> {
  console.log(location.driver);
  if (values.at === undefined) await fill(location);
  console.log(`  size ${megabytes(await sizeOf())} MB`);
  if (agentCount === 1) console.log(`  recall@${limit} ${(await measureRecall(location)).toFixed(4)}`);
}

/** Measures one client, and then all of them; returns the latter. */
async function measureClients(location: IndexLocation): Promise<Load> {
  const clock = location.driver === "sqlite" ? null : await findServerClock(location.at);
  await measureLoad(location, 1, clock);
  return await measureLoad(location, clientCount, clock);
}

async function measureLoad(
  location: IndexLocation,
  count: number,
  serverClock: ServerClock | null,
): Promise<Load> {
  const processes = count === 1 ? 1 : processCount;
  const each = Array.from({ length: processes }, (_, index) => Math.ceil((count - index) / processes));
  const ready = await Promise.all(each.map((clients, index) => startClients(location, index, clients)));
  const beganMs = serverClock?.() ?? 0;
  const measured = await Promise.all(ready.map(({ measure }) => measure()));
  const serverMs = (serverClock?.() ?? 0) - beganMs;
  const searches = measured.flatMap(({ searchesMs }) => searchesMs).sort((a, b) => a - b);
  const writes = measured.flatMap(({ writesMs }) => writesMs).sort((a, b) => a - b);
  const perSecond = measured.reduce(
    (sum, { searchesMs, elapsedMs }) => sum + (1000 * searchesMs.length) / elapsedMs,
    0,
  );
  const clientMs = measured.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const perSearch = (ms: number) => (ms / searches.length).toFixed(1);
  console.log(
    `  ${location.driver}, ${count} clients in ${processes} processes: ` +
      `search p50 ${at(searches, 0.5)} ms, p95 ${at(searches, 0.95)} ms, ${perSecond.toFixed(0)} a second` +
      (writes.length === 0 ? "" : `; put of a note p50 ${at(writes, 0.5)} ms, p95 ${at(writes, 0.95)} ms`) +
      `; CPU time per search: client ${perSearch(clientMs)} ms` +
      (serverClock === null ? "" : `, server ${perSearch(serverMs)} ms`),
  );
  return { perSecond, p95Ms: searches[Math.floor(0.95 * searches.length)] ?? Number.NaN };
}

/** Starts a process and warms it up; all then measure at the same time. */
async function startClients(location: IndexLocation, index: number, clients: number): Promise<ReadyClients> {
  const passed = (["chunks", "dims", "seconds", "agents"] as const).flatMap((name) => [
    `--${name}`,
    values[name],
  ]);
  const child = fork(import.meta.filename, [
    ...["--client", `${index}`, "--clients", `${clients}`, ...(values.plain ? ["--plain"] : [])],
    ...["--location", JSON.stringify(location), ...passed, "--effort", `${effort}`],
  ]);
  const failing = onceEmitted(child, "exit").then(([code]) => {
    throw new Error(`a process of clients ended with ${code}`);
  });
  failing.catch(() => {});
  await Promise.race([onceEmitted(child, "message"), failing]);
  return {
    async measure() {
      child.send("measure");
      const [measured] = await Promise.race([onceEmitted(child, "message"), failing]);
      return measured as Measured;
    },
  };
}

async function runClients(location: IndexLocation, processIndex: number, clients: number): Promise<void> {
  const agents = Math.min(clients, agentCount);
  await using opened = new AsyncDisposableStack();
  const searched: Searched[] = [];
  for (let agent = 0; agent < agents; agent++) {
    searched.push(opened.use(await openSearched(location, (processIndex * agents + agent) % agentCount)));
  }
  const notes = createMadeUpNotes(dimensions, 1000 + processIndex);
  const searchesMs: number[] = [];
  const writesMs: number[] = [];
  const question = (client: number, step: number): string =>
    notes.questionFor((7919 * (step + 1) * (client + 1)) % chunkCount);
  const compileAll = async (client: number): Promise<void> => {
    const { search } = searched[client % agents]!;
    for (let step = 0; step < warmUp.searches / clients; step++)
      await search(question(processIndex * 1000 + client, warmUp.firstStep + step), notes.vector());
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => compileAll(client)));
  process.send!("ready");
  await onceEmitted(process, "message");
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const endsAt = began + 1000 * Number(values.seconds);

  async function runClient(client: number): Promise<void> {
    const { search, put } = searched[client % agents]!;
    for (let step = 1; performance.now() < endsAt; step++) {
      const isWrite = put !== undefined && step % stepsPerWrite === 0;
      const startedMs = performance.now();
      if (isWrite) await put(chunkCount + client * 1_000_000 + step);
      else await search(question(client, step), notes.vector());
      (isWrite ? writesMs : searchesMs).push(performance.now() - startedMs);
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => runClient(processIndex * 1000 + index)));
  const { user, system } = process.cpuUsage(cpuBefore);
  const measured: Measured = {
    ...{ searchesMs, writesMs, elapsedMs: performance.now() - began },
    cpuMs: (user + system) / 1000,
  };
  process.send!(measured);
}

async function openSearched(location: IndexLocation, agent: number): Promise<Searched> {
  if (location.driver === "plain") return await openPlain(location.at, plainOptions);
  const store = await openStore(location, agent);
  const notes = createMadeUpNotes(dimensions);
  const vectors = new Map<string, Float32Array>();
  const { search } = createSearcher({
    store,
    analyzer,
    settings: searchSettings,
    semantic: semanticSourceOf({
      embedder: createStub((question) => vectors.get(question)!),
      waitMs: 1000,
      isHybrid: true,
      blend: { kind: "weighted", vectorWeight: 0.7, textWeight: 0.3 },
    }),
    today: () => "2026-11-15",
  });
  return {
    search: async (question, vector) => {
      vectors.set(question, vector);
      await search(question);
    },
    ...(values.plain ? {} : { put: (chunk: number) => store.put([notes.document(chunk)], "bench") }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Each agent has the next chunks. */
async function fill(location: IndexLocation): Promise<void> {
  const notes = createMadeUpNotes(dimensions);
  const spent = { put: 0, vectors: 0, graph: 0 };
  const tell = createProgress("filled");
  for (let agent = 0; agent < agentCount; agent++) {
    await using store = await openStore(location, agent);
    const [from, to] = [agent, agent + 1].map((each) => Math.floor((each * chunkCount) / agentCount));
    await fillAgent(store, notes, { from: from!, to: to! }, spent, tell);
  }
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  console.log(
    `  filled: words ${seconds(spent.put)} s, vectors ${seconds(spent.vectors)} s, index of vectors ${seconds(spent.graph)} s`,
  );
}

async function fillAgent(
  store: FullStore,
  notes: MadeUpNotes,
  { from, to }: { from: number; to: number },
  spent: { put: number; vectors: number; graph: number },
  tell: (done: number) => void,
): Promise<void> {
  const asOf = await store.documentState();
  const group = createGroup(store, { source: "memory", chunkerId: "bench", asOf });
  for (let first = from; first < to; first += notesAtOnce) {
    const count = Math.min(notesAtOnce, to - first);
    const documents = Array.from({ length: count }, (_, offset) => notes.document(first + offset));
    const entries = documents.map(({ chunks }) => ({ hash: chunks[0]!.hash, vectors: [notes.vector()] }));
    const began = performance.now();
    for (const document of documents) await group.put(document);
    await group.flush();
    const between = performance.now();
    for (let at = 0; at < count; at += vectorsPerPut) {
      await store.putVectors(embedder, entries.slice(at, at + vectorsPerPut), { vectorsPerText: "one" });
    }
    spent.put += between - began;
    spent.vectors += performance.now() - between;
    tell(first + count);
  }
  const began = performance.now();
  await store.collectGarbage(embedder);
  spent.graph += performance.now() - began;
}

/** The fraction of the nearest chunks that a search finds, as paths of notes. */
async function recallOf(search: (query: Float32Array) => Promise<readonly string[]>): Promise<number> {
  const queries = nearestOfQueries();
  let found = 0;
  for (const { query, best } of queries) {
    const paths = new Set(best.map(({ chunk }) => `memory/${chunk}.md`));
    found += (await search(query)).filter((path) => paths.has(path)).length;
  }
  return found / (queries.length * limit);
}

/** Regenerates the vectors in the order in which they were stored, and keeps only the best for each query. */
function findNearest() {
  const other = createMadeUpNotes(dimensions, 7);
  const questions = Array.from({ length: recallQuestions }, () => ({
    query: other.vector(),
    best: [] as { chunk: number; cosine: number }[],
  }));
  const notes = createMadeUpNotes(dimensions);
  const tell = createProgress("compared");
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    const vector = notes.vector();
    for (const { query, best } of questions) {
      const cosine = dot(vector, query);
      if (best.length === limit && cosine <= best[limit - 1]!.cosine) continue;
      if (best.length === limit) best.pop();
      best.push({ chunk, cosine });
      best.sort((a, b) => b.cosine - a.cosine);
    }
    tell(chunk + 1);
  }
  return questions;
}

async function measureRecall(location: IndexLocation): Promise<number> {
  await using store = await openStore(location, 0);
  return await recallOf(async (query) => {
    const { candidates } = await store.byVector(embedder.id, query, { limit });
    return (await store.chunks(candidates.map(({ id }) => id))).map(({ path }) => path);
  });
}

/** Prints a line for every twentieth of the work. */
function createProgress(what: string): (done: number) => void {
  let told = 0;
  return (done) => {
    const part = Math.floor((20 * done) / chunkCount);
    if (part === told) return;
    told = part;
    console.error(`  ${what} ${done} of ${chunkCount} chunks`);
  };
}

function openStore({ driver, at }: IndexLocation, agent: number): Promise<FullStore> {
  const parts = {
    analyzerId: analyzer.id,
    tokens: ({ text, path }: { text: string; path: string }) => ({
      body: analyzer.indexText(text),
      head: analyzer.indexText(path),
    }),
    maxCachedVectors: 2 * chunkCount,
  };
  return driver === "sqlite"
    ? openSqliteStore({ path: at, ...parts })
    : openPostgresStore({
        ...{
          url: at,
          place: "the server",
          owner: agentCount === 1 ? "bench" : `bench-${agent}`,
          maxConnections: connections,
        },
        ...parts,
      });
}

function createStub(vectorOf: (question: string) => Float32Array): Embedder {
  return {
    specificationVersion: 1,
    ...embedder,
    dimensions,
    maxBatch: 1,
    vectorsPerText: "one",
    embedDocuments: async () => [],
    embedQuery: async (question) => vectorOf(question),
    async [Symbol.asyncDispose]() {},
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1);
}
