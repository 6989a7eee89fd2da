import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openMemory } from "../../src/memory/open-memory.ts";
import { sha256 } from "../../src/text/hash.ts";
import { inTemporaryFolder, medianInTurns, timeMs } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";

/** Detecting that nothing changed: our scan against the usual way of reading and hashing all files. Wall-clock time. */
export async function measure({ notes, rounds }: Sizes): Promise<PartResult> {
  return await inTemporaryFolder(async (folder) => {
    const workspace = join(folder, "notes");
    const { sizeBytes, settled } = writeNotes(workspace, { count: notes });
    const files = readdirSync(workspace, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(workspace, name));
    const config = { agents: { defaults: { memorySearch: { provider: "none" } } } } as const;
    await using memory = await openMemory({ workspace, stateDir: join(folder, "state"), config });
    await memory.sync();
    await settled();
    await memory.sync();
    const { ours, asynchronous, blocking } = await medianInTurns(2 * rounds, {
      ours: () => timeMs(() => memory.sync()),
      asynchronous: () =>
        timeMs(async () => {
          for (const file of files) sha256(await readFile(file, "utf8"));
        }),
      blocking: () =>
        timeMs(() => {
          for (const file of files) sha256(readFileSync(file, "utf8"));
        }),
    });
    const detail = `${notes.toLocaleString("en")} files, ${(sizeBytes / 1e6).toFixed(1)} MB`;
    return {
      figures: {
        "no-change-sync": { ours, reference: asynchronous, detail },
        "no-change-sync-blocking": { ours, reference: blocking, detail },
      },
    };
  });
}
