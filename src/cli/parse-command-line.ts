import { nearestKey } from "../config/known-keys.ts";
import { LonghandError } from "../errors.ts";
import { describeRule, fitsRule, parseDecimal, quote } from "../text/value-rule.ts";
import type { ArgumentDefinition, CommandDefinition, GlobalOptions, OptionDefinition } from "./command.ts";
import { commands } from "./commands.ts";
import { globalOptions } from "./global-options.ts";
import { pathArgument, strayQuoteHint } from "./path-arguments.ts";

export type Invocation =
  | {
      readonly kind: "run";
      readonly command: CommandDefinition;
      readonly globals: GlobalOptions;
      readonly input: object;
    }
  /** `asked` is false if help is shown because no command was given. */
  | { readonly kind: "help"; readonly command: CommandDefinition | null; readonly asked: boolean }
  | { readonly kind: "version" };

type Values = Record<string, string | number | boolean>;

/**
 * Parses a command line, or throws a LonghandError with code `usage`. The usual parser package takes ten milliseconds
 * to load, a tenth of what a whole search may take.
 */
export function parseCommandLine(argv: readonly string[]): Invocation {
  const globals: Values = {};
  const options: Values = {};
  const words: string[] = [];
  let command: CommandDefinition | null = null;
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word === "--") {
      words.push(...argv.slice(index + 1));
      break;
    }
    if (looksLikeOption(word)) {
      const { name, attached } = splitOption(word);
      if (name === "-h" || name === "--help") return { kind: "help", command, asked: true };
      if (name === "-V" || name === "--version") return { kind: "version" };
      const own = command?.options.find((option) => optionNames(option).includes(name));
      const option = own ?? globalOptions.find((candidate) => optionNames(candidate).includes(name));
      if (option === undefined) throw unknownOption(name, command);
      const takesNext = option.type !== undefined && attached === undefined;
      const value = readValue(option, takesNext ? argv[++index] : attached);
      const [[key, given] = [""]] = Object.entries(value);
      const before = own?.repeats ? options[key] : undefined;
      Object.assign(own ? options : globals, before === undefined ? value : { [key]: `${before},${given}` });
    } else if (command === null && word === "help") {
      const topic = argv.slice(index + 1).find((next) => !looksLikeOption(next));
      return {
        kind: "help",
        command: topic === undefined || topic === "help" ? null : findCommand(topic),
        asked: true,
      };
    } else if (command === null) {
      command = findCommand(word);
    } else {
      words.push(word);
    }
  }
  if (command === null && words[0] !== undefined) command = findCommand(words.shift() ?? "");
  if (command === null) return { kind: "help", command: null, asked: false };
  const input = { ...nameWords(command, words), ...options };
  return { kind: "run", command, input, globals: { ...noGlobals, ...globals } };
}

const noGlobals: GlobalOptions = { json: false, quiet: false, color: true, debug: false };

/**
 * A note often begins with a dash ("- buy milk"), and so may a question ("--dry-run does what?"). A word that does not
 * look like an option is text, and so is a single dash, which means standard input.
 */
function looksLikeOption(word: string): boolean {
  return /^(?:--[A-Za-z][\w-]*(?:=.*)?|-[A-Za-z][\w.]*(?:=.*)?)$/s.test(word);
}

/** `--name=value`, `--name`, `-n5`, `-n=5` and `-n`. */
function splitOption(word: string): { name: string; attached?: string } {
  const equals = word.indexOf("=");
  const nameEnd = !word.startsWith("--") ? 2 : equals === -1 ? word.length : equals;
  const name = word.slice(0, nameEnd);
  const rest = word.slice(nameEnd);
  return rest === "" ? { name } : { name, attached: rest.replace(/^=/, "") };
}

function readValue(option: OptionDefinition, text: string | undefined): Values {
  const [long = ""] = optionNames(option).slice(-1);
  const key = optionKey(long);
  if (option.type !== undefined) {
    if (text !== undefined) return { [key]: parseOptionValue(option, text) };
    throw usageError(`${long} needs a value.`, `Write it as: ${option.flags}`);
  }
  if (text !== undefined) throw usageError(`${long} takes no value.`, `Write ${long} alone.`);
  return { [key]: !long.startsWith("--no-") };
}

