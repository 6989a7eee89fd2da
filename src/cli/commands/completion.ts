import type { ArgumentDefinition, CommandContext, OptionDefinition } from "../command.ts";
import { commands } from "../commands.ts";
import { globalOptions } from "../global-options.ts";
import { optionNames } from "../parse-command-line.ts";

export async function runCompletion({ output }: CommandContext, { shell }: { shell: Shell }): Promise<void> {
  const script = completionScript(shell);
  output.show({ shell, script }, () => script);
}

export const shells = ["bash", "zsh", "fish", "powershell"] as const;

export type Shell = (typeof shells)[number];

/** The completion script of one shell. It contains the whole table, so completing starts no process. */
export function completionScript(shell: Shell): string {
  if (shell === "powershell") return powershellScript();
  if (shell === "fish") return fishScript();
  return shell === "zsh" ? zshScript() : bashScript();
}

/** Completion candidates: fixed words, file names or folder names. */
interface Values {
  readonly words?: readonly string[];
  readonly paths?: "file" | "folder";
}

function optionValues({ type, suggests }: OptionDefinition): Values | null {
  if (type === undefined) return null;
  if (type.kind === "choice") return { words: type.choices };
  if (type.kind === "file" || type.kind === "folder") return { paths: type.kind };
  return suggests === undefined ? {} : { words: suggests, paths: "file" };
}

function argumentValues({ choices, suggests, completes }: ArgumentDefinition): Values {
  const words = choices ?? suggests;
  return { ...(words && { words }), ...(completes && { paths: completes }) };
}

/** For all commands, values that depend on the previous word. */
function valuesByWord(): [word: string, values: readonly string[]][] {
  return commands.flatMap(({ arguments: words }) =>
    words.flatMap(({ suggestsAfter = {} }) => Object.entries(suggestsAfter)),
  );
}

function bashScript(): string {
  const reply = ({ words, paths }: Values) => {
    const parts = [words && `-W "${words.join(" ")}"`, paths === "file" && "-f", paths === "folder" && "-d"];
    const flags = parts.filter(Boolean).join(" ");
    return flags === "" ? "return" : `COMPREPLY=($(compgen ${flags} -- "$cur")); return`;
  };
  const valueCases = (options: readonly OptionDefinition[]) =>
    options.flatMap((option) => {
      const values = optionValues(option);
      return values === null ? [] : [`    ${optionNames(option).join("|")}) ${reply(values)} ;;`];
    });
  const later = commands.flatMap(({ name, arguments: [first, second] }) =>
    first?.choices && second?.suggests
      ? [
          `    ${first.choices.map((choice) => `"${name} ${choice}"`).join("|")}) words="${second.suggests.join(" ")}" ;;`,
        ]
      : [],
  );
  const own = commands.map(({ name, options, arguments: [first] }) => {
    const flags = options.flatMap(optionNames).join(" ");
    return `    ${name}) flags="${flags}"; words="${first?.choices?.join(" ") ?? ""}"; paths="${first?.completes ?? ""}" ;;`;
  });
  const names = commands.map(({ name }) => name).join(" ");
  const global = [...globalOptions.flatMap(optionNames), "--help"].join(" ");
  const valued = globalOptions.filter(optionValues).flatMap(optionNames).join("|");
  return `# bash completion for longhand; load it with: source <(longhand completion bash)
_longhand() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" flags="" words="" paths="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
    ${valued}) ((i++)) ;;
    -*) ;;
    *) command="\${COMP_WORDS[i]}"; break ;;
    esac
  done
  case "$prev" in
${valueCases([...globalOptions, ...commands.flatMap(({ options }) => options)])
  .filter((line, index, all) => all.indexOf(line) === index)
  .join("\n")}
${valuesByWord()
  .map(([word, words]) => `    ${word}) ${reply({ words })} ;;`)
  .join("\n")}
  esac
  case "$command" in
    "") words="${names} help" ;;
    help) words="${names}" ;;
${own.join("\n")}
  esac
  case "$command $prev" in
${later.join("\n")}
  esac
  if [[ "$cur" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags ${global}" -- "$cur"))
  elif [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  elif [[ "$paths" == folder ]]; then
    COMPREPLY=($(compgen -d -- "$cur"))
  elif [[ "$paths" == file ]]; then
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _longhand longhand
`;
}

function zshScript(): string {
  const quote = (text: string) => text.replace(/[[\]:\\]/g, "\\$&").replaceAll("'", "'\\''");
  const action = ({ words, paths }: Values) => {
    if (words && paths)
      return `{_alternative "words\\:value\\:(${words.join(" ")})" "files\\:file\\:_files"}`;
    if (words) return `(${words.join(" ")})`;
    return paths === "folder" ? "_files -/" : paths === "file" ? "_files" : " ";
  };
  const spec = (option: OptionDefinition) => {
    const values = optionValues(option);
    const names = optionNames(option);
    const head = names.length > 1 ? `'(${names.join(" ")})'{${names.join(",")}}` : `'${names[0]}'`;
    const tail = values === null ? "" : `:value:${action(values)}`;
    return `${head}'[${quote(option.description)}]${tail}'`;
  };
  const argument = (definition: ArgumentDefinition) => {
    const place = definition.many ? "*" : "";
    const name = quote(definition.name.toLowerCase().replace(/[^a-z].*$/s, ""));
    const after = Object.entries(definition.suggestsAfter ?? {});
    const cases = after.map(([word, words]) => `(${word}) compadd ${words.join(" ")};;`).join(" ");
    const values =
      after.length > 0 ? `{case $words[CURRENT-1] in ${cases} esac}` : action(argumentValues(definition));
    return `'${place}${definition.required || definition.many ? "" : ":"}:${name}:${values}'`;
  };
  const cases = commands.map(({ name, options, arguments: words }) => {
    const specs = [...options.map(spec), ...words.map(argument), "$global"];
    return `    ${name}) _arguments -s ${specs.join(" ")} ;;`;
  });
  const list = commands.map(({ name, summary }) => `    '${name}:${quote(summary)}'`);
  return `#compdef longhand
# zsh completion for longhand; load it with: source <(longhand completion zsh)
_longhand() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands global
  commands=(
${list.join("\n")}
    'help:Show help for a command'
  )
  global=(
    ${[...globalOptions.map(spec), "'(-h --help)'{-h,--help}'[show help]'"].join("\n    ")}
  )
  _arguments -C $global '1:command:->command' '*::argument:->argument'
  case $state in
  command) _describe -t commands command commands ;;
  argument)
    case $line[1] in
${cases.join("\n")}
    help) _describe -t commands command commands ;;
    esac ;;
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _longhand "$@"
else
  compdef _longhand longhand
fi
`;
}

