import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createSlices, sliceMs } from "../timing.ts";
import type { Prepared, PrepareRequest } from "./prepare.ts";
import { createEarlyPool, type Preparer, prepareAhead, type WorkerPool } from "./prepare-ahead.ts";

const requests: readonly PrepareRequest[] = Array.from({ length: 500 }, (_, number) => ({
  path: `memory/${number}.md`,
  before: undefined,
  force: false,
}));

const outcome = ({ path }: PrepareRequest, by: string): Prepared => ({
  kind: "same",
  version: `${path} ${by}`,
});

function createPool(preparers: readonly Partial<Preparer>[]): WorkerPool & { stopped: number } {
  const workers = {
    source: "memory" as const,
    minDocuments: 100,
    stopped: 0,
    start: () =>
      preparers.map((preparer) => ({
        prepare: async (batch: readonly PrepareRequest[]) => batch.map((each) => outcome(each, "preparer")),
        stop: () => {
          workers.stopped++;
        },
        ...preparer,
      })),
  };
  return workers;
}

async function run(
  workers: WorkerPool | undefined,
  { only = requests, stopAt = Number.POSITIVE_INFINITY, patienceMs = 60_000 } = {},
) {
  const paths: string[] = [];
  const makers = new Set<string>();
  const inPlace = async (request: PrepareRequest) => outcome(request, "here");
  const parts = { inPlace, workers, slices: createSlices(sliceMs), signal: undefined, patienceMs };
  for await (const { path, prepared } of prepareAhead(only, parts)) {
    paths.push(path);
    assert.ok(prepared.kind === "same" && prepared.version.startsWith(`${path} `));
    makers.add(prepared.version.slice(path.length + 1));
    if (paths.length === stopAt) break;
  }
  return { paths, makers: [...makers].sort() };
}

const expected = requests.map(({ path }) => path);

