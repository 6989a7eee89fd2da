import type { CommandDefinition } from "../command.ts";

/** Changing the notes. */
export const writingCommands: readonly CommandDefinition[] = [
  {
    name: "add",
    summary: "Write something down",
    details: [
      "Appends to today's note. When the command succeeds, the text is on disk. Text that is already " +
        "there is not written again. Nothing is ever overwritten.",
      "A single line is compared with the notes first. If one of them already says this, even in other " +
        "words, its location is printed and nothing is written. If an older line contradicts it, that line is " +
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
        suggests: ["daily", "long-term"],
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
      { flags: "--force", description: "write it even if a line already says this" },
    ],
    examples: [
      { command: 'longhand add "We ship on Fridays only." --to long-term', does: "keep a fact for good" },
      {
        command: 'longhand add "I prefer tabs." --scope user',
        does: "keep a fact about you, for every project",
      },
      { command: "git log -1 --format=%B | longhand add -", does: "write down what another program prints" },
    ],
    json: "`{path, startLine, endLine, duplicate, nearDuplicate?, supersedes?: {path, line}}`",
    load: async () => (await import("../commands/add.ts")).runAdd,
  },
  {
    name: "forget",
    summary: "Remove lines from notes and every trace from the index",
    details: [
      "Shows what would be removed and asks for confirmation. PATH:FROM-TO means those lines, PATH:N one line, PATH alone the whole note, which " +
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
      { flags: "--yes", description: "do not ask; with --query, all that is found" },
      { flags: "--dry-run", description: "only show what would go" },
      {
        flags: "-n, --max-results <N>",
        type: { kind: "number", whole: true, min: 1, max: 200 },
        description: "with --query: how many hits to consider (default: 20)",
      },
      {
        flags: "--min-score <X>",
        type: { kind: "number", whole: false, min: 0, max: 1 },
        description: "with --query: leave out hits below this score (default: query.minScore, 0.35)",
      },
    ],
    examples: [
      { command: "longhand forget MEMORY.md:12-14", does: "remove three lines, after showing them" },
      {
        command: 'longhand forget --query "old phone number"',
        does: "choose among the entries that a query finds",
      },
      { command: "longhand forget memory/draft.md --yes", does: "delete a whole note, without asking" },
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
    summary: "Propose a consolidation of the notes; apply what you choose",
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
      { flags: "--apply", description: "apply these steps; without ids, all of them" },
      { flags: "--reject", description: "do not propose these steps again" },
      { flags: "--undo", description: "undo the last apply, or the named receipt" },
      { flags: "--receipts", description: "list what was applied" },
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
      { command: "longhand consolidate", does: "see what could be consolidated" },
      { command: "longhand consolidate --since 30d", does: "leave older daily notes alone" },
      { command: "longhand consolidate --apply 9304f37ccc b1f69a4f59", does: "apply two steps" },
      { command: "longhand consolidate --apply", does: "apply the whole plan" },
      { command: "longhand consolidate --undo", does: "undo the last apply" },
      { command: "longhand consolidate --reject 9304f37ccc", does: "never propose this step again" },
      {
        command: "longhand consolidate --scope user",
        does: "consolidate your own memory instead of the project's",
      },
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
