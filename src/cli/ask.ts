import { throwIfAborted } from "../errors.ts";
import type { CommandContext } from "./command.ts";

const mostChars = 1000;

/** Asks on stderr and gives the line that is typed; an end of input is an empty answer. */
export async function askLine(
  { input, output, signal }: Pick<CommandContext, "input" | "output" | "signal">,
  question: string,
): Promise<string> {
  throwIfAborted(signal);
  const stop = (): void => input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  output.ask(question);
  let answer = "";
  try {
    const decoder = new TextDecoder();
    for await (const part of input) {
      answer += decoder.decode(part, { stream: true });
      if (answer.includes("\n") || answer.length > mostChars) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  // Whatever is printed next, by us or by the shell, begins on a line of its own.
  if (signal.aborted || !answer.includes("\n")) output.ask("\n");
  throwIfAborted(signal);
  return answer.split("\n")[0]!.slice(0, mostChars);
}
