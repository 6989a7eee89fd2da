import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeError, type Tally } from "./fault.ts";
import type { FaultFixture } from "./fault-fixture.ts";

/** Notes for which several kinds of steps are proposed, some of which create and delete files. */
export function writeDisorder(write: FaultFixture["write"]): void {
  write("memory/2020-01-01.md", "\ufeff- Rain.\r\n- The heating was loud.");
  write("memory/2020-02-01.md", "- Met Ana yesterday.\n- We decided to use CockroachDB for the ledger.\n");
  write(
    "memory/2020-02-02.md",
    "- we decided to use CockroachDB for the ledger\n- The ledger runs on port 8080.\n",
  );
  write("memory/2020-02-03.md", "- The ledger runs on port 9090 now.\r\n- Lunch tomorrow.");
}

/** Checks that notes are unchanged, or are so again after an undo, and that a killed process left nothing else. */
export async function checkConsolidated(
  fixture: FaultFixture,
  { original, tally, when }: { original: string; tally: Tally; when: string },
): Promise<void> {
  try {
    await fixture.use(async ({ consolidation, sync }) => {
      await sync();
      const applied = (await consolidation.receipts()).find(({ state }) => state === "applied");
      if (applied !== undefined) await consolidation.undo({ receipt: applied.id });
    });
  } catch (error) {
    tally.errors.push(`${when}: ${describeError(error)}`);
  }
  const [expected, found] = [readNotes(original), readNotes(fixture.workspace)];
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    if (expected.get(name) !== found.get(name)) tally.losses.push(`${when}: ${name} is not as it was`);
  }
}

function readNotes(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}
