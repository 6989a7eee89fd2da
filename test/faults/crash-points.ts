import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../src/eval/compare.ts";
import { checkConsolidated, writeDisorder } from "./consolidated.ts";
import type { Acknowledged } from "./entries.ts";
import { createTally, type Fault, type FaultOptions, type FaultResult } from "./fault.ts";
import { type FaultFixture, makeFaultFixture } from "./fault-fixture.ts";
import { checkFlushed } from "./flushed.ts";
import { checkForgotten } from "./forgotten.ts";
import { startWorker, type Work } from "./processes.ts";
import { isLinux, lackOf } from "./programs.ts";

/** System calls that change files. */
const calls = ["pwrite64", "write", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "rmdir"];

interface Scene {
  readonly name: string;
  readonly work: Work;
  /** Creates the state in which the work begins. */
  readonly prepare: (fixture: FaultFixture) => Promise<void>;
}

const scenes: readonly Scene[] = [
  {
    name: "sync of changed notes",
    work: "sync",
    prepare: async ({ use }) => void (await use((memory) => memory.sync())),
  },
  { name: "first sync", work: "first-open", prepare: async () => {} },
  { name: "add", work: "add", prepare: async ({ use }) => void (await use((memory) => memory.sync())) },
];

const forgetScene: Scene = {
  name: "forget",
  work: "forget",
  prepare: async ({ use }) => void (await use((memory) => memory.sync())),
};

const consolidateScene: Scene = {
  name: "consolidate",
  work: "consolidate",
  async prepare({ write, use }) {
    writeDisorder(write);
    await use((memory) => memory.sync());
  },
};

const flushScene: Scene = {
  name: "flush",
  work: "flush",
  prepare: async ({ use }) => void (await use((memory) => memory.sync())),
};

interface Point {
  readonly scene: Scene;
  readonly call: string;
  readonly number: number;
}

export const crashPoints: Fault = {
  name: "crash-points",
  what: "kill -9 at every write, fsync, truncation, rename and removal of a first sync, a later one and an add",
  shortCycles: 2,
  longCycles: Number.POSITIVE_INFINITY,
  obstacle: lackOfStrace,
  run: (options) => runCrashPoints(options, scenes),
};

export const crashForget: Fault = {
  name: "crash-forget",
  what: "kill -9 at every write, fsync, truncation, rename and removal of a forget; after the next open no byte is left of what has gone from its note",
  shortCycles: 3,
  longCycles: Number.POSITIVE_INFINITY,
  obstacle: lackOfStrace,
  run: (options) => runCrashPoints(options, [forgetScene]),
};

export const crashConsolidate: Fault = {
  name: "crash-consolidate",
  what: "kill -9 at every write, fsync, truncation, rename and removal of a consolidation and its undo; after the next open every byte is there or can be had back",
  shortCycles: 3,
  longCycles: Number.POSITIVE_INFINITY,
  obstacle: lackOfStrace,
  run: (options) => runCrashPoints(options, [consolidateScene]),
};

export const crashFlush: Fault = {
  name: "crash-flush",
  what: "kill -9 at every write, fsync, truncation, rename and removal of a flush before a compaction; after the next start its sentence is in the notes once",
  shortCycles: 3,
  longCycles: Number.POSITIVE_INFINITY,
  obstacle: lackOfStrace,
  run: (options) => runCrashPoints(options, [flushScene]),
};

function lackOfStrace(): string | null {
  return (
    isLinux() ?? lackOf("strace", ["-o", "/dev/null", "-e", "inject=fsync:signal=SIGKILL:when=9999", "true"])
  );
}

