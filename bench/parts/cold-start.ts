import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtCommand, runToEndMs } from "../built-package.ts";
import { inTemporaryFolder, medianInTurns } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";
import { besideServer } from "../running-server.ts";

const noteCount = 1000;

/** A search as a user types it, with an existing index: in a new process, or answered by one that is running. */
export async function measure({ rounds }: Sizes): Promise<PartResult> {
  return await inTemporaryFolder(async (folder) => {
    const workspace = join(folder, "notes");
    const notes = writeNotes(workspace, { count: noteCount });
    // Isolated from the home folder and settings of whoever runs it.
    const env = { PATH: process.env["PATH"], HOME: folder };
    const alone = { ...env, LONGHAND_RESIDENT: "0" };
    const placesOf = (provider: "none" | "builtin") => {
      const config = join(folder, `${provider}.json5`);
      writeFileSync(config, JSON.stringify({ agents: { defaults: { memorySearch: { provider } } } }));
      return ["--workspace", workspace, "--state-dir", join(folder, provider), "--config", config];
    };
    const places = { words: placesOf("none"), builtin: placesOf("builtin") };
    const command =
      (provider: keyof typeof places, environment: NodeJS.ProcessEnv) =>
      (...argv: string[]) =>
        runToEndMs([builtCommand, ...argv, ...places[provider]], environment);
    const [words, builtin] = [command("words", alone), command("builtin", alone)];
    const [askedWords, askedBuiltin] = [command("words", env), command("builtin", env)];
    words("index");
    builtin("index");
    await notes.settled();
    words("index");
    builtin("index");
    const empty = async () => runToEndMs(["-e", "0"], env);
    const times = await medianInTurns(4 * rounds, {
      empty,
      words: async (round) => words("search", notes.question(round)),
      builtin: async (round) => builtin("search", notes.question(round)),
    });
    const beside = await besideServer({ places: places.words, env }, () =>
      besideServer({ places: places.builtin, env }, () =>
        medianInTurns(4 * rounds, {
          empty,
          words: async (round) => askedWords("search", notes.question(round)),
          builtin: async (round) => askedBuiltin("search", notes.question(round)),
        }),
      ),
    );
    const detail = `${noteCount.toLocaleString("en")} notes`;
    return {
      figures: {
        "cold-search": { ours: times.words, reference: times.empty, detail },
        "cold-search-builtin": { ours: times.builtin, reference: times.empty, detail },
        "resident-search": { ours: beside.words, reference: beside.empty, detail },
        "resident-search-builtin": { ours: beside.builtin, reference: beside.empty, detail },
        "cold-search-meaning": { ours: times.builtin, reference: times.words, detail },
      },
    };
  });
}
