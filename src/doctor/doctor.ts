import { LonghandError, messageOf } from "../errors.ts";
import type { Check, CheckGroup, DoctorContext } from "./check.ts";
import { checkConfiguration, checkEnvironment, checkState } from "./environment-checks.ts";
import { checkHosts } from "./host-checks.ts";
import { checkBackend, checkEmbedder, checkEntries, checkIndex } from "./index-checks.ts";
import { checkConsolidation, checkContents, checkNotes } from "./notes-checks.ts";

/** In display order: what others depend on comes first. */
const checkGroups: Readonly<Record<string, CheckGroup>> = {
  environment: checkEnvironment,
  configuration: checkConfiguration,
  state: checkState,
  notes: checkNotes,
  index: checkIndex,
  backend: checkBackend,
  embedder: checkEmbedder,
  entries: checkEntries,
  consolidation: checkConsolidation,
  contents: checkContents,
  hosts: checkHosts,
};

export interface DoctorReport {
  readonly checks: readonly Check[];
}

/** Runs all checks. One that throws is a failed check. */
export async function runDoctor(
  context: DoctorContext,
  groups: Readonly<Record<string, CheckGroup>> = checkGroups,
): Promise<DoctorReport> {
  const checks: Check[] = [];
  for (const [name, group] of Object.entries(groups)) {
    try {
      checks.push(...(await group(context)));
    } catch (error) {
      const detail = `could not be checked: ${messageOf(error)}`;
      const hint = error instanceof LonghandError ? error.hint : "Report this with the output of --debug.";
      checks.push({ name, ok: false, detail, fix: hint });
    }
  }
  return { checks };
}
