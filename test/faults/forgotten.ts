import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tally } from "./fault.ts";
import type { FaultFixture } from "./fault-fixture.ts";

export interface ForgottenTexts {
  /** Texts of acknowledged forgets. */
  readonly done: readonly string[];
  /** Texts of all forgets that were started. */
  readonly begun: readonly string[];
  readonly tally: Tally;
  readonly when: string;
}

/**
 * Checks that nothing remains of text whose forget was acknowledged. After the next open and sync, nothing remains either
 * of text whose forget was killed after removing it from its note. Returns how many forgets were found unfinished.
 */
export async function checkForgotten(
  fixture: FaultFixture,
  { done, begun, tally, when }: ForgottenTexts,
): Promise<number> {
  const check = (texts: readonly string[], after: string): void => {
    for (const text of texts) {
      const left = [fixture.workspace, fixture.stateDir].flatMap((dir) => filesWith(dir, text));
      if (left.length > 0) tally.losses.push(`${when}, ${after}: ${text} is still in ${left.join(", ")}`);
    }
  };
  check(done, "at once");
  const pending = await fixture.use(async (memory) => {
    const { pendingPurges } = await memory.status();
    await memory.sync();
    return pendingPurges.length;
  });
  const isInNotes = (text: string): boolean => filesWith(fixture.workspace, text, ".md").length > 0;
  check(
    begun.filter((text) => !isInNotes(text)),
    "after the next open",
  );
  return pending;
}

function filesWith(dir: string, text: string, ending = ""): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);
}