async function runCrashPoints(options: FaultOptions, scenes: readonly Scene[]): Promise<FaultResult> {
  const { folder, seed } = options;
  const tally = createTally();
  const points: Point[] = [];
  const isShort = options.cycles < 100;
  for (const scene of isShort ? scenes.slice(0, 1) : scenes)
    points.push(...(await findPoints(scene, folder)));
  // Scenario by scenario, each in random order: a run that ends early reports what it has tried.
  const random = createRandom(seed);
  const order = points
    .map((point) => ({ point, at: scenes.indexOf(point.scene) + random() }))
    .sort((one, other) => one.at - other.at);
  let killed = 0;
  for (const cycle of tally.cycles({ ...options, cycles: Math.min(options.cycles, points.length) })) {
    const { scene, call, number } = order[cycle]!.point;
    const when = `${scene.name}, ${call} ${number}`;
    const { fixture, said, isKilled, stderr } = await runScene(scene, folder, [
      "-e",
      `inject=${call}:signal=SIGKILL:when=${number}`,
    ]);
    if (isKilled) killed++;
    else if (stderr !== "") tally.errors.push(`${when}: ${stderr.slice(0, 300)}`);
    const entries = said.flatMap((each) => ("kept" in each ? [each.kept] : "text" in each ? [each] : []));
    fixture.checkEntries(tally, when, entries as Acknowledged[]);
    const done = said.flatMap((each) => ("forgotten" in each ? each.forgotten : []));
    const begun = said.flatMap((each) => ("forgetting" in each ? each.forgetting : []));
    if (begun.length > 0) await checkForgotten(fixture, { done, begun, tally, when });
    const planted = said.flatMap((each) => ("planted" in each ? each.planted : []));
    for (const sentence of planted) await checkFlushed(fixture, { planted: sentence, tally, when });
    if (scene === consolidateScene) {
      await checkConsolidated(fixture, {
        original: join(folder, `prepared-${scene.work}`, "notes"),
        tally,
        when,
      });
    }
    await fixture.compare(tally, when);
  }
  const tried = order.slice(0, tally.result().cycles);
  const counts = [...Map.groupBy(order, ({ point }) => point.scene.name)].map(
    ([name, all]) =>
      `${name} ${tried.filter(({ point }) => point.scene.name === name).length} of ${all.length}`,
  );
  tally.notes.push(
    `points tried: ${counts.join(", ")}; killed at ${killed}, the others were not reached this time`,
  );
  return tally.result();
}

/** The calls of the main thread, which does all the writing. */
async function findPoints(scene: Scene, folder: string): Promise<Point[]> {
  const log = join(folder, "strace.log");
  // A warm-up: the first process of a new version also writes Node's compile cache.
  await runScene(scene, folder, ["-e", "trace=none"]);
  await runScene(scene, folder, ["-e", `trace=${calls.join(",")}`, "-o", log]);
  const lines = readFileSync(log, "utf8").split("\n");
  const main = /^(\d+) /.exec(lines[0] ?? "")?.[1];
  return calls.flatMap((call) => {
    const count = lines.filter(
      (line) => line.startsWith(`${main} `) && new RegExp(`^\\d+ +${call}\\(`).test(line),
    ).length;
    return Array.from({ length: count }, (_, index) => ({ scene, call, number: index + 1 }));
  });
}

type Said =
  | { readonly kept: Acknowledged }
  | Acknowledged
  | { readonly done: number }
  | { readonly forgetting: string }
  | { readonly forgotten: string }
  | { readonly planted: string };

/** Always in the same folder, because an index depends on its path; the prepared state is restored each time. */
async function runScene(scene: Scene, folder: string, strace: readonly string[]) {
  const [dir, prepared] = [join(folder, "scene"), join(folder, `prepared-${scene.work}`)];
  rmSync(dir, { recursive: true, force: true });
  if (existsSync(prepared)) cpSync(prepared, dir, { recursive: true });
  const fixture = makeFaultFixture(dir, { notes: 3 });
  if (!existsSync(prepared)) {
    writeFileSync(fixture.at("memory/log.md"), "# Log\n\nKept by hand.\n");
    await scene.prepare(fixture);
    cpSync(dir, prepared, { recursive: true });
  }
  const worker = startWorker({ under: ["strace", "-f", "-qq", "-o", "/dev/null", ...strace] });
  worker.begin(fixture.job({ work: scene.work, rounds: 1, seed: 5 }));
  const { signal, code, stderr } = await worker.ended;
  return { fixture, said: worker.said<Said>(), isKilled: signal === "SIGKILL" || code === 137, stderr };
}
