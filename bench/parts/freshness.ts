import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { openMemory, type WatchEvent } from "../../src/index.ts";
import { inTemporaryFolder, median, timeMs } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";

const searches = 20;

/**
 * The cost of freshness, with the builtin model: what checking all notes adds to a search, with and without a watcher in
 * the same process that knows that nothing has changed; and how soon an edit is indexed.
 */
export async function measure({ notes: count }: Sizes): Promise<PartResult> {
  return await inTemporaryFolder(async (folder) => {
    const workspace = join(folder, "notes");
    const notes = writeNotes(workspace, { count });
    await using memory = await openMemory({ workspace, stateDir: join(folder, "state") });
    await memory.sync();
    await notes.settled();
    await memory.sync();
    const stale = { looking: 0, watched: 0 };
    const search = async (kind: keyof typeof stale): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < searches; round++) {
        times.push(
          await timeMs(async () => {
            if ((await memory.search(notes.question(round))).stale) stale[kind]++;
          }),
        );
      }
      return median(times);
    };
    const looking = await search("looking");
    const events: WatchEvent[] = [];
    let onEvent = (): void => {};
    const until = async (isMet: () => boolean): Promise<void> => {
      while (!isMet()) await new Promise<void>((resolve) => (onEvent = resolve));
    };
    await using _ = await memory.watch({
      onEvent: (event) => {
        events.push(event);
        onEvent();
      },
    });
    await until(() => events.some(({ kind }) => kind === "synced"));
    const watched = await search("watched");
    const editedMs = await timeMs(async () => {
      appendFileSync(join(workspace, "memory", "f0", "n0.md"), "\nThe quokka sleeps.\n");
      await until(() => events.some((event) => event.kind === "synced" && event.report.updated === 1));
    });
    const detail = `${count.toLocaleString("en")} notes`;
    const old = `${stale.looking + stale.watched} of ${2 * searches} answers stale`;
    return {
      figures: {
        "fresh-search-looking": { ours: looking, reference: watched, detail: `${detail}, ${old}` },
        "fresh-edit": { ours: editedMs, detail: `${detail}, 1,500 ms of it quiet` },
      },
    };
  });
}
