import { keyChoices, settableKeys } from "../../config/find-option.ts";
import type { CommandDefinition } from "../command.ts";

/** Settings, trust, models, the shell. */
export const settingsCommands: readonly CommandDefinition[] = [
  {
    name: "config",
    summary: "Show or change settings",
    details: [
      "With no action, lists every setting in effect and where it came from. Actions: get KEY prints one value, set KEY " +
        "VALUE and unset KEY change the configuration file, schema prints a JSON Schema for editors, path prints where " +
        "the file is looked for.",
      "A value is checked before anything is written, and comments in the file stay. A list is written as " +
        `"['a', 'b']", or as its only item. VALUE - is read from standard input, for keys.`,
      "--project writes for the memory that is used here, --user for all of yours. Without either, a setting goes where " +
        "this memory has it from, notes.*, extraPaths and exclude to the project, all others to the user.",
    ],
    arguments: [
      {
        name: "ACTION",
        required: false,
        choices: ["get", "set", "unset", "schema", "path"],
        description: "get, set, unset, schema or path",
      },
      {
        name: "KEY",
        required: false,
        get suggests() {
          return settableKeys();
        },
        description: "a setting, such as memorySearch.query.maxResults",
      },
      {
        name: "VALUE",
        required: false,
        // Computed when a shell asks for it, so that no command pays for it at startup.
        get suggestsAfter() {
          return keyChoices();
        },
        description: "for set: its new value",
      },
    ],
    options: [
      { flags: "--project", description: "change it for the memory that is used here" },
      { flags: "--user", description: "change it for all your memories" },
    ],
    examples: [
      { command: "longhand config", does: "show every setting and its origin" },
      { command: "longhand config get memorySearch.query.maxResults", does: "show one of them" },
      {
        command: "longhand config set memorySearch.query.maxResults 10",
        does: "show more hits, in every memory",
      },
      {
        command: "longhand config set memorySearch.exclude drafts/",
        does: "exclude a folder, in this project",
      },
      { command: "longhand config unset memorySearch.provider", does: "go back to the default" },
      { command: "longhand config schema > longhand.schema.json", does: "print a schema for your editor" },
    ],
    json: "a list of `{key, value, origin}`; `get` of one setting prints one of them, `set` and `unset` add `{scope, agent, path, changed}`, `path` prints `{path, exists}`",
    load: async () => (await import("../commands/config.ts")).runConfig,
  },
  {
    name: "trust",
    summary: "Let hooks give the notes of a workspace to your agents",
    details: [
      "A cloned repository may contain notes by strangers. Until you trust its workspace, hooks give an agent " +
        "nothing from it, and tools say that strangers may have written what they quote. `longhand init` trusts the " +
        "workspace it is run for; the default workspace and those that your configuration names are trusted.",
      "Only this folder is trusted, not its parent folders or subfolders. If it is moved, or another folder takes its " +
        "place, it has to be trusted again.",
    ],
    arguments: [
      {
        name: "DIR",
        required: false,
        completes: "folder",
        description: "the workspace; without it, the one that is used in the current folder",
      },
    ],
    options: [
      { flags: "--remove", description: "revoke the trust" },
      { flags: "--list", description: "show all trusted workspaces" },
    ],
    examples: [
      { command: "longhand trust", does: "trust the workspace that is used here" },
      { command: "longhand trust ~/projects/app --remove", does: "revoke the trust in a folder" },
      { command: "longhand trust --list", does: "see what is trusted" },
    ],
    json: "`{workspace, trusted}`; with --list `{workspaces: [{dir, by, since?, isThere?}]}`",
    load: async () => (await import("../commands/trust.ts")).runTrust,
  },
  {
    name: "models",
    summary: "Fetch, copy or list the files of local models",
    details: [
      "A larger model on this machine improves semantic search over the small one that comes with longhand, and nothing leaves " +
        "the machine. It needs the package node-llama-cpp and one file; see docs/local-models.md.",
      "list shows the files that are there. install fetches the configured model (local.modelPath), or the one that is " +
        "named; after an interrupted connection it resumes where it stopped. path prints where the configured file is.",
    ],
    arguments: [
      {
        name: "ACTION",
        required: true,
        choices: ["list", "install", "path"],
        description: "list, install or path",
      },
      {
        name: "MODEL",
        required: false,
        description: "for install: hf:owner/repository/file.gguf, or an https address",
      },
    ],
    options: [
      {
        flags: "--from <FILE>",
        type: { kind: "file" },
        description: "for install: copy this file instead of fetching one, for machines with no network",
      },
    ],
    examples: [
      { command: "longhand models install", does: "fetch the configured model" },
      { command: "longhand models install --from /media/stick/model.gguf", does: "copy it from a file" },
      { command: "longhand models list", does: "see which files are installed, and which is in use" },
    ],
    json:
      "list: `{modelCacheDir, configured, models: [{path, sizeBytes, state, dimensions, problem, configured, inUse}]}`; " +
      "install: `{path, sizeBytes, alreadyThere}`; path: `{path, exists}`",
    load: async () => (await import("../commands/models.ts")).runModels,
  },
  {
    name: "completion",
    summary: "Print a completion script for your shell",
    details: ["Completes commands, options and their values. The script is printed, nothing is installed."],
    arguments: [
      {
        name: "SHELL",
        required: true,
        choices: ["bash", "zsh", "fish", "powershell"],
        description: "bash, zsh, fish or powershell",
      },
    ],
    options: [],
    examples: [
      { command: "source <(longhand completion bash)", does: "in ~/.bashrc; for zsh in ~/.zshrc, with zsh" },
      {
        command: "longhand completion fish > ~/.config/fish/completions/longhand.fish",
        does: "for fish, once",
      },
      {
        command: "longhand completion powershell | Out-String | Invoke-Expression",
        does: "in the $PROFILE of PowerShell",
      },
    ],
    json: "`{shell, script}`",
    load: async () => (await import("../commands/completion.ts")).runCompletion,
  },
];
