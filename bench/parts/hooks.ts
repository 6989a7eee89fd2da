import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtCommand, cpuMsOf } from "../built-package.ts";
import { inTemporaryFolder, medianInTurns } from "../measure.ts";
import { writeNotes } from "../notes-on-disk.ts";
import type { PartResult, Sizes } from "../parts.ts";
import { besideServer, cpuMsUntilNow } from "../running-server.ts";

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
    const alone = { ...env, LONGHAND_RESIDENT: "0" };
    const run = (argv: readonly string[], input = "", environment: NodeJS.ProcessEnv = alone) =>
      cpuMsOf([builtCommand, ...argv, ...places], { env: environment, input });
    const hook = (event: string, input: object, environment?: NodeJS.ProcessEnv) =>
      run(
        ["hook", event, "--within", "60"],
        JSON.stringify({ cwd: workspace, session_id: "bench", ...input }),
        environment,
      );
    run(["trust"]);
    run(["index"]);
    await notes.settled();
    run(["index"]);
    const node = async () => cpuMsOf(["-e", "0"], { env, input: "" });
    const measureHooks = (ask: typeof hook) =>
      medianInTurns(4 * rounds, {
        node,
        start: async () => ask("session-start", { source: "startup" }),
        prompt: async (round) => ask("user-prompt", { prompt: notes.question(round) }),
      });
    // Measured separately: the next hook would have to index what it writes.
    const measureFlush = (ask: typeof hook, talk: string) =>
      medianInTurns(4 * rounds, {
        node,
        compact: async (round) => {
          const transcript = join(folder, `${talk}-${round}.jsonl`);
          writeFileSync(transcript, conversation(talk, round));
          return ask("pre-compact", { transcript_path: transcript, trigger: "auto" });
        },
      });
    const times = await measureHooks(hook);
    const beside = await besideServer({ places, env }, (resident) =>
      measureHooks(withThatOf(resident, env, hook)),
    );
    const flush = await measureFlush(hook, "ledger");
    const flushBeside = await besideServer({ places, env }, (resident) =>
      measureFlush(withThatOf(resident, env, hook), "archive"),
    );
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
        "resident-session-start": { ours: beside.start, reference: beside.node, detail },
        "resident-user-prompt": { ours: beside.prompt, reference: beside.node, detail },
        "resident-pre-compact": {
          ours: flushBeside.compact,
          reference: flushBeside.node,
          detail: `${detail}, ${turnCount} turns`,
        },
      },
    };
  });
}

/** The hook, and what the process that answers it has done meanwhile. */
function withThatOf<Asked extends readonly [event: string, input: object]>(
  resident: number,
  env: NodeJS.ProcessEnv,
  hook: (...asked: [...Asked, NodeJS.ProcessEnv]) => number,
): (...asked: Asked) => number {
  return (...asked) => {
    const before = cpuMsUntilNow(resident);
    const own = hook(...asked, env);
    return own + cpuMsUntilNow(resident) - before;
  };
}

/** In Claude Code's format, with one new sentence per round. */
function conversation(what: string, round: number): string {
  const line = (role: "user" | "assistant", content: string) =>
    `${JSON.stringify({ type: role, uuid: "u", sessionId: "bench", message: { role, content } })}\n`;
  const talk = Array.from({ length: turnCount / 2 }, (_, turn) => [
    line("user", `Look at file ${turn} and tell me what is wrong with it.`),
    line("assistant", `Let me read file ${turn} and run the tests again. I see the problem in line ${turn}.`),
  ]);
  return `${talk.flat().join("")}${line("user", `We decided to use PostgreSQL ${100 + round} for the ${what}.`)}`;
}
