import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConsolidationParts } from "../../src/consolidate/create-consolidation.ts";

/** The parts of a consolidation for a single process, without masking and recall counts. */
export const partsOfOneProcess = {
  readRecalls: async () => null,
  mask: async (text: string) => text,
  maxLongTermChars: 4000,
  archiveAfterDays: 180,
  alone: <T>(work: () => Promise<T>) => work(),
  tryAlone: () => ({ [Symbol.dispose]() {} }),
} satisfies Partial<ConsolidationParts>;

/** The bytes of every note, as Latin-1 text. Paths have slashes. */
export function readAllNotes(workspace: string): Record<string, string> {
  const names = readdirSync(workspace, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  return Object.fromEntries(
    names.sort().map((name) => [name.replaceAll("\\", "/"), readFileSync(join(workspace, name), "latin1")]),
  );
}
