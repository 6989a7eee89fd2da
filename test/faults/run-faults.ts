import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { programArguments } from "../../scripts/program-arguments.ts";
import { describeError, type Fault, type FaultResult } from "./fault.ts";
import { faults } from "./faults.ts";
import { type Row, renderRow, writeRows } from "./report.ts";

/*
 * npm run faults -- --minutes 30                     all of them, sharing the time
 * npm run faults -- --minutes 10 --only kill-add     one or some (repeat --only)
 * npm run faults -- --cycles 1000 --only kill-sync   overrides the number of cycles of the fault
 * With --write the figures are written to test/faults/FIGURES.md.
 */
const { values } = programArguments(import.meta.filename, {
  options: {
    minutes: { type: "string", default: "10" },
    only: { type: "string", multiple: true },
    seed: { type: "string", default: "1" },
    cycles: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const unknown = values.only?.filter((name) => !faults.some((fault) => fault.name === name)) ?? [];
if (unknown.length > 0 || !(minutes > 0) || !Number.isInteger(seed)) {
  console.error(`Choose from: ${faults.map(({ name }) => name).join(", ")}. Minutes and seed are numbers.`);
  process.exit(2);
}

const chosen = faults.filter(({ name }) => values.only?.includes(name) ?? true);
const endsAtMs = performance.now() + minutes * 60_000;
const rows: Row[] = [];
for (const [index, fault] of chosen.entries()) {
  const leftMs = Math.max(0, endsAtMs - performance.now());
  const row = await runOne(fault, performance.now() + leftMs / (chosen.length - index));
  rows.push(row);
  console.log(renderRow(row));
  for (const problem of row.problems.slice(0, 20)) console.log(`    ${problem}`);
}
if (values.write) writeRows(rows);
process.exitCode = rows.some(({ problems }) => problems.length > 0) ? 1 : 0;

async function runOne(fault: Fault, until: number): Promise<Row> {
  const cycles = Number(values.cycles ?? fault.longCycles);
  const options = values.cycles === undefined ? "" : ` --cycles ${values.cycles}`;
  const base = {
    name: fault.name,
    what: fault.what,
    command: `npm run faults -- --only ${fault.name} --minutes ${values.minutes}${options} --seed ${seed}`,
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`,
  };
  const obstacle = fault.obstacle?.() ?? null;
  if (obstacle !== null) return { ...base, result: `not run: ${obstacle}`, problems: [] };
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `longhand-${fault.name}-`)));
  mkdirSync(folder, { recursive: true });
  const beganMs = performance.now();
  try {
    const result = await fault.run({ seed, cycles, endsAtMs: until, timeFactor: 1, folder });
    return { ...base, result: summarise(result, performance.now() - beganMs), problems: problemsOf(result) };
  } catch (error) {
    return { ...base, result: "the run itself failed", problems: [describeError(error)] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function summarise({ cycles, losses, divergences, errors, notes }: FaultResult, durationMs: number): string {
  const counts = [
    `${cycles.toLocaleString("en-US")} ${cycles === 1 ? "cycle" : "cycles"}`,
    `${losses.length} lost`,
    `${divergences.length} divergent`,
    `${errors.length} errors`,
  ];
  return [counts.join(", "), ...notes, `${Math.round(durationMs / 1000)} s`].join("; ");
}

function problemsOf({ losses, divergences, errors }: FaultResult): string[] {
  const named = (kind: string, list: readonly string[]) => list.map((each) => `${kind}: ${each}`);
  return [...named("lost", losses), ...named("divergent", divergences), ...named("error", errors)];
}
