import type { CommandDefinition } from "../command.ts";
import { sessionKey } from "../global-options.ts";

/** Searching and reading the notes. */
export const readingCommands: readonly CommandDefinition[] = [
  {
    name: "search",
    summary: "Find the passages that answer a question",
    details: [
      "Ask in plain words; not all of them have to match. Hits name the file and the lines, best first. " +
        "Edits made since the last search are indexed first.",
      "Your own memory (add --scope user) is searched too; its notes are named user:PATH, which get takes.",
      "Put -- before a query that begins with a dash.",
    ],
    arguments: [
      { name: "QUERY", required: true, many: true, description: "the question; quotes are not needed" },
    ],
    options: [
      {
        flags: "-n, --max-results <N>",
        type: { kind: "number", whole: true, min: 1, max: 200 },
        description: "how many hits at most (default: query.maxResults, 6)",
      },
      {
        flags: "--min-score <X>",
        type: { kind: "number", whole: false, min: 0, max: 1 },
        description: "leave out hits below this score (default: query.minScore, 0.35)",
      },
      {
        flags: "--source <NAME>",
        type: { kind: "choice", choices: ["memory", "sessions"] },
        description: "only notes (memory) or only transcripts (sessions)",
      },
      {
        flags: "--scope <LAYER>",
        type: { kind: "choice", choices: ["project", "user"] },
        description: "only the project's memory, or only yours (default: both)",
      },
      {
        flags: "--since <DAY>",
        type: { kind: "text" },
        description: "only dated notes from this day on: YYYY-MM-DD, today, yesterday, 7d, 2w, 3m, 1y",
      },
      { flags: "--until <DAY>", type: { kind: "text" }, description: "only dated notes up to this day" },
      {
        flags: "--path <GLOB>",
        type: { kind: "text" },
        description: "only notes whose path matches, such as 'memory/projects/**'",
      },
      {
        flags: "--tag <TAG>",
        type: { kind: "text" },
        repeats: true,
        description: "only notes with this tag, or one below it; given again, notes must have all of them",
      },
      {
        flags: "--links-to <PATH>",
        type: { kind: "text" },
        description: "only notes that link to this note",
      },
      { flags: "--explain", description: "show how each score came about" },
      {
        flags: "--why-not <PATH:LINE>",
        type: { kind: "text" },
        description: "say why this line is not among the hits",
      },
      sessionKey,
    ],
    examples: [
      { command: 'longhand search "when do we ship?"', does: "ask a question" },
      { command: "longhand search deploy key --since 2w", does: "only in notes of the last two weeks" },
      { command: "longhand search budget --tag project/apollo", does: "only in notes with a tag" },
      { command: "longhand search deploy --why-not MEMORY.md:7", does: "find out why a line is not found" },
    ],
    json:
      "`{results: [{path, startLine, endLine, score, snippet, source, layer?, citation, headings, date, textScore, " +
      "vectorScore, supersededBy?}], mode, provider, model, degraded, stale}`, with `explain` and `whyNot` when asked for",
    load: async () => (await import("../commands/search.ts")).runSearch,
  },
  {
    name: "get",
    summary: "Print lines of a note",
    details: [
      "Takes what a hit shows: a path, PATH:FROM, PATH:FROM-TO, or a citation such as MEMORY.md#L5-L7. " +
        "At most 120 lines unless a range is given. Only notes of this memory can be read.",
    ],
    arguments: [
      {
        name: "PATH[:FROM[-TO]]",
        required: true,
        completes: "file",
        description: "the note, and which lines",
      },
    ],
    options: [
      {
        flags: "--from <N>",
        type: { kind: "number", whole: true, min: 1, max: 1_000_000_000 },
        description: "first line, counted from 1",
      },
      {
        flags: "--lines <N>",
        type: { kind: "number", whole: true, min: 1, max: 1_000_000_000 },
        description: "how many lines (default: 120)",
      },
      sessionKey,
    ],
    examples: [
      { command: "longhand get MEMORY.md", does: "read the beginning of a note" },
      { command: "longhand get memory/2026-03-01.md:12-20", does: "read nine lines of it" },
      { command: 'longhand get "MEMORY.md#L5-L7"', does: "read what a citation points at" },
    ],
    json: "`{path, text, from, lines, totalLines, nextFrom}`",
    load: async () => (await import("../commands/get.ts")).runGet,
  },
  {
    name: "links",
    summary: "Show the links from and to a note",
    details: [
      "Lists the tags and aliases of a note, its links ([[wikilinks]] and Markdown links to notes) with " +
        "their lines, broken ones among them, and the notes that link to it.",
      "A link is resolved from the folder of its note, from the workspace, by file name, or by an alias in the front matter.",
    ],
    arguments: [
      {
        name: "PATH",
        required: true,
        completes: "file",
        description: "the note, as a hit shows it, or its name as in a wikilink",
      },
    ],
    options: [
      {
        flags: "--all",
        description: "show all links, not only the first 20 of each kind; --json always has all",
      },
      sessionKey,
    ],
    examples: [
      { command: "longhand links memory/projects/apollo.md", does: "see the links and backlinks of a note" },
      {
        command: "longhand search budget --links-to memory/projects/apollo.md",
        does: "search the notes that link to it",
      },
    ],
    json: "`{path, missing?, tags, aliases, links: [{target, path?, line, heading?, title?, isEmbed?}], broken, backlinks: [{path, line, heading?, title?}]}`",
    load: async () => (await import("../commands/links.ts")).runLinks,
  },
  {
    name: "usage",
    summary: "Show which lines were recalled, and which never were",
    details: [
      "Counts how often lines were among the hits of a search, and when last. Counts are kept in the " +
        "state folder only, follow lines that move, and end with lines that are edited or forgotten. " +
        "memorySearch.usage.enabled switches them off.",
      "MEMORY.md is read at the start of a session without a search, so its lines may be used and not counted.",
    ],
    arguments: [{ name: "PATH", required: false, completes: "file", description: "only this note" }],
    options: [{ flags: "--never", description: "only lines that were never part of an answer" }],
    examples: [
      { command: "longhand usage --never", does: "list the lines that were never recalled" },
      { command: "longhand usage MEMORY.md", does: "show the lines of one note" },
    ],
    json: "`{enabled, since, notes: [{path, recalled: [{startLine, endLine, recalls, lastRecalled}], never: [{startLine, endLine}]}]}`",
    load: async () => (await import("../commands/usage.ts")).runUsage,
  },
];