suite("prepareAhead", () => {
  test("yields all documents in order, whichever thread prepares them", async () => {
    const workers = createPool([{}, { prepare: slowly }]);
    const { paths, makers } = await run(workers);
    assert.deepEqual(paths, expected);
    assert.ok(makers.includes("preparer"));
    assert.equal(workers.stopped, 2);
  });

  test("gives a worker that has answered the next batch", async () => {
    let batches = 0;
    const prepare = async (batch: readonly PrepareRequest[]) => {
      batches++;
      return batch.map((each) => outcome(each, "preparer"));
    };
    const { makers } = await run(createPool([{ prepare }]));
    assert.deepEqual([batches, makers], [32, ["preparer"]], "all of them, since it is never behind");
  });

  test("gives the first batches to all preparers in turns", async () => {
    const asked: string[] = [];
    const named = (name: string): Partial<Preparer> => ({
      async prepare(batch) {
        asked.push(name);
        return await slowly(batch);
      },
    });
    await run(createPool(["a", "b", "c"].map(named)));
    assert.deepEqual(asked.slice(0, 6), ["a", "b", "c", "a", "b", "c"]);
  });

  test("starts no workers for a few documents", async () => {
    const workers = createPool([{}]);
    const { paths, makers } = await run(workers, { only: requests.slice(0, 99) });
    assert.deepEqual([paths.length, makers, workers.stopped], [99, ["here"], 0]);
  });

  test("starts workers for changed documents only once they prove to be changed", async () => {
    const before = { version: "1", hash: "h", chunker: "c" };
    const changed = requests.map((request) => ({ ...request, before }));
    const workers = createPool([{}]);
    const { paths, makers } = await run(workers, { only: changed });
    assert.deepEqual([paths, makers, workers.stopped], [expected, ["here"], 0]);

    const inPlace = async (): Promise<Prepared> => ({ kind: "gone" });
    const parts = { inPlace, workers, slices: createSlices(sliceMs), signal: undefined };
    const kinds: string[] = [];
    for await (const { prepared } of prepareAhead(changed, parts)) kinds.push(prepared.kind);
    assert.deepEqual(kinds.slice(0, 2), ["gone", "same"]);
    assert.deepEqual([kinds.length, workers.stopped], [changed.length, 1]);
  });

  test("prepares in this thread what a preparer could not, and everything without preparers", async () => {
    const broken = { prepare: () => Promise.reject(new Error("no thread")) };
    for (const preparers of [[broken], [broken, broken], [], [broken, {}]]) {
      assert.deepEqual((await run(createPool(preparers))).paths, expected);
    }
  });

  test("prepares in this thread once preparers have been slow for long", async () => {
    const { promise: helped, resolve: help } = Promise.withResolvers<void>();
    const late: Partial<Preparer> = {
      async prepare(batch) {
        await helped;
        return batch.map((each) => outcome(each, "preparer"));
      },
    };
    const isFromHere = new Set<boolean>();
    const inPlace = async (request: PrepareRequest) => {
      help();
      return outcome(request, "here");
    };
    const workers = createPool([late]);
    const parts = { inPlace, workers, slices: createSlices(sliceMs), signal: undefined, patienceMs: 1 };
    for await (const { prepared } of prepareAhead(requests, parts)) {
      isFromHere.add(prepared.kind === "same" && prepared.version.endsWith("here"));
    }
    assert.deepEqual([...isFromHere].sort(), [false, true]);
  });

  test("waits for preparers that are a little slow", async () => {
    const { paths, makers } = await run(createPool([{ prepare: slowly }]));
    assert.deepEqual([paths, makers], [expected, ["preparer"]]);
  });

  test("ends when it is cancelled while a preparer does not answer", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const silent: Partial<Preparer> = {
      prepare: () => {
        controller.abort();
        return new Promise(() => {});
      },
    };
    const workers = createPool([silent]);
    const inPlace = async (request: PrepareRequest) => outcome(request, "here");
    const parts = { inPlace, workers, slices: createSlices(sliceMs), signal, patienceMs: 60_000 };
    await assert.rejects(prepareAhead(requests, parts).next(), { code: "aborted" });
    assert.equal(workers.stopped, 1);
  });

  test("lets the caller do something else before it waits, and only then", async () => {
    const calls = async (preparer: Partial<Preparer>): Promise<number[]> => {
      const given: number[] = [];
      let count = 0;
      const beforeWaiting = async () => void given.push(count);
      const inPlace = async (request: PrepareRequest) => outcome(request, "here");
      const parts = {
        inPlace,
        workers: createPool([preparer]),
        slices: createSlices(sliceMs),
        beforeWaiting,
      };
      for await (const _ of prepareAhead(requests, { ...parts, signal: undefined })) count++;
      assert.equal(count, requests.length);
      return given;
    };
    const whenSlow = await calls({ prepare: slowly });
    assert.ok(whenSlow.length > 1, "once per wait");
    assert.deepEqual(
      whenSlow,
      whenSlow.toSorted((left, right) => left - right),
    );
    assert.ok(
      whenSlow.every((count) => count % 16 === 0),
      "between batches",
    );
    assert.deepEqual(await calls({}), [], "an answer is always there");
  });

  test("uses workers that started early, once, and stops them if they are not used", () => {
    const started: Preparer[][] = [];
    const pool = createPool([{}, {}]);
    const start = (): Preparer[] => {
      started.push(pool.start() as Preparer[]);
      return started.at(-1)!;
    };
    {
      using early = createEarlyPool({ ...pool, start });
      early.startEarly();
      early.startEarly();
      assert.equal(started.length, 1);
      assert.equal(early.start(), started[0]);
      assert.equal(early.start(), started[1], "others for the next documents");
    }
    assert.equal(pool.stopped, 0, "who was given them stops them");
    {
      using early = createEarlyPool({ ...pool, start });
      early.startEarly();
    }
    assert.equal(pool.stopped, 2);
  });

  test("prepares large documents ahead only as far as they fit in memory", async () => {
    const sizeBytes = 2_000_000;
    const large = requests.slice(0, 150).map((request) => ({ ...request, sizeBytes }));
    let [asked, given, most] = [0, 0, 0];
    const count = (documents: number): void => {
      asked += documents;
      most = Math.max(most, asked - given);
    };
    const workers = createPool([
      {
        async prepare(batch) {
          count(batch.length);
          return await slowly(batch);
        },
      },
    ]);
    const inPlace = async (request: PrepareRequest) => {
      count(1);
      return outcome(request, "here");
    };
    const parts = { inPlace, workers, slices: createSlices(sliceMs), signal: undefined };
    for await (const { path } of prepareAhead(large, parts)) assert.equal(path, expected[given++]);
    assert.equal(given, large.length);
    assert.ok(most >= 2 && most * sizeBytes <= 12_000_000, `${most} documents were held`);
  });

  test("stops the preparers when the caller stops, and when it is cancelled", async () => {
    const workers = createPool([{ prepare: slowly }, {}]);
    await run(workers, { stopAt: 20 });
    assert.equal(workers.stopped, 2);
    const parts = {
      inPlace: async (request: PrepareRequest) => outcome(request, "here"),
      slices: createSlices(sliceMs),
      workers,
      signal: AbortSignal.abort(),
    };
    await assert.rejects(() => prepareAhead(requests, parts).next(), { code: "aborted" });
    assert.equal(workers.stopped, 4);
  });
});

async function slowly(batch: readonly PrepareRequest[]): Promise<readonly Prepared[]> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  return batch.map((each) => outcome(each, "preparer"));
}
