import { join } from "node:path";

/** The process that `run-module.ts` starts. Run by hand, it prints: `… module-process.ts parts/curve.ts '{…}'`. */
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
process.once("disconnect", () => process.exit(1));
const [file = "", input = "{}"] = process.argv.slice(2);
const module = (await import(join(import.meta.dirname, file))) as {
  measure: (input: unknown) => Promise<unknown>;
};
const outcome = await module.measure(JSON.parse(input));
// Handles that a part left open must not keep the benchmark waiting.
if (process.send) process.send({ outcome }, () => process.exit());
else console.log(JSON.stringify(outcome, null, 2));
