import type { QmdDriver, QmdPlace } from "./driver.ts";
import type { FoundQmd } from "./find-qmd.ts";
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
    async ask({ words, meaning, collections, limit }, call) {
      const lines = [
        ...words.map((word) => `lex: ${word}`),
        ...(meaning === null ? [] : [`vec: ${meaning}`]),
      ];
      if (lines.length === 0) return [];
      const form = ["--json", "--explain", "--no-rerank", "-n", `${limit}`, "-C", `${limit}`];
      const within = (collections ?? []).flatMap((name) => ["-c", name]);
      return parseAnswer(await runQmd(options, ["query", lines.join("\n"), ...form, ...within], call));
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
