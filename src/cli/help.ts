import type { ArgumentDefinition, CommandDefinition, OptionDefinition } from "./command.ts";
import { commandGroups } from "./commands.ts";
import { globalOptions } from "./global-options.ts";
import type { Paint } from "./output.ts";
import { padEnd, wrapLine } from "./text-width.ts";

interface HelpStyle {
  readonly paint: Paint;
  readonly width: number;
}

type Item = readonly [term: string, description: string];

/** The whole program: commands first, because people look for them. */
export function renderOverview(style: HelpStyle): string {
  return join(style, [
    `${style.paint("bold", "Usage:")} longhand <command> [options]`,
    "Memory for AI agents in plain Markdown: keyword and semantic search, no setup.",
    ...commandGroups.map(({ title, commands }) => ({
      title: `${title}:`,
      items: commands.map(({ name, summary }): Item => [name, summary]),
    })),
    {
      title: "Options of every command:",
      items: [["-V, --version", "print the version"], ...globalOptions.map(optionItem), helpItem],
    },
    "Start with `longhand init`. `longhand help COMMAND` shows the options and examples of a command.",
  ]);
}

export function renderCommandHelp(command: CommandDefinition, style: HelpStyle): string {
  const { summary, details, arguments: words, options, examples } = command;
  const { paint } = style;
  const text = join(style, [
    `${paint("bold", "Usage:")} ${usageOf(command)}`,
    `${summary}.`,
    ...details,
    { title: "Arguments:", items: words.map(({ name, description }): Item => [name, description]) },
    { title: "Options:", items: [...options.map(optionItem), helpItem] },
    { title: "Options of every command:", items: globalOptions.map(optionItem) },
  ]);
  const lines = examples.map(({ command: line, does }) => `  ${line}\n      ${paint("dim", does)}\n`);
  return `${text}\n${paint("bold", "Examples:")}\n${lines.join("")}`;
}

/** `longhand get PATH[:FROM[-TO]] [options]` */
export function usageOf({ name, arguments: words, options }: CommandDefinition): string {
  return ["longhand", name, ...words.map(usageOfWord), ...(options.length > 0 ? ["[options]"] : [])].join(
    " ",
  );
}

function usageOfWord({ name, required, many }: ArgumentDefinition): string {
  const term = many ? `${name}...` : name;
  return required ? term : `[${term}]`;
}

const helpItem: Item = ["-h, --help", "show help"];

function optionItem({ flags, description }: OptionDefinition): Item {
  return [flags, description];
}

/** A title and its items, or nothing if there are none. */
interface Section {
  readonly title: string;
  readonly items: readonly Item[];
}

/** One column width for all sections, so that they align. */
function join({ paint, width }: HelpStyle, parts: readonly (string | Section)[]): string {
  const sections = parts.filter((part) => typeof part !== "string");
  const column = Math.max(0, ...sections.flatMap(({ items }) => items.map(([term]) => term.length))) + 2;
  const room = Math.max(20, width - column - 2);
  const texts = parts.map((part) => {
    if (typeof part === "string") return wrapLine(part, width).join("\n");
    if (part.items.length === 0) return "";
    const lines = part.items.map(([term, description]) => {
      const [first = "", ...rest] = wrapLine(description, room);
      return [
        `  ${paint("cyan", padEnd(term, column))}${first}`,
        ...rest.map((line) => " ".repeat(column + 2) + line),
      ].join("\n");
    });
    return [paint("bold", part.title), ...lines].join("\n");
  });
  return `${texts.filter((text) => text !== "").join("\n\n")}\n`;
}