function fishScript(): string {
  const quote = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const valuePart = ({ words, paths }: Values) =>
    [
      words && `-a ${quote(words.join(" "))}`,
      paths === "folder" && "-a '(__fish_complete_directories)'",
      paths === "file" && "-F",
    ]
      .filter(Boolean)
      .join(" ");
  const option = (definition: OptionDefinition, condition: string) => {
    const names = optionNames(definition).map((name) =>
      name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
    );
    const values = optionValues(definition);
    const takes =
      values === null
        ? ""
        : values.paths === "file"
          ? ` -r ${valuePart(values)}`
          : ` -x ${valuePart(values)}`;
    return `complete -c longhand${condition} ${names.join(" ")}${takes.trimEnd()} -d ${quote(definition.description)}`;
  };
  const lines = ["# fish completion for longhand", "complete -c longhand -f"];
  for (const { name, summary } of commands) {
    lines.push(`complete -c longhand -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`);
  }
  const names = commands.map(({ name }) => name).join(" ");
  lines.push(
    "complete -c longhand -n __fish_use_subcommand -a help -d 'Show help for a command'",
    `complete -c longhand -n '__fish_seen_subcommand_from help' -a ${quote(names)}`,
    "complete -c longhand -s h -l help -d 'show help'",
    ...globalOptions.map((definition) => option(definition, "")),
  );
  for (const {
    name,
    options,
    arguments: [first, second],
  } of commands) {
    const condition = ` -n '__fish_seen_subcommand_from ${name}'`;
    const values = first ? valuePart(argumentValues(first)) : "";
    if (values !== "") lines.push(`complete -c longhand${condition} ${values}`);
    if (first?.choices && second?.suggests) {
      const behind = ` -n '__fish_prev_arg_in ${first.choices.join(" ")}'`;
      lines.push(`complete -c longhand${condition}${behind} ${valuePart({ words: second.suggests })}`);
    }
    lines.push(...options.map((definition) => option(definition, condition)));
  }
  for (const [word, words] of valuesByWord()) {
    const condition = ` -n '__fish_seen_subcommand_from config; and __fish_prev_arg_in ${word}'`;
    lines.push(`complete -c longhand${condition} ${valuePart({ words })}`);
  }
  return `${lines.join("\n")}\n`;
}

function powershellScript(): string {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]) => `@(${words.map(quote).join(", ")})`;
  const values = (entries: readonly (readonly [string, readonly string[]])[]) =>
    entries
      .filter(([name], index) => entries.findIndex(([other]) => other === name) === index)
      .map(([name, words]) => `    ${quote(name)} = ${list(words)}`)
      .join("\n");
  const everyOption = [...globalOptions, ...commands.flatMap(({ options }) => options)];
  const optionEntries = everyOption.flatMap((option) => {
    const found = optionValues(option);
    return found === null ? [] : optionNames(option).map((name) => [name, found.words ?? []] as const);
  });
  const own = commands.map(
    ({ name, options, arguments: [first] }) =>
      `    ${quote(name)} = @{ flags = ${list(options.flatMap(optionNames))}; words = ${list(first?.choices ?? [])} }`,
  );
  const later = commands.flatMap(({ name, arguments: [first, second] }) =>
    first?.choices && second?.suggests
      ? first.choices.map((choice) => [`${name} ${choice}`, second.suggests!] as const)
      : [],
  );
  const names = commands.map(({ name }) => name);
  return `# PowerShell completion for longhand; load it in $PROFILE with:
#   longhand completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName longhand -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $global = ${list([...globalOptions.flatMap(optionNames), "--help"])}
  $commands = @{
${own.join("\n")}
  }
  $values = @{
${values([...optionEntries, ...valuesByWord()])}
  }
  $later = @{
${values(later)}
  }
  $given = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $previous = if ($given.Count -gt 0) { $given[-1] } else { '' }
  $command = ''
  for ($i = 0; $i -lt $given.Count; $i++) {
    if ($given[$i].StartsWith('-')) { if ($values.ContainsKey($given[$i])) { $i++ } } else { $command = $given[$i]; break }
  }
  if ($values.ContainsKey($previous)) { $words = $values[$previous] }
  elseif ($command -eq '' -or $command -eq 'help') { $words = ${list([...names, "help"])} }
  elseif (-not $commands.ContainsKey($command)) { $words = @() }
  elseif ($wordToComplete.StartsWith('-')) { $words = $commands[$command].flags + $global }
  elseif ($later.ContainsKey("$command $previous")) { $words = $later["$command $previous"] }
  else { $words = $commands[$command].words }
  if ($command -eq '' -and $wordToComplete.StartsWith('-')) { $words = $global }
  $words | Where-Object { $_.StartsWith($wordToComplete) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
