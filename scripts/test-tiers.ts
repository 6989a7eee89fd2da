import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The tiers of the tests, each with its command: `npm test`, `npm run test:processes` and so on. */
export const tiers = ["unit", "quality", "processes", "page", "faults", "postgres"] as const;

export type Tier = (typeof tiers)[number];

const root = join(import.meta.dirname, "..");
// Imports in the source text of a child program count, too. The local model runs in its own process.
const startsProcesses =
  /^\s*(?:import\b|\}).* from "(?:node:child_process|[./\w-]*\/(?:support\/child-process|support\/run-cli|local-embedder)\.ts)"/m;
const needsServer = /^const \w+ = process\.env\["LONGHAND_TEST_POSTGRES_URL"\]/m;

/** The tier of a test file, which follows from its path and its imports. */
export function tierOf(file: string, text: string): Tier {
  if (file.startsWith("test/page/")) return "page";
  if (file.startsWith("test/faults/")) return "faults";
  // Only the gate runs in `npm test`: the others ask the same questions dozens of times.
  if (file.startsWith("quality/") && file !== "quality/gate.test.ts") return "quality";
  if (needsServer.test(text)) return "postgres";
  return file.startsWith("test/e2e/") || startsProcesses.test(text) ? "processes" : "unit";
}

/** Every test file of the repository, relative to its root, with its tier. */
export function listTests(): { readonly file: string; readonly tier: Tier }[] {
  return globSync("{src,test,quality,bench,scripts}/**/*.test.ts", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .sort()
    .map((file) => ({ file, tier: tierOf(file, readFileSync(join(root, file), "utf8")) }));
}
