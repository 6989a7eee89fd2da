import { LonghandError } from "../errors.ts";

/** The numbers that an answer means: `1,3-4`, `all`, or nothing for none. In order, each once. */
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
