import { type QmdDriver, type QmdPlace, rerankedDocuments } from "./driver.ts";
import type { FoundQmd } from "./find-qmd.ts";
import { mergeAnswers } from "./merge-answers.ts";
import { parseAnswer } from "./parse-answer.ts";
import { runProgram } from "./run-program.ts";

export interface CommandOptions {
  readonly qmd: Pick<FoundQmd, "program" | "arguments">;
  readonly place: QmdPlace;
  readonly environment: Readonly<Record<string, string>>;
}

/** Drives qmd by its command line: a process for every call. */
export function createCommandDriver(options: CommandOptions): QmdDriver {
  return {
    way: "command line",
    async ask({ words, meaning, expand, rerank, collections, limit }, call) {
      const lines = [
        ...words.map((word) => `lex: ${word}`),
        ...(meaning === null ? [] : [`vec: ${meaning}`]),
      ];
      const isReranked = rerank !== null;
      const candidates = isReranked ? Math.min(limit, rerankedDocuments) : limit;
      const form = ["--json", "--explain", "-n", `${limit}`, "-C", `${candidates}`];
      const within = (collections ?? []).flatMap((name) => ["-c", name]);
      const query = async (text: string) => {
        const how = isReranked ? form : [...form, "--no-rerank"];
        return parseAnswer(await runQmd(options, ["query", text, ...how, ...within], call), { isReranked });
      };
      const typed = isReranked ? [...lines, `intent: ${rerank}`] : lines;
      const answers = lines.length === 0 ? [] : [await query(typed.join("\n"))];
      // The command line words a question in other ways only when it is given alone.
      if (expand !== null)
        answers.push(await query(expand.replace(/^(?:lex|vec|hyde|intent|expand):\s*/i, "")));
      return mergeAnswers(answers);
    },
    async update(call) {
      await runQmd(options, ["update"], call);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** The name of the index keeps qmd from looking for a configuration in the folders above. */
export async function runQmd(
  { qmd, place, environment }: CommandOptions,
  words: readonly string[],
  call: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<string> {
  return await runProgram({
    program: qmd.program,
    arguments: [...qmd.arguments, "--index", "index", ...words],
    folder: place.folder,
    environment,
    shown: `qmd ${words[0]}`,
    ...call,
  });
}
