import { Argument, Command, CommanderError, Help, Option } from "commander";
import { LonghandError } from "../errors.ts";
import type { ArgumentDefinition, CommandDefinition, GlobalOptions, OptionDefinition } from "./command.ts";
import { parseOptionValue } from "./option-values.ts";
import type { Paint } from "./output.ts";

export interface CommandTable {
  readonly version: string;
  readonly commands: readonly CommandDefinition[];
  readonly globalOptions: readonly OptionDefinition[];
}

export type Invocation =
  | {
      readonly kind: "run";
      readonly command: CommandDefinition;
      readonly globals: GlobalOptions;
      readonly input: object;
    }
  /** Help or the version: asked for, or shown because no command was given. */
  | { readonly kind: "text"; readonly text: string; readonly asked: boolean };

/** Understands a command line, or throws a LonghandError with code `usage`. Runs and prints nothing. */
export function parseCommandLine(argv: readonly string[], table: CommandTable, paint: Paint): Invocation {
  let invocation: Invocation | undefined;
  let text = "";
  const program = buildProgram(table, paint, {
    write: (part) => {
      text += part;
    },
    chosen: (command, input, globals) => {
      invocation = { kind: "run", command, input, globals };
    },
  });
  try {
    program.parse(argv.map(protectText), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "text", text, asked: true };
    if (error.code === "commander.help")
      return { kind: "text", text: program.helpInformation(), asked: false };
    throw explain(error, argv);
  }
  if (invocation === undefined) throw new Error("The command line was accepted but names no command.");
  return invocation;
}

interface Wiring {
  readonly write: (text: string) => void;
  readonly chosen: (command: CommandDefinition, input: object, globals: GlobalOptions) => void;
}

function buildProgram(
  { version, commands, globalOptions }: CommandTable,
  paint: Paint,
  wiring: Wiring,
): Command {
  const program = new Command("longhand")
    .description("Memory for AI agents in plain Markdown: written by hand, found by word and by meaning.")
    .usage("<command> [options]")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [COMMAND]", "Show help for a command")
    .exitOverride()
    .configureOutput({ writeOut: wiring.write, writeErr: () => {}, getOutHasColors: () => true })
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => command.name(),
      formatHelp: (command, help) =>
        command.parent === null
          ? formatOverview(command, help)
          : Help.prototype.formatHelp.call(help, command, help),
      styleTitle: (title) => paint("bold", title),
      styleSubcommandTerm: (term) => paint("cyan", term),
      styleOptionTerm: (term) => paint("cyan", term),
      styleArgumentTerm: (term) => paint("cyan", term),
    });
  for (const option of globalOptions) program.addOption(buildOption(option));
  for (const definition of commands) {
    const command = program
      .command(definition.name)
      .summary(definition.summary)
      .description([`${definition.summary}.`, ...definition.details].join("\n\n"))
      .addHelpText("after", () => renderExamples(definition, paint))
      .action(() => {
        const words = readWords(definition.arguments, command.args);
        const options = restoreTexts(command.opts());
        const globals = restoreTexts(program.opts());
        const { json = false, quiet = false, debug = false, ...rest } = globals as Partial<GlobalOptions>;
        wiring.chosen(definition, { ...words, ...options }, { color: true, json, quiet, debug, ...rest });
      });
    for (const argument of definition.arguments) command.addArgument(buildArgument(argument));
    for (const option of definition.options) command.addOption(buildOption(option));
  }
  return program;
}

/** The help of the whole program: commands first, they are what people look for. */
function formatOverview(program: Command, help: Help): string {
  const width = help.padWidth(program, help);
  const commands = help.visibleCommands(program).map((command) => {
    const term = help.styleSubcommandTerm(help.subcommandTerm(command));
    return help.formatItem(term, width, help.subcommandDescription(command), help);
  });
  const options = help
    .visibleOptions(program)
    .map((option) => help.formatItem(help.styleOptionTerm(option.flags), width, option.description, help));
  return [
    `${help.styleTitle("Usage:")} longhand <command> [options]`,
    program.description(),
    [help.styleTitle("Commands:"), ...commands].join("\n"),
    [help.styleTitle("Options of every command:"), ...options].join("\n"),
    "Start with `longhand init`; more about a command with `longhand help COMMAND`.\n",
  ].join("\n\n");
}

function buildOption(definition: OptionDefinition): Option {
  const option = new Option(definition.flags, definition.description);
  if (definition.type.kind === "flag") return option;
  return option.argParser((value: string) => parseOptionValue(definition, restoreText(value)));
}

function buildArgument({ name, required, many, description }: ArgumentDefinition): Argument {
  const term = many ? `${name}...` : name;
  return new Argument(required ? `<${term}>` : `[${term}]`, description);
}

/** Words by the argument's name: `QUERY` becomes `query`, `PATH[:FROM[-TO]]` becomes `path`. */
function readWords(definitions: readonly ArgumentDefinition[], words: readonly string[]): object {
  const entries = definitions.map(({ name, many }, index) => {
    const key = name.toLowerCase().replace(/[^a-z].*$/s, "");
    const value = many ? words.slice(index).map(restoreText).join(" ") : words[index];
    return [key, value === undefined ? undefined : restoreText(value)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function renderExamples({ examples }: CommandDefinition, paint: Paint): string {
  const lines = examples.map(({ command, does }) => `  ${command}\n      ${paint("dim", does)}`);
  return `\n${paint("bold", "Examples:")}\n${lines.join("\n")}`;
}

/**
 * A note often begins with a dash ("- buy milk") and so may a question ("--dry-run does what?"). What cannot be an
 * option is marked with a NUL, which no argument of a process can hold, so that it is read as text.
 */
function protectText(word: string): string {
  const maybeOption = word === "-" || word === "--" || /^--?[A-Za-z][\w-]*(=.*)?$/s.test(word);
  return word.startsWith("-") && !maybeOption ? `\0${word}` : word;
}

function restoreText(word: string): string {
  return word.startsWith("\0") ? word.slice(1) : word;
}

function restoreTexts(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === "string" ? restoreText(value) : value,
    ]),
  );
}

/** The parser's own errors, in our words: what is wrong, then what to do. */
function explain(error: CommanderError, argv: readonly string[]): LonghandError {
  const plain = error.message.replace(/^error: /, "").replaceAll("\0", "");
  const [sentence = "", suggestion = ""] = plain.split("\n");
  const nearest = /^\(Did you mean (.+)\?\)$/.exec(suggestion)?.[1];
  const hints: Record<string, string> = {
    "commander.unknownCommand": "See the commands with `longhand --help`.",
    "commander.unknownOption": "Put -- before text that begins with a dash, or see the options with --help.",
  };
  const hint =
    hints[error.code] ?? `See \`longhand ${argv.find((word) => !word.startsWith("-")) ?? ""} --help\`.`;
  return new LonghandError("usage", `${capitalise(sentence.replace(/\.$/, ""))}.`, {
    hint: nearest ? `Did you mean ${nearest}? ${hint}` : hint,
  });
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
