import { memorySearchOptions } from "../../config/memory-search-options.ts";
import { hostList } from "../../hosts/host-list.ts";
import type { CommandDefinition, OptionDefinition } from "../command.ts";

/** Starting a memory. */
export const startCommands: readonly CommandDefinition[] = [
  {
    name: "init",
    summary: "Start a memory in a folder",
    details: [
      "Creates MEMORY.md, memory/ and the configuration file if they are missing. Existing files are not " +
        "changed.",
      "Without DIR, the memory is created in the current folder, unless --workspace, LONGHAND_WORKSPACE " +
        "or the configuration names another one.",
      "With a host, adds what it needs to its settings in the current folder; everything else in them " +
        "stays, comments included. Running it again changes nothing.",
      "Nothing is sent anywhere unless you say so: on a terminal, init asks if it finds the key of an " +
        "embedding service, and --provider writes your choice into the configuration.",
      "With --from-openclaw, DIR is the state folder of OpenClaw (the one with openclaw.json) or its " +
        "workspace; without it, init looks for ~/.openclaw, ~/.clawdbot and ~/clawd. Its memory settings " +
        "become the configuration, its transcripts are read in place, and matching vectors are imported. " +
        "Keys are not copied, and OpenClaw's files are not changed.",
      "The workspace is then trusted: hooks may give its notes to your agents. In a folder you did not " +
        "write yourself, such as a fresh clone, read its notes first.",
    ],
    arguments: [
      {
        name: "DIR",
        required: false,
        completes: "folder",
        description: "the folder; created if it is missing",
      },
    ],
    options: [
      ...hostList.map(
        ({ name, title, gets }): OptionDefinition => ({
          flags: `--${name}`,
          description: `connect ${title}: ${gets}`,
        }),
      ),
      { flags: "--all", description: "connect every host that is found on this machine" },
      { flags: "--allow-tools", description: "let the host search, read and add without asking each time" },
      {
        flags: "--provider <NAME>",
        type: { kind: "choice", choices: memorySearchOptions.options.provider.choices },
        description: "the embedding provider; openai, gemini, voyage and auto send text to a service",
      },
      { flags: "--from-openclaw", description: "import the settings, transcripts and vectors of OpenClaw" },
      { flags: "--user", description: "connect the host in all your projects instead of this one" },
      { flags: "--print", description: "only print what would be written, and where" },
      {
        flags: "--remove",
        description: "disconnect the host: take longhand out of its settings; notes stay",
      },
    ],
    examples: [
      { command: "cd my-project && longhand init", does: "start a memory here" },
      { command: "longhand init ~/notes", does: "start one in another folder" },
      { command: "longhand init --from-openclaw", does: "move in from OpenClaw" },
      { command: "longhand init --claude-code", does: "start one and connect Claude Code" },
      { command: "longhand init --codex --print", does: "see what would be written for Codex" },
      { command: "longhand init --all --user", does: "connect every host you have, in all projects" },
      { command: "longhand init --gemini --remove", does: "disconnect Gemini CLI" },
    ],
    json: "`{workspace, created: […]}`; paths in the workspace are relative to it. With a host also `hosts: [{host, files: [{path, purpose, state, snippet}], steps}]`. With --from-openclaw `{from, created, agents: [{id, workspace, transcripts, vectors}], left: [{key, reason}], keys: [{key, variable}], otherParts}`",
    load: async () => (await import("../commands/init.ts")).runInit,
  },
  {
    name: "adopt",
    summary: "Turn a vault or any folder of Markdown into a memory",
    details: [
      "Every Markdown file in the folder becomes a note: search finds it, and add, forget and the page edit it. No " +
        "file is moved or changed. Hidden folders (.obsidian, .trash), templates and attachments are left alone.",
      "Settings of Obsidian, Logseq, Dendron and Foam say where daily notes are; on a terminal adopt asks once where " +
        "new notes go, otherwise it takes what it found, or --new-notes.",
      "The choice is written into the configuration for this folder alone. The folder is then trusted: " +
        "hooks may give its notes to your agents.",
    ],
    arguments: [
      {
        name: "DIR",
        required: false,
        completes: "folder",
        description: "the folder; without it, the current one",
      },
    ],
    options: [
      {
        flags: "--new-notes <WHERE>",
        type: { kind: "text" },
        description: "a folder, or a path such as 'Daily/{date}.md', to which new entries go",
      },
      { flags: "--no-index", description: "leave indexing to the first search" },
      { flags: "--undo", description: "read only MEMORY.md and memory/ again" },
    ],
    examples: [
      { command: "cd ~/vault && longhand adopt", does: "adopt this folder; asks where new notes go" },
      { command: "longhand adopt ~/vault --new-notes Inbox.md", does: "write all new entries into one note" },
      { command: "longhand adopt docs --undo", does: "undo an adoption" },
    ],
    json: "`{workspace, agent, tool, notes, folders, newNotes, exclude, skipped, config, changed, index?}`; with --undo `{workspace, agent, config, changed}`",
    load: async () => (await import("../commands/adopt.ts")).runAdopt,
  },
];
