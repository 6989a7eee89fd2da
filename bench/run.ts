/**
 * `npm run bench`: measures every row of `bars.ts` against its reference, and exits with 1 if a limit is missed. Each
 * part runs in its own process, one after the other.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bars } from "./bars.ts";
import { curvePicture, updateBenchmarksPage } from "./benchmarks-page.ts";
import { ensureBuilt } from "./built-package.ts";
import { fullSizes, type PartName, type PartResult, parts, quickSizes, type Sizes } from "./parts.ts";
import { leastRest, lookAtRest, type Rest } from "./rest.ts";
import {
  type BenchResult,
  createResult,
  currentLoad,
  describeMachine,
  mergeResults,
  type Outcome,
  type ResultInput,
} from "./result.ts";
import { resultTable } from "./result-table.ts";
import { runModule } from "./run-module.ts";

const usage = `npm run bench -- [options]

  --quick          small sizes, under a minute; bars of time fail only when missed by 2×, twice
  --only PARTS     some parts, by comma: ${Object.keys(parts).join(", ")}
  --curve          also the curve from 1,000 chunks to 1,000,000 (minutes)
  --notes N        notes where there are 10,000; --chunks N: chunks where there are 100,000
  --json           print the result as JSON
  --write-docs     write it into docs/benchmarks.md (a full run)
`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    curve: { type: "boolean", default: false },
    notes: { type: "string" },
    chunks: { type: "string" },
    json: { type: "boolean", default: false },
    "write-docs": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const docs = join(import.meta.dirname, "..", "docs");

if (values.help) console.log(usage);
else await main();

async function main(): Promise<void> {
  const names = chooseParts();
  const sizes = chooseSizes();
  const hasOtherSizes = values.quick || values.notes !== undefined || values.chunks !== undefined;
  if (values["write-docs"] && hasOtherSizes) fail("--write-docs is for the sizes of the full run.");
  if (names.some((name) => "needsBuild" in parts[name])) ensureBuilt();
  const loadBefore = currentLoad();
  const began = performance.now();
  const outcomes: Outcome[] = [];
  let rest: Rest = { busyCores: 0, stolenShare: 0 };
  for (const name of names) {
    rest = leastRest(rest, await lookAtRest());
    outcomes.push(await measurePart(name, sizes));
  }
  const result = assess(outcomes, { loadBefore, rest, durationMs: performance.now() - began });
  console.log(values.json ? JSON.stringify(result, null, 2) : resultTable(result));
  if (result.curve && !hasOtherSizes) writePicture(result.curve.points);
  if (values["write-docs"]) writeDocs(result);
  if (!result.ok) process.exitCode = 1;
}

function chooseParts(): PartName[] {
  const all = Object.keys(parts) as PartName[];
  const only = values.only?.split(",").map((name) => name.trim());
  const unknown = only?.find((name) => !all.some((part) => part === name));
  if (unknown !== undefined) fail(`There is no part "${unknown}". There are: ${all.join(", ")}.`);
  const isWanted = (name: PartName): boolean =>
    only
      ? only.includes(name) || (name === "curve" && values.curve)
      : values.curve || !("isLong" in parts[name]);
  return all.filter(isWanted);
}

function chooseSizes(): Sizes {
  const sizes = values.quick ? quickSizes : fullSizes;
  const number = (text: string | undefined, otherwise: number): number => {
    if (text === undefined) return otherwise;
    if (!/^[1-9]\d{1,6}$/.test(text)) fail(`"${text}" is not a number from 10 to 9,999,999.`);
    return Number(text);
  };
  return {
    ...sizes,
    notes: number(values.notes, sizes.notes),
    vectorChunks: number(values.chunks, sizes.vectorChunks),
  };
}

function assess(
  outcomes: readonly Outcome[],
  { loadBefore, rest, durationMs }: Pick<ResultInput, "loadBefore" | "rest" | "durationMs">,
): BenchResult {
  return createResult({
    bars,
    outcomes,
    mode: values.quick ? "quick" : "full",
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    loadBefore,
    ...(rest && { rest }),
    durationMs,
  });
}

/** A missed limit is measured again: a busy moment misses it once, a slow program twice. */
async function measurePart(part: PartName, sizes: Sizes): Promise<Outcome> {
  const outcome = await runPart(part, sizes);
  const isFine = assess([outcome], { loadBefore: 0, durationMs: 0 }).ok;
  if (isFine || !values.quick) return outcome;
  process.stderr.write("once more: ");
  return await runPart(part, sizes);
}

async function runPart(part: PartName, sizes: Sizes): Promise<Outcome> {
  const began = performance.now();
  process.stderr.write(`${part}: ${parts[part].about} …`);
  try {
    const result = await runModule<PartResult>(`parts/${parts[part].file}`, sizes);
    process.stderr.write(` ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
    return { part, result };
  } catch (error) {
    process.stderr.write(" failed\n");
    return { part, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Parts that were not measured this time keep their figures, so that a single part can be measured again. */
function writeDocs(result: BenchResult): void {
  const page = join(docs, "benchmarks.md");
  const data = join(import.meta.dirname, "latest-result.json");
  const merged = mergeResults(JSON.parse(readFileSync(data, "utf8")) as BenchResult | null, result, bars);
  writeFileSync(data, `${JSON.stringify(merged, null, 2)}\n`);
  writeFileSync(page, updateBenchmarksPage(readFileSync(page, "utf8"), merged));
}

function writePicture(points: Parameters<typeof curvePicture>[0]): void {
  mkdirSync(join(docs, "images"), { recursive: true });
  writeFileSync(join(docs, "images", "scaling.svg"), curvePicture(points));
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
