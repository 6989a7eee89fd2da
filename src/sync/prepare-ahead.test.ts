import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createPace } from "./pace.ts";
import type { Prepared, PrepareRequest } from "./prepare.ts";
import { type Crew, type Preparer, prepareAhead } from "./prepare-ahead.ts";

const requests: readonly PrepareRequest[] = Array.from({ length: 500 }, (_, number) => ({
  path: `memory/${number}.md`,
  before: undefined,
  force: false,
}));

const outcome = ({ path }: PrepareRequest, by: string): Prepared => ({
  kind: "same",
  version: `${path} ${by}`,
});

function createCrew(preparers: readonly Partial<Preparer>[]): Crew & { stopped: number } {
  const crew = {
    source: "memory" as const,
    fewestDocuments: 100,
    stopped: 0,
    start: () =>
      preparers.map((preparer) => ({
        prepare: async (batch: readonly PrepareRequest[]) => batch.map((each) => outcome(each, "preparer")),
        stop: () => {
          crew.stopped++;
        },
        ...preparer,
      })),
  };
  return crew;
}

async function run(crew: Crew | undefined, { only = requests, stopAt = Number.POSITIVE_INFINITY } = {}) {
  const paths: string[] = [];
  const makers = new Set<string>();
  const inPlace = async (request: PrepareRequest) => outcome(request, "here");
  const parts = { inPlace, crew, pace: createPace(), signal: undefined };
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
  test("gives all documents in their order, whoever prepares them", async () => {
    const crew = createCrew([{}, { prepare: slowly }]);
    const { paths, makers } = await run(crew);
    assert.deepEqual(paths, expected);
    assert.ok(makers.includes("preparer"));
    assert.equal(crew.stopped, 2);
  });

  test("does not start a crew for a few documents", async () => {
    const crew = createCrew([{}]);
    const { paths, makers } = await run(crew, { only: requests.slice(0, 99) });
    assert.deepEqual([paths.length, makers, crew.stopped], [99, ["here"], 0]);
  });

  test("starts a crew for changed documents only once they prove to be changed", async () => {
    const before = { version: "1", hash: "h", chunker: "c" };
    const changed = requests.map((request) => ({ ...request, before }));
    const crew = createCrew([{}]);
    const { paths, makers } = await run(crew, { only: changed });
    assert.deepEqual([paths, makers, crew.stopped], [expected, ["here"], 0]);

    const inPlace = async (): Promise<Prepared> => ({ kind: "gone" });
    const parts = { inPlace, crew, pace: createPace(), signal: undefined };
    const kinds: string[] = [];
    for await (const { prepared } of prepareAhead(changed, parts)) kinds.push(prepared.kind);
    assert.deepEqual(kinds.slice(0, 2), ["gone", "same"]);
    assert.deepEqual([kinds.length, crew.stopped], [changed.length, 1]);
  });

  test("prepares here what a preparer could not, and all of it without preparers", async () => {
    const broken = { prepare: () => Promise.reject(new Error("no thread")) };
    for (const preparers of [[broken], [broken, broken], [], [broken, {}]]) {
      assert.deepEqual((await run(createCrew(preparers))).paths, expected);
    }
  });

  test("prepares here while preparers take long to start", async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    let isStarted = false;
    const late: Partial<Preparer> = {
      async prepare(batch) {
        // It starts once the caller has prepared all that it may hold.
        if (!isStarted) for (let turn = 0; turn < 200; turn++) await setImmediate();
        isStarted = true;
        start();
        await started;
        return batch.map((each) => outcome(each, "preparer"));
      },
    };
    const { paths, makers } = await run(createCrew([late]));
    assert.deepEqual([paths, makers], [expected, ["here", "preparer"]]);
  });

  test("prepares large documents ahead only as far as they fit in memory", async () => {
    const sizeBytes = 2_000_000;
    const large = requests.slice(0, 150).map((request) => ({ ...request, sizeBytes }));
    let [asked, given, most] = [0, 0, 0];
    const count = (documents: number): void => {
      asked += documents;
      most = Math.max(most, asked - given);
    };
    const crew = createCrew([
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
    const parts = { inPlace, crew, pace: createPace(), signal: undefined };
    for await (const { path } of prepareAhead(large, parts)) assert.equal(path, expected[given++]);
    assert.equal(given, large.length);
    assert.ok(most >= 2 && most * sizeBytes <= 12_000_000, `${most} documents were held`);
  });

  test("stops the preparers when the caller stops, and when it is cancelled", async () => {
    const crew = createCrew([{ prepare: slowly }, {}]);
    await run(crew, { stopAt: 20 });
    assert.equal(crew.stopped, 2);
    const parts = {
      inPlace: async (request: PrepareRequest) => outcome(request, "here"),
      pace: createPace(),
      crew,
      signal: AbortSignal.abort(),
    };
    await assert.rejects(() => prepareAhead(requests, parts).next(), { code: "aborted" });
    assert.equal(crew.stopped, 4);
  });
});

async function slowly(batch: readonly PrepareRequest[]): Promise<readonly Prepared[]> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  return batch.map((each) => outcome(each, "preparer"));
}
