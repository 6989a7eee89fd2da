/**
 * `npm run test:hosts`: the real agent hosts against a scripted model on loopback. `--only NAMES` takes some of them,
 * `--write` puts the result into docs/hosts.md, `--if-possible` skips hosts that cannot be installed. `--compactions N`
 * checks nothing but N compactions of each, and counts those whose decision reached the notes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { buildIfStale } from "../../scripts/fresh-build.ts";
import { programArguments } from "../../scripts/program-arguments.ts";
import { type HostEntry, hostList } from "../../src/hosts/host-list.ts";
import { checkHost, type HostResult, repeatCompaction } from "./check-host.ts";
import { checkTitles } from "./check-titles.ts";
import { drivers } from "./drivers.ts";
import { installHost } from "./install-hosts.ts";

const root = join(import.meta.dirname, "..", "..");
const { values } = programArguments(import.meta.filename, {
  options: {
    only: { type: "string" },
    write: { type: "boolean", default: false },
    "if-possible": { type: "boolean", default: false },
    compactions: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

// The complete build: the folder is also what is packed.
buildIfStale();

const wanted = values.only?.split(",");
const tried: readonly HostEntry[] = hostList.filter(
  ({ name }) => name in drivers && (wanted === undefined || wanted.includes(name)),
);
const results: HostResult[] = [];
/** The load of the machine: on a busy one, some hosts give up waiting for what they start. */
const loads = [loadavg()[0]!];
for (const host of tried) {
  const installed = installHost(host);
  if ("problem" in installed) {
    console.log(`skipped: ${host.title} ${host.tested?.version}: ${installed.problem}`);
    if (!values["if-possible"]) process.exitCode = 1;
    continue;
  }
  if (values.compactions !== undefined) {
    await countCompactions(host, installed.bin, Number(values.compactions));
    continue;
  }
  const began = performance.now();
  const result = await checkHost(host, installed.bin);
  results.push(result);
  loads.push(loadavg()[0]!);
  console.log(`${host.title} ${result.version} (${((performance.now() - began) / 1000).toFixed(0)} s)`);
  for (const [name, title] of Object.entries(checkTitles)) {
    const check = result.checks[name as keyof typeof checkTitles];
    if (check === undefined) continue;
    console.log(
      `  ${check.ok ? "ok" : "FAILED"}  ${title}${check.ok && !values.verbose ? "" : `: ${check.detail}`}`,
    );
    if (!check.ok) process.exitCode = 1;
  }
}

if (values.write) {
  const day = new Date().toISOString().slice(0, 10);
  const table = results.map(({ name, version, checks }) => ({
    name,
    version,
    checks: Object.fromEntries(Object.entries(checks).map(([check, { ok }]) => [check, ok])),
  }));
  // `npm run docs` generates docs/hosts.md from it.
  const file = join(root, "test", "hosts", "results.json");
  const before = JSON.parse(readFileSync(file, "utf8")) as {
    day: string;
    load: Load;
    hosts: typeof table;
  };
  // Runs of some hosts on one day are merged into one table.
  const others =
    before.day === day ? before.hosts.filter(({ name }) => !table.some((host) => host.name === name)) : [];
  const load = rangeOf(others.length === 0 ? loads : [...Object.values(before.load), ...loads]);
  const order = hostList.map(({ name }): string => name);
  const hosts = [...others, ...table].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  writeFileSync(file, `${JSON.stringify({ day, load, cores: availableParallelism(), hosts }, null, 2)}\n`);
}

interface Load {
  readonly least: number;
  readonly greatest: number;
}

function rangeOf(numbers: readonly number[]): Load {
  return { least: Math.round(Math.min(...numbers)), greatest: Math.round(Math.max(...numbers)) };
}

async function countCompactions(host: HostEntry, bin: string, times: number): Promise<void> {
  let kept = 0;
  let all = 0;
  let voids = 0;
  for await (const { ok, isVoid, detail } of repeatCompaction(host, bin, times)) {
    if (isVoid) {
      voids += 1;
      console.log(`  not counted: ${detail}`);
      continue;
    }
    all += 1;
    if (ok) kept += 1;
    console.log(`  ${all} of ${times}: ${ok ? "kept" : `FAILED: ${detail}`}`);
    loads.push(loadavg()[0]!);
  }
  const { least, greatest } = rangeOf(loads);
  console.log(
    `${host.title} ${host.tested?.version}: ${kept} of ${all} compactions kept, load ${least} to ${greatest}${voids === 0 ? "" : `; ${voids} more runs without one`}`,
  );
  if (kept < times) process.exitCode = 1;
}