/** Names that other programs use for the same option. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["--limit", "--max-results"],
  ["--top", "--max-results"],
  ["--threshold", "--min-score"],
  ["--from", "--since"],
  ["--to", "--until"],
  ["ask", "search"],
  ["backlinks", "links"],
  ["delete", "forget"],
  ["find", "search"],
  ["query", "search"],
  ["read", "get"],
  ["recall", "search"],
  ["remember", "add"],
  ["remove", "forget"],
  ["reindex", "index"],
  ["rm", "forget"],
  ["save", "add"],
  ["setup", "init"],
  ["settings", "config"],
  ["show", "get"],
  ["sync", "index"],
  ["transcripts", "sessions"],
  ["ui", "serve"],
  ["web", "serve"],
]);

function findCommand(word: string): CommandDefinition {
  const found = commands.find(({ name }) => name === word);
  if (found !== undefined) return found;
  const names = commands.map(({ name }) => name);
  throw usageError(
    `There is no command ${JSON.stringify(word.slice(0, 60))}.`,
    `${didYouMean(otherNames.get(word) ?? word, names)}See the commands with \`longhand --help\`.`,
  );
}

function unknownOption(name: string, command: CommandDefinition | null): LonghandError {
  const known = [...(command?.options ?? []), ...globalOptions].flatMap(optionNames);
  const where =
    command === null ? "here; options of a command go after it" : `for \`longhand ${command.name}\``;
  const takesText = command?.arguments.some(({ many, required }) => many && required) === true;
  return usageError(
    `There is no option ${name} ${where}.`,
    `${didYouMean(otherNames.get(name) ?? name, known)}${takesText ? "Put -- before text that begins with a dash. " : ""}${seeHelp(command?.name)}`,
  );
}

/** Values by argument name: `QUERY` becomes `query`, `PATH[:FROM[-TO]]` becomes `path`. */
function nameWords({ name, arguments: definitions }: CommandDefinition, words: readonly string[]): Values {
  const values: Values = {};
  definitions.forEach((definition, index) => {
    const value = readWord(definition, words.slice(index));
    if (words[index] === undefined && definition.required) {
      throw usageError(
        `\`longhand ${name}\` needs ${definition.name}: ${definition.description}.`,
        seeHelp(name),
      );
    }
    const { choices, required } = definition;
    // `longhand config` itself suggests an action if the first word is unknown.
    if (value !== undefined && required && choices?.includes(value) === false) {
      throw usageError(
        `There is no ${definition.name.toLowerCase()} ${quote(value)} for \`longhand ${name}\`.`,
        `${didYouMean(value, choices)}It takes ${describeRule({ kind: "choice", choices }, String)}.`,
      );
    }
    if (value !== undefined) values[definition.name.toLowerCase().replace(/[^a-z].*$/s, "")] = value;
  });
  const takesAll = definitions.some(({ many }) => many);
  if (takesAll || words.length <= definitions.length) return values;
  const extra = words.slice(definitions.length).map((word) => JSON.stringify(word.slice(0, 60)));
  throw usageError(`\`longhand ${name}\` cannot use ${extra.join(", ")}.`, seeHelp(name));
}

function readWord({ name, many }: ArgumentDefinition, words: readonly string[]): string | undefined {
  const word = many ? words.join(" ") : words[0];
  const value = word !== undefined && name === "DIR" ? pathArgument(word) : word;
  if (value !== null) return value;
  throw usageError(`${name} cannot be ${quote(word ?? "")}.`, strayQuoteHint);
}

function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestKey(word, known);
  return nearest === null ? "" : `Did you mean ${nearest}? `;
}

function seeHelp(name?: string): string {
  return `See \`longhand ${name === undefined ? "" : `${name} `}--help\`.`;
}

function usageError(message: string, hint: string): LonghandError {
  return new LonghandError("usage", message, { hint });
}

/** Validates an option's value and converts it to its type. */
export function parseOptionValue(option: OptionDefinition, value: string): string | number {
  const { type } = option;
  switch (type?.kind) {
    case undefined:
    case "text":
      return value;
    case "name":
      // An unset shell variable arrives as an empty string; it must not quietly mean the default.
      if (value !== "") return value;
      throw invalid(option, value, "It takes a name.");
    case "folder":
    case "file": {
      const path = pathArgument(value);
      if (path) return path;
      throw invalid(option, value, path === null ? strayQuoteHint : `It takes the path of a ${type.kind}.`);
    }
    case "choice":
    case "number": {
      const given = type.kind === "number" ? parseDecimal(value) : value;
      if (given !== undefined && fitsRule(given, type)) return given;
      throw invalid(option, value, `It takes ${describeRule(type, String)}.`);
    }
  }
}

function invalid(option: OptionDefinition, value: string, hint: string): LonghandError {
  return usageError(`${optionNames(option).at(-1)} cannot be ${quote(value)}.`, hint);
}

/** `["-n", "--max-results"]` of `-n, --max-results <N>`; the long name comes last. */
export function optionNames({ flags }: OptionDefinition): string[] {
  return flags.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [];
}

/** The input field of an option: `maxResults` for `--max-results`, `color` for `--no-color`. */
export function optionKey(longName: string): string {
  return longName.replace(/^--(no-)?/, "").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
