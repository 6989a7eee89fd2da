import { LonghandError } from "../errors.ts";
import type { OptionDefinition } from "./command.ts";

/** Checks what was typed for an option and gives it its type. */
export function parseOptionValue(option: OptionDefinition, value: string): string | number {
  const { type } = option;
  switch (type.kind) {
    case "flag":
    case "text":
      return value;
    case "folder":
    case "file":
      // An unset shell variable arrives as an empty string; it must not quietly mean the current folder.
      if (value !== "") return value;
      throw invalid(option, value, `It takes the path of a ${type.kind}.`);
    case "choice":
      if (type.choices.includes(value)) return value;
      throw invalid(option, value, `It takes one of: ${type.choices.join(", ")}.`);
    case "integer":
    case "number": {
      const number = /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value) ? Number(value) : Number.NaN;
      const fits = number >= type.min && number <= type.max;
      if (fits && (type.kind === "number" || Number.isInteger(number))) return number;
      const noun = type.kind === "integer" ? "a whole number" : "a number";
      throw invalid(option, value, `It takes ${noun} from ${type.min} to ${type.max}.`);
    }
  }
}

function invalid(option: OptionDefinition, value: string, hint: string): LonghandError {
  return new LonghandError(
    "usage",
    `${optionNames(option).at(-1)} cannot be ${JSON.stringify(shorten(value))}.`,
    {
      hint,
    },
  );
}

/** `["-n", "--max-results"]` of `-n, --max-results <N>`; the long name comes last. */
export function optionNames({ flags }: OptionDefinition): string[] {
  return flags.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [];
}

/** The field of a command's input that holds an option: `maxResults` for `--max-results`, `color` for `--no-color`. */
export function optionKey(longName: string): string {
  return longName.replace(/^--(no-)?/, "").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}
