import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtCommand, runToEndMs } from "../built-package.ts";
import { inTemporaryFolder, medianInTurns } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";

const noteCount = 1000;

/** A search as a user types it: each in a new process of the built package, with an existing index. */
export async function measure({ rounds }: Sizes): Promise<PartResult> {
  return await inTemporaryFolder(async (folder) => {
    const workspace = join(folder, "notes");
    const notes = writeNotes(workspace, { count: noteCount });
    // Isolated from the home folder and settings of whoever runs it.
    const env = { PATH: process.env["PATH"], HOME: folder };
    const command = (provider: "none" | "builtin") => {
      const config = join(folder, `${provider}.json5`);
      writeFileSync(config, JSON.stringify({ agents: { defaults: { memorySearch: { provider } } } }));
      const places = ["--workspace", workspace, "--state-dir", join(folder, provider), "--config", config];
      return (...argv: string[]) => runToEndMs([builtCommand, ...argv, ...places], env);
    };
    const [words, builtin] = [command("none"), command("builtin")];
    words("index");
    builtin("index");
    await notes.settled();
    words("index");
    builtin("index");
    const times = await medianInTurns(4 * rounds, {
      empty: async () => runToEndMs(["-e", "0"], env),
      words: async (round) => words("search", notes.question(round)),
      builtin: async (round) => builtin("search", notes.question(round)),
    });
    const detail = `${noteCount.toLocaleString("en")} notes`;
    return {
      figures: {
        "cold-search": { ours: times.words, reference: times.empty, detail },
        "cold-search-builtin": { ours: times.builtin, reference: times.empty, detail },
        "cold-search-meaning": { ours: times.builtin, reference: times.words, detail },
      },
    };
  });
}
