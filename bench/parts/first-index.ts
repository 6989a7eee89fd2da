import { join } from "node:path";
import type { IndexedNotes, IndexNotes } from "../children/index-notes.ts";
import { inTemporaryFolder, median, medianInTurns } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";
import { runModule } from "../run-module.ts";

/** Every run is a process of its own with a new index, as a first index is; the four kinds take turns. */
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
    const emptyBytes = await runModule<number>("children/resident.ts", {});
    const of = (pick: (indexed: IndexedNotes) => number) => median(seen.map(pick));
    const detail = `${notes.toLocaleString("en")} notes, ${(sizeBytes / 1e6).toFixed(1)} MB`;
    const chunks = `${detail}, ${seen[0]!.chunks.toLocaleString("en")} chunks`;
    const longest = `longest ${of(({ heldMostMs }) => heldMostMs).toFixed(0)} ms`;
    return {
      figures: {
        "first-index": { ours: stub, reference: bare, detail: `${chunks}, 256 dimensions` },
        "first-index-builtin": { ours: builtin, reference: none, detail },
        "event-loop": { ours: of(({ heldP99Ms }) => heldP99Ms), detail: `${detail}, ${longest}` },
        "index-memory": { ours: of(({ peakBytes }) => peakBytes), reference: emptyBytes, detail },
        "index-size": { ours: of((indexed) => indexed.sizeBytes), reference: sizeBytes, detail },
      },
    };
  });
}
