import { LonghandError, throwIfAborted } from "../errors.ts";
import type { CommandContext } from "./command.ts";

type Input = Pick<CommandContext, "input" | "signal">;

/** All of standard input; null if that is more than `maxBytes`, so that a wrong pipe cannot exhaust memory. */
export async function readAll({ input, signal }: Input, maxBytes: number): Promise<Buffer | null> {
  throwIfAborted(signal);
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  // A writer that never closes its end of the pipe must not block a cancelled command.
  const stop = (): void => input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const part of input) {
      sizeBytes += part.byteLength;
      if (sizeBytes > maxBytes) return null;
      parts.push(part);
    }
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  throwIfAborted(signal);
  return Buffer.concat(parts);
}

const maxChars = 1000;

/** Asks on stderr and returns the typed line; end of input is an empty answer. */
export async function askLine(
  { input, output, signal }: Input & Pick<CommandContext, "output">,
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
      if (answer.includes("\n") || answer.length > maxChars) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  // Whatever is printed next, by longhand or by the shell, starts on a new line.
  if (signal.aborted || !answer.includes("\n")) output.ask("\n");
  throwIfAborted(signal);
  return answer.split("\n")[0]!.slice(0, maxChars);
}

export function isYes(answer: string): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer);
}

/** Parses `1,3-4`, `all`, or an empty answer for none. Returns the numbers in order, without duplicates. */
export function parseChoice(answer: string, count: number): number[] {
  const text = answer.trim().toLowerCase();
  if (text === "" || text === "none" || text === "n" || text === "no") return [];
  if (text === "all") return Array.from({ length: count }, (_, index) => index + 1);
  const chosen = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter((each) => each !== "")) {
    const [, first, last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || from < 1 || to > count || to < from) {
      throw new LonghandError("usage", `${JSON.stringify(part)} is not among the numbers 1 to ${count}.`, {
        hint: "Run the command again and answer with numbers such as 1,3-4, all, or nothing.",
      });
    }
    for (let number = from; number <= to; number++) chosen.add(number);
  }
  return [...chosen].sort((a, b) => a - b);
}
