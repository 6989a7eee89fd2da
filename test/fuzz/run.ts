import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { programArguments } from "../../scripts/program-arguments.ts";
import { suites } from "./suites.ts";

/** `npm run fuzz -- --seed S --count N --suite NAME`: prints one line per suite, and exits with 1 if one fails. */
const { values } = programArguments(import.meta.filename, {
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string" },
    suite: { type: "string" },
  },
});
const seed = Number(values.seed);
const chosen = Object.entries(suites).filter(([name]) => values.suite === undefined || name === values.suite);
if (chosen.length === 0) {
  console.error(`There is no suite ${values.suite}; there are ${Object.keys(suites).join(", ")}.`);
  process.exitCode = 2;
}
for (const [name, { run, full, counts }] of chosen) {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "longhand-fuzz-")));
  const startedAt = performance.now();
  try {
    const count = values.count === undefined ? full : Number(values.count);
    const { cases, failures, examples, remark } = await run({ seed, count, dir });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const told = remark === undefined ? "" : `; ${remark}`;
    console.log(
      `${name}: ${cases.toLocaleString("en-US")} cases, seed ${seed}, ${failures} ${counts}, ${seconds} s${told}`,
    );
    for (const example of examples) console.log(`  ${example}`);
    if (failures > 0) process.exitCode = 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
