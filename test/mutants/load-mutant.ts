/** Imported before anything else by a process that is to see one source file changed. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { applyMutant, type Mutant } from "./mutant.ts";

const { url: mutated, mutant } = JSON.parse(process.env["LONGHAND_MUTANT"]!) as {
  url: string;
  mutant: Mutant;
};

registerHooks({
  load(url, context, next) {
    if (url !== mutated) return next(url, context);
    const source = applyMutant(readFileSync(new URL(url), "utf8"), mutant);
    return { source, format: "module-typescript", shortCircuit: true };
  },
});
