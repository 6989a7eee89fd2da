import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Row {
  readonly name: string;
  readonly what: string;
  readonly command: string;
  readonly date: string;
  readonly machine: string;
  readonly result: string;
  readonly problems: readonly string[];
}

const page = join(import.meta.dirname, "FIGURES.md");
const [begin, end] = ["<!-- faults: begin -->", "<!-- faults: end -->"];

export function renderRow({ name, result }: Row): string {
  return `${name.padEnd(24)} ${result}`;
}

/** Writes the figures into the page, each replacing the older one of the same fault. */
export function writeRows(rows: readonly Row[]): void {
  const text = readFileSync(page, "utf8");
  const [before, rest] = text.split(begin) as [string, string];
  const [table, after] = rest.split(end) as [string, string];
  const lines = new Map(
    table
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => [/^\| `([^`]+)`/.exec(line)![1]!, line]),
  );
  for (const { name, what, command, date, machine, result } of rows) {
    lines.set(name, `| \`${name}\` | ${what} | ${result} | \`${command}\` | ${date}, ${machine} |`);
  }
  const head = "| fault | what is done | result | command | when, where |\n|---|---|---|---|---|";
  writeFileSync(page, `${before}${begin}\n${[head, ...lines.values()].join("\n")}\n${end}${after}`);
}
