import type { CommandDefinition } from "../command.ts";
import { sessionKey } from "../global-options.ts";

/** Searching, reading and changing the notes. */
export const noteCommands: readonly CommandDefinition[] = [
  {
    name: "search",
    summary: "Find what memory holds about a question",
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
        type: { kind: "integer", min: 1, max: 200 },
        description: "how many hits at most (default: query.maxResults, 6)",
      },
      {
        flags: "--min-score <X>",
        type: { kind: "number", min: 0, max: 1 },
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
      { flags: "--explain", type: { kind: "flag" }, description: "show how each score came about" },
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
      { command: "longhand search deploy --why-not MEMORY.md:7", does: "find out why a line is missing" },
    ],
    json:
      "`{results: [{path, startLine, endLine, score, snippet, source, layer?, citation, headings, date, textScore, " +
      "vectorScore, supersededBy?}], mode, provider, model, degraded, stale}`, with `explain` and `whyNot` when asked for",
    load: async () => (await import("../commands/search.ts")).runSearch,
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
    options: [sessionKey],
    examples: [
      { command: "longhand links memory/projects/apollo.md", does: "links and backlinks of a note" },
      {
        command: "longhand search budget --links-to memory/projects/apollo.md",
        does: "search in its backlinks",
      },
    ],
    json: "`{path, missing?, tags, aliases, links: [{target, path?, line, heading?, title?, isEmbed?}], broken, backlinks: [{path, line, heading?, title?}]}`",
    load: async () => (await import("../commands/links.ts")).runLinks,
  },
  {
    name: "usage",
    summary: "Show which lines were recalled, and which never were",
    details: [
      "Counts how often lines were part of the hits of a search, with the last day. Counts are kept in the " +
        "state folder only, follow lines that move, and end with lines that are edited or forgotten. " +
        "memorySearch.usage.enabled switches them off.",
      "MEMORY.md is read at the start of a session without a search, so its lines may be used and not counted.",
    ],
    arguments: [{ name: "PATH", required: false, completes: "file", description: "only this note" }],
    options: [
      {
        flags: "--never",
        type: { kind: "flag" },
        description: "only lines that were never part of an answer",
      },
    ],
    examples: [
      { command: "longhand usage --never", does: "lines that were never recalled" },
      { command: "longhand usage MEMORY.md", does: "the lines of one note" },
    ],
    json: "`{enabled, since, notes: [{path, recalled: [{startLine, endLine, recalls, lastRecalled}], never: [{startLine, endLine}]}]}`",
    load: async () => (await import("../commands/usage.ts")).runUsage,
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
        type: { kind: "integer", min: 1, max: 1_000_000_000 },
        description: "first line, counted from 1",
      },
      {
        flags: "--lines <N>",
        type: { kind: "integer", min: 1, max: 1_000_000_000 },
        description: "how many lines (default: 120)",
      },
      sessionKey,
    ],
    examples: [
      { command: "longhand get MEMORY.md", does: "the beginning of a note" },
      { command: "longhand get memory/2026-03-01.md:12-20", does: "nine lines of it" },
      { command: "longhand get 'MEMORY.md#L5-L7'", does: "what a citation points at" },
    ],
    json: "`{path, text, from, lines, totalLines, nextFrom}`",
    load: async () => (await import("../commands/get.ts")).runGet,
  },
  {
    name: "add",
    summary: "Write something down",
    details: [
      "Appends to today's note. When the command succeeds, the text is on disk. A text that is already " +
        "there is not written twice. Nothing is ever overwritten.",
      "A single line is compared with the notes first. If one of them already says this, even in other " +
        "words, its place is printed and nothing is written. If an older line contradicts it, that line is " +
        "named.",
    ],
    arguments: [
      {
        name: "TEXT",
        required: true,
        many: true,
        description: "what to remember, in Markdown; - reads it from standard input",
      },
    ],
    options: [
      {
        flags: "--to <WHERE>",
        type: { kind: "text" },
        description: "daily (default), long-term (MEMORY.md; default of --scope user), or the path of a note",
      },
      {
        flags: "--scope <LAYER>",
        type: { kind: "choice", choices: ["project", "user"] },
        description: "user: your own memory, which every project searches (default: project)",
      },
      {
        flags: "--heading <TEXT>",
        type: { kind: "text" },
        description: "put it under this heading, created if it is missing",
      },
      { flags: "--force", type: { kind: "flag" }, description: "write it even if a line already says this" },
    ],
    examples: [
      { command: 'longhand add "We ship on Fridays only." --to long-term', does: "keep a fact for good" },
      { command: 'longhand add "I prefer tabs." --scope user', does: "about you, for every project" },
      { command: "git log -1 --format=%B | longhand add -", does: "note what another program says" },
    ],
    json: "`{path, startLine, endLine, duplicate, nearDuplicate?, supersedes?: {path, line}}`",
    load: async () => (await import("../commands/add.ts")).runAdd,
  },
  {
    name: "forget",
    summary: "Remove lines from notes, and every trace of them from the index",
    details: [
      "Shows what would go and asks. PATH:FROM-TO means those lines, PATH:N one line, PATH alone the whole note, which " +
        "is deleted. --query finds whole entries (list items, paragraphs) and lets you choose among them.",
      "The note is edited only if it has not changed since it was shown. Tokens, vectors and cached " +
        "vectors of the text are deleted securely, and the raw bytes of the index are searched for it " +
        "afterwards; docs/forget.md says what that does not reach. Transcripts are never edited. Other " +
        "lines with the same text are named, not removed.",
    ],
    arguments: [
      {
        name: "PATH[:FROM-TO]",
        required: false,
        completes: "file",
        description: "the note, and which lines",
      },
    ],
    options: [
      {
        flags: "--query <TEXT>",
        type: { kind: "text" },
        description: "what to forget, in plain words, instead of a path",
      },
      { flags: "--yes", type: { kind: "flag" }, description: "do not ask; with --query, all that is found" },
      { flags: "--dry-run", type: { kind: "flag" }, description: "only show what would go" },
      {
        flags: "-n, --max-results <N>",
        type: { kind: "integer", min: 1, max: 200 },
        description: "with --query: how many hits to look at (default: 20)",
      },
      {
        flags: "--min-score <X>",
        type: { kind: "number", min: 0, max: 1 },
        description: "with --query: leave out hits below this score (default: query.minScore, 0.35)",
      },
    ],
    examples: [
      { command: "longhand forget MEMORY.md:12-14", does: "three lines, after showing them" },
      { command: 'longhand forget --query "old phone number"', does: "choose among what is found" },
      { command: "longhand forget memory/draft.md --yes", does: "a whole note, without asking" },
    ],
    json:
      "`{removed: [{path, startLine, endLine}], chunks, cacheEntries, skipped: [{path, reason}], receipt: {at, notes: " +
      "[{path, before, after}], removed: [{path, startLine, endLine, sha256}], complete, proof, pending, checked, stillIn: [{path, " +
      "line}], deletedFiles, alsoPurged, problems}}`; with `--dry-run` `passages: [{path, startLine, endLine, text}]` instead of " +
      "`receipt`; asking is not possible, so `--yes` or `--dry-run` is needed",
    load: async () => (await import("../commands/forget.ts")).runForget,
  },
  {
    name: "consolidate",
    summary: "Propose how to tidy the notes; apply what you choose",
    details: [
      "Shows a plan and changes nothing: repeated facts, lines that a newer one contradicts, lasting " +
        "facts in daily notes, relative dates, a MEMORY.md that outgrew its budget, and old notes that " +
        "were not recalled lately. Each step names its source lines, the change and the reason. Notes of today and " +
        "yesterday are left alone.",
      "--apply applies the steps you name, or all. A note that has changed since is left alone. Each " +
        "apply leaves a receipt, and --undo restores every byte of it.",
      "--reject remembers steps that should not be proposed again.",
      "A model can propose steps, too: --submit reads them from a JSON file, checks their source lines, " +
        "and adds them to the plan. They wait for your review like all others.",
    ],
    arguments: [
      {
        name: "ID",
        required: false,
        many: true,
        suggests: ["all"],
        description: "steps, by their ids, or all; with --undo, the receipt",
      },
    ],
    options: [
      {
        flags: "--apply",
        type: { kind: "flag" },
        description: "apply these steps; without ids, all of them",
      },
      { flags: "--reject", type: { kind: "flag" }, description: "do not propose these steps again" },
      {
        flags: "--undo",
        type: { kind: "flag" },
        description: "undo the last apply, or the named receipt",
      },
      { flags: "--receipts", type: { kind: "flag" }, description: "list what was applied" },
      {
        flags: "--submit <FILE>",
        type: { kind: "file" },
        description: "add the steps of a JSON file to the plan; - reads them from standard input",
      },
      {
        flags: "--scope <LAYER>",
        type: { kind: "choice", choices: ["project", "user"] },
        description: "the project's memory (default), or yours",
      },
      {
        flags: "--since <DAY>",
        type: { kind: "text" },
        description:
          "leave daily notes before this day alone: YYYY-MM-DD, yesterday, or an age such as 7d or 2w",
      },
    ],
    examples: [
      { command: "longhand consolidate", does: "see what could be tidied" },
      { command: "longhand consolidate --since 30d", does: "only the notes of the last 30 days" },
      { command: "longhand consolidate --apply 9304f37ccc b1f69a4f59", does: "apply two steps" },
      { command: "longhand consolidate --apply", does: "apply the whole plan" },
      { command: "longhand consolidate --undo", does: "take the last apply back" },
      { command: "longhand consolidate --reject 9304f37ccc", does: "never propose this step again" },
      { command: "longhand consolidate --scope user", does: "your own memory instead of the project's" },
    ],
    json:
      "the plan: `{steps: [{id, kind, reason, sources: [{path, startLine, endLine, text}], changes: [{path, startLine, " +
      "before, after, title?, movesTo?}], by?}], notes, skipped: [{path, reason}], rejected, budget: {path, chars, " +
      "maxChars} | null}`; with --apply `{receipt, applied: [step], refused: [{id, reason}]}`, with --reject `{rejected}`, " +
      "with --undo `{receipt, restored, removed}`, with --receipts `{receipts: [{id, at, state, steps, notes: [{path, before, " +
      "after}]}]}`, with --submit `{accepted, refused: [{index, reason}]}`",
    load: async () => (await import("../commands/consolidate.ts")).runConsolidate,
  },
];
