import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { discardIndex } from "../memory/open-memory.ts";
import { type NotesPlace, settingsFor } from "./settings-for.ts";

/**
 * Lends some work settings with an index of their own, and removes that index afterwards, also when the work fails. Its
 * folder goes even when the process ends early.
 */
export async function withTemporaryIndex<T>(
  settings: Settings,
  notes: Omit<NotesPlace, "stateDir">,
  work: (settings: Settings) => Promise<T>,
): Promise<T> {
  const stateDir = mkdtempSync(join(tmpdir(), "longhand-eval-"));
  const remove = (): void => rmSync(stateDir, { recursive: true, force: true });
  process.once("exit", remove);
  const own = settingsFor(settings, { ...notes, stateDir });
  try {
    return await work(own);
  } finally {
    await discardIndex(own).finally(() => {
      process.off("exit", remove);
      remove();
    });
  }
}
