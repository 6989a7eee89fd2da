import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtCommand, cpuMsOf } from "../built-package.ts";
import { inTemporaryFolder, medianInTurns } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";

const noteCount = 1000;
const turnCount = 200;

/** What a host's hooks cost: CPU time, because a host starts them while it has much else to do. */
export async function measure({ rounds }: Sizes): Promise<PartResult> {
  return await inTemporaryFolder(async (folder) => {
    const workspace = join(folder, "notes");
    const notes = writeNotes(workspace, { count: noteCount });
    // Isolated from the home folder and settings of whoever runs it.
    const env = { PATH: process.env["PATH"], HOME: folder };
    const places = ["--workspace", workspace, "--state-dir", join(folder, "state")];
    const run = (argv: readonly string[], input = "") =>
      cpuMsOf([builtCommand, ...argv, ...places], { env, input });
    const hook = (event: string, input: object) =>
      run(
        ["hook", event, "--within", "60"],
        JSON.stringify({ cwd: workspace, session_id: "bench", ...input }),
      );
    run(["trust"]);
    run(["index"]);
    await notes.settled();
    run(["index"]);
    const node = async () => cpuMsOf(["-e", "0"], { env, input: "" });
    const times = await medianInTurns(4 * rounds, {
      node,
      start: async () => hook("session-start", { source: "startup" }),
      prompt: async (round) => hook("user-prompt", { prompt: notes.question(round) }),
    });
    // Measured separately: the next hook would have to index what it writes.
    const flush = await medianInTurns(4 * rounds, {
      node,
      compact: async (round) => {
        const transcript = join(folder, `transcript-${round}.jsonl`);
        writeFileSync(transcript, conversation(round));
        return hook("pre-compact", { transcript_path: transcript, trigger: "auto" });
      },
    });
    const detail = `${noteCount.toLocaleString("en")} notes`;
    return {
      figures: {
        "hook-session-start": { ours: times.start, reference: times.node, detail },
        "hook-user-prompt": { ours: times.prompt, reference: times.node, detail },
        "hook-pre-compact": {
          ours: flush.compact,
          reference: flush.node,
          detail: `${detail}, ${turnCount} turns`,
        },
      },
    };
  });
}

/** In Claude Code's format, with one new sentence per round. */
function conversation(round: number): string {
  const line = (role: "user" | "assistant", content: string) =>
    `${JSON.stringify({ type: role, uuid: "u", sessionId: "bench", message: { role, content } })}\n`;
  const talk = Array.from({ length: turnCount / 2 }, (_, turn) => [
    line("user", `Look at file ${turn} and tell me what is wrong with it.`),
    line("assistant", `Let me read file ${turn} and run the tests again. I see the problem in line ${turn}.`),
  ]);
  return `${talk.flat().join("")}${line("user", `We decided to use PostgreSQL ${100 + round} for the ledger.`)}`;
}
