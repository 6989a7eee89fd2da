import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtCommand, peakBytesOf } from "../built-package.ts";
import type { IndexedNotes, IndexNotes } from "../children/index-notes.ts";
import { inTemporaryFolder, median, medianInTurns } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";
import { runModule } from "../run-module.ts";

/** Every run is a new process with a new index; the four kinds are measured in turn. */
export async function measure({ notes, rounds }: Sizes): Promise<PartResult> {
  return await inTemporaryFolder(async (folder) => {
    const workspace = join(folder, "notes");
    const { sizeBytes } = writeNotes(workspace, { count: notes });
    const seen: IndexedNotes[] = [];
    const index = (embedder: IndexNotes["embedder"]) => async (round: number) => {
      const stateDir = join(folder, `${embedder}-${round}`);
      const input: IndexNotes = { workspace, stateDir, embedder };
      const indexed = await runModule<IndexedNotes>("children/index-notes.ts", input);
      if (embedder === "builtin") seen.push(indexed);
      return indexed.ms;
    };
    const { bare, none, stub, builtin } = await medianInTurns(
      rounds,
      {
        bare: (round) =>
          runModule<number>("children/insert-bare-fts.ts", {
            workspace,
            path: join(folder, `bare-${round}`),
          }),
        none: index("none"),
        stub: index("stub"),
        builtin: index("builtin"),
      },
      { warmUp: false },
    );
    const peaks = Array.from({ length: rounds }, (_, round) => indexPeakBytes(folder, workspace, round));
    const emptyBytes = peakBytesOf(["-e", "0"], environmentIn(folder));
    const of = (pick: (indexed: IndexedNotes) => number) => median(seen.map(pick));
    const detail = `${notes.toLocaleString("en")} notes, ${(sizeBytes / 1e6).toFixed(1)} MB`;
    const chunks = `${detail}, ${seen[0]!.chunks.toLocaleString("en")} chunks`;
    const longest = `longest ${of(({ heldMostMs }) => heldMostMs).toFixed(0)} ms`;
    return {
      figures: {
        "first-index": { ours: stub, reference: bare, detail: `${chunks}, 256 dimensions` },
        "first-index-builtin": { ours: builtin, reference: none, detail },
        "event-loop": { ours: of(({ heldP99Ms }) => heldP99Ms), detail: `${detail}, ${longest}` },
        "index-memory": { ours: median(peaks), reference: emptyBytes, detail },
        "index-size": { ours: of((indexed) => indexed.sizeBytes), reference: sizeBytes, detail },
      },
    };
  });
}

/** Through the command line: the benchmark itself is TypeScript, and type stripping takes some 20 MB. */
function indexPeakBytes(folder: string, workspace: string, round: number): number {
  const config = join(folder, "builtin.json5");
  writeFileSync(config, JSON.stringify({ agents: { defaults: { memorySearch: { provider: "builtin" } } } }));
  const stateDir = join(folder, `command-${round}`);
  const argv = ["index", "--workspace", workspace, "--state-dir", stateDir, "--config", config];
  return peakBytesOf([builtCommand, ...argv], environmentIn(folder));
}

/** Isolated from the home folder and settings of whoever runs it. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: folder };
}
