import type { CommandDefinition, OptionDefinition } from "./command.ts";

const sessionKey: OptionDefinition = {
  flags: "--session-key <KEY>",
  type: { kind: "text" },
  description: "who asks; in a group or channel session MEMORY.md stays private",
};

export const commands: readonly CommandDefinition[] = [
  {
    name: "init",
    summary: "Start a memory in a folder",
    details: [
      "Makes MEMORY.md, memory/ and the configuration file where they are missing. Nothing that is there is changed.",
      "With no DIR the memory is made in the current folder, unless --workspace, LONGHAND_WORKSPACE or the " +
        "configuration names another one.",
      "With a host, its settings in the current folder are given what they need to use this memory; everything else " +
        "in them stays as it is, comments included. Doing it again changes nothing.",
    ],
    arguments: [
      {
        name: "DIR",
        required: false,
        completes: "folder",
        description: "the folder; made when it is missing",
      },
    ],
    options: [
      {
        flags: "--claude-code",
        type: { kind: "flag" },
        description: "connect Claude Code: MCP server and hooks, in .mcp.json and .claude/settings.json",
      },
      {
        flags: "--codex",
        type: { kind: "flag" },
        description: "connect Codex: MCP server and hooks, in .codex/config.toml and .codex/hooks.json",
      },
      {
        flags: "--cursor",
        type: { kind: "flag" },
        description: "connect Cursor: MCP server, in .cursor/mcp.json",
      },
      {
        flags: "--vscode",
        type: { kind: "flag" },
        description: "connect VS Code: MCP server, in .vscode/mcp.json",
      },
      {
        flags: "--user",
        type: { kind: "flag" },
        description: "connect the host in all your projects instead of this one",
      },
      {
        flags: "--print",
        type: { kind: "flag" },
        description: "only print what would be written, and where",
      },
    ],
    examples: [
      { command: "cd my-project && longhand init", does: "a memory right here" },
      { command: "longhand init ~/notes", does: "a memory in another folder" },
      { command: "longhand init --claude-code", does: "and use it in Claude Code" },
      { command: "longhand init --codex --print", does: "see what Codex would need" },
    ],
    json: "`{workspace, created: […]}`; what lies in the workspace is named relative to it. With a host also `hosts: [{host, files: [{path, purpose, state, snippet}], steps}]`",
    load: async () => (await import("./commands/init.ts")).runInit,
  },
  {
    name: "index",
    summary: "Bring the index up to date with the notes",
    details: [
      "Reads what changed since the last time. Searching does this by itself; run it to see what happens, or " +
        "after a large import. The index is derived from the notes and may be deleted at any time.",
      "With --watch it stays and indexes changes as they are made, until Ctrl-C or SIGTERM. One process for an index " +
        "watches; a second one waits and takes over when the first ends. With --json it then prints one line of JSON " +
        "for the first pass and for each later one that found something to do.",
    ],
    arguments: [],
    options: [
      {
        flags: "--force",
        type: { kind: "flag" },
        description: "index every note again, and accept that most known notes are gone",
      },
      { flags: "--watch", type: { kind: "flag" }, description: "stay, and index changes as they are made" },
    ],
    examples: [
      { command: "longhand index", does: "index what changed" },
      { command: "longhand index --force", does: "index everything again" },
      { command: "longhand index --watch", does: "keep the index up to date" },
    ],
    json: "`{added, updated, removed, unchanged, failed: [{path, code, message}], chunks, embedded, cached, durationMs, withheld, left, degraded}`; with --watch a line of JSON for each pass",
    load: async () => (await import("./commands/index.ts")).runIndex,
  },
  {
    name: "search",
    summary: "Find what memory holds about a question",
    details: [
      "Ask in plain words; not all of them have to match. Hits name the file and the lines, best first. " +
        "Edits made since the last search are indexed first.",
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
      { command: "longhand search deploy --why-not MEMORY.md:7", does: "find out why a line is missing" },
    ],
    json:
      "`{results: [{path, startLine, endLine, score, snippet, source, citation, headings, date, textScore, " +
      "vectorScore}], mode, provider, model, degraded, stale}`, with `explain` and `whyNot` when asked for",
    load: async () => (await import("./commands/search.ts")).runSearch,
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
    load: async () => (await import("./commands/get.ts")).runGet,
  },
  {
    name: "add",
    summary: "Write something down",
    details: [
      "Appends to today's note. When the command has ended well, the text is on disk. A text that stands there " +
        "already is not written twice. Nothing is ever overwritten.",
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
        description: "daily (default), long-term (MEMORY.md), or the path of a note",
      },
      {
        flags: "--heading <TEXT>",
        type: { kind: "text" },
        description: "put it under this heading, made when it is missing",
      },
    ],
    examples: [
      { command: 'longhand add "We ship on Fridays only." --to long-term', does: "keep a fact for good" },
      { command: "git log -1 --format=%B | longhand add -", does: "note what another program says" },
    ],
    json: "`{path, startLine, endLine, duplicate}`",
    load: async () => (await import("./commands/add.ts")).runAdd,
  },
  {
    name: "forget",
    summary: "Take lines out of notes, and every trace of them out of the index",
    details: [
      "Shows what would go and asks. PATH:FROM-TO means those lines, PATH:N one line, PATH alone the whole note, which " +
        "is deleted. --query finds whole entries (list items, paragraphs) and lets you choose among them.",
      "The note is edited only if it still is as it was shown. Words, vectors and cached vectors of the text go with " +
        "secure delete, and the raw bytes of the index are searched for it afterwards; docs/forget.md says what that " +
        "does not reach. Transcripts are never edited. Lines that say the same elsewhere are named, not removed.",
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
      "[{path, before, after}], removed: [{path, startLine, endLine, sha256}], complete, checked, stillIn: [{path, " +
      "line}], deletedFiles, problems}}`; with `--dry-run` `passages: [{path, startLine, endLine, text}]` instead of " +
      "`receipt`; asking is not possible, so `--yes` or `--dry-run` is needed",
    load: async () => (await import("./commands/forget.ts")).runForget,
  },
  {
    name: "status",
    summary: "Show what is indexed, from where, and how fresh it is",
    details: [
      "Compares the index with the notes on disk and names what was skipped, with the reason.",
      "--fix mends the index where it is damaged or differs from the notes, removes what crashed work has left beside " +
        "it, and closes its files to other users. It says what it did, and ends with 1 when something is left to do.",
    ],
    arguments: [],
    options: [
      {
        flags: "--deep",
        type: { kind: "flag" },
        description: "also embed one word and search with it, to see that both work now",
      },
      { flags: "--fix", type: { kind: "flag" }, description: "mend what can be mended" },
    ],
    examples: [
      { command: "longhand status", does: "see whether all notes are indexed" },
      { command: "longhand status --deep", does: "see whether the embedder answers" },
      { command: "longhand status --fix", does: "mend the index" },
    ],
    json:
      "`{backend, provider, requestedProvider, files, chunks, dirty, agentId, workspaceDir, dbPath, extraPaths, " +
      "sources, sourceCounts, cache, fts, vector, batch: {enabled, failures, limit, pending, problem}, onDisk: {files, changed, added, gone, skipped}, sizeBytes, sizes, " +
      "meta, setAside, lastSync, watcher: {mode, pid, since}}`; `--deep` adds `probes: {embedding, vector}`, `--fix` " +
      "adds `fixed: {done, equal, differences}`",
    load: async () => (await import("./commands/status.ts")).runStatus,
  },
  {
    name: "mcp",
    summary: "Serve agents over the Model Context Protocol",
    details: [
      "On standard input and output, as agent programs start it. With --http, on a port of this machine: streamable " +
        "HTTP at /mcp, and at /mcp/AGENT for each configured agent, behind the token that stands in the file " +
        "http-token of the state folder. Over HTTP agents only read, unless --allow-writes is given.",
    ],
    arguments: [],
    options: [
      {
        flags: "--http",
        type: { kind: "flag" },
        description: "serve HTTP instead of standard input and output",
      },
      {
        flags: "--port <N>",
        type: { kind: "integer", min: 0, max: 65_535 },
        description: "with --http: the port (default 4756; 0 takes any free one)",
      },
      {
        flags: "--host <ADDRESS>",
        type: { kind: "text" },
        description: "with --http: another address than 127.0.0.1; then other machines can connect",
      },
      {
        flags: "--allow-writes",
        type: { kind: "flag" },
        description: "with --http: offer the tools that write",
      },
      { flags: "--read-only", type: { kind: "flag" }, description: "offer only the tools that read" },
      {
        flags: "--session-key <K>",
        type: { kind: "text" },
        description: "whose conversation it is; a group or channel sees no private notes",
      },
    ],
    examples: [
      { command: "claude mcp add longhand -- longhand mcp", does: "give Claude Code a memory" },
      { command: "longhand mcp --http --port 4756", does: "serve agents on this machine" },
    ],
    json: "with --http `{url, tokenFile, endpoints, warning}` once it listens; otherwise standard output carries the protocol",
    load: async () => (await import("./commands/mcp.ts")).runMcp,
  },
  {
    name: "tools",
    summary: "Show the tools that agents are given",
    details: [
      "The definitions from which MCP, the AI SDK and function calling are served: names, descriptions and schemas. " +
        "With --format they are printed as an API takes them, for programs that do not use the library.",
    ],
    arguments: [],
    options: [
      {
        flags: "--format <NAME>",
        type: { kind: "choice", choices: ["openai", "anthropic", "gemini", "mcp"] },
        description: "as JSON for openai, anthropic, gemini or mcp",
      },
      { flags: "--read-only", type: { kind: "flag" }, description: "only the tools that read" },
      sessionKey,
    ],
    examples: [
      { command: "longhand tools", does: "see what an agent can do" },
      { command: "longhand tools --format openai", does: "definitions for Chat Completions" },
    ],
    json: "`[{name, title, description, inputSchema, outputSchema, annotations}]`, or what --format names",
    load: async () => (await import("./commands/tools.ts")).runTools,
  },
  {
    name: "hook",
    summary: "Answer a hook of an agent host (Claude Code, Codex)",
    details: [
      "Reads the hook's JSON on standard input. session-start prints what to read first, user-prompt what memory " +
        "holds about the prompt, pre-compact writes down what is about to be lost, session-end brings the index up " +
        "to date. Each ends within two seconds and never stops the host: problems are told on standard error, and " +
        "the exit code is 0.",
      "`longhand init --claude-code` or `--codex` sets the hooks up.",
    ],
    arguments: [
      {
        name: "EVENT",
        required: true,
        description: "session-start, user-prompt, pre-compact or session-end",
      },
    ],
    options: [],
    examples: [
      {
        command: 'echo \'{"prompt":"when do we ship?"}\' | longhand hook user-prompt',
        does: "see what a host would be given",
      },
    ],
    json: "what the host expects: `{hookSpecificOutput: {hookEventName, additionalContext}}`, plain text for pre-compact",
    load: async () => (await import("./commands/hook.ts")).runHook,
  },
  {
    name: "sessions",
    summary: "List, import and show transcripts of conversations",
    details: [
      "list names the transcripts of this agent. show prints what was said in one of them, with the line of the " +
        "original and every secret masked; it takes an id or what a hit shows. import looks for transcripts of " +
        "Claude Code, Codex and Gemini CLI, or at the PATH that you name (a transcript, a folder, an export of " +
        "ChatGPT or Claude.ai), shows what it would take, and with --yes has it indexed where it is; nothing is " +
        "copied or changed.",
      "Searching transcripts is off until the configuration asks for it; docs/sessions.md says how.",
    ],
    arguments: [
      {
        name: "ACTION",
        required: true,
        choices: ["list", "import", "show"],
        description: "list, import or show",
      },
      {
        name: "TARGET",
        required: false,
        completes: "file",
        description: "for show: ID or ID:LINE; for import: a file or folder",
      },
    ],
    options: [
      { flags: "--yes", type: { kind: "flag" }, description: "with import: do it, not only show it" },
      {
        flags: "--turns <N>",
        type: { kind: "integer", min: 1, max: 1_000_000 },
        description: "with show: how many turns at most (default: 40)",
      },
    ],
    examples: [
      { command: "longhand sessions list", does: "what there is" },
      { command: "longhand sessions show 3f2a9c:120", does: "what was said from line 120 on" },
      { command: "longhand sessions import --yes", does: "search the talks with other programs too" },
    ],
    json:
      "list: `{sessions: [{id, path, file, format, turns, malformed, date, sizeBytes, scope, isImported, isIndexed}], " +
      "isIndexing}`; show: `{id, path, file, format, date, turns: [{line, text}], nextFrom}`; import: `{candidates: " +
      "[{path, formats, files, sizeBytes, others, isKnown}], imported, isIndexing}`",
    load: async () => (await import("./commands/sessions.ts")).runSessions,
  },
  {
    name: "verify",
    summary: "Compare the index with a fresh rebuild",
    details: [
      "Brings the index up to date, builds another one from the same notes in a temporary file, and compares: " +
        "documents, chunks, words, and the vectors of the builtin model. No service is asked for anything. Ends with 1 " +
        "when they differ; `longhand status --fix` then mends the index.",
    ],
    arguments: [],
    options: [],
    examples: [{ command: "longhand verify", does: "see whether the index is what the notes give" }],
    json: "`{equal, differences: [{kind, source, path, detail}], more, documents, chunks, vectorsCompared, durationMs}`",
    load: async () => (await import("./commands/verify.ts")).runVerify,
  },
  {
    name: "doctor",
    summary: "Check the installation, and say what to do",
    details: [
      "Looks at Node and SQLite, the configuration, the state folder, the notes, the index, the embedder, and for " +
        "likely secrets in notes. Nothing is changed and no service is asked. Ends with 1 when something should be done.",
    ],
    arguments: [],
    options: [],
    examples: [{ command: "longhand doctor", does: "find out what is wrong" }],
    json: "`{checks: [{name, ok, detail, fix}]}`; `fix` is null where nothing has to be done",
    load: async () => (await import("./commands/doctor.ts")).runDoctorCommand,
  },
  {
    name: "eval",
    summary: "Measure how well questions are answered",
    details: [
      "With DIR, asks the questions of a set (queries.jsonl and workspace/) or of every set in a folder of sets, " +
        "and compares the hits with the lines that are known to answer. Each set is indexed in a temporary folder, " +
        "with your settings. Without DIR, asks your own memory questions that are made from your notes: headings, " +
        "names, identifiers, dates, `key: value` lines and definitions.",
      "The figures are means over questions, 1 is best (0 for empty). recall@4000c is what the first hits show " +
        "within 4,000 characters. macro is the mean over sets. docs/eval.md explains all of them.",
    ],
    arguments: [
      {
        name: "DIR",
        required: false,
        completes: "folder",
        description: "a question set, or a folder of sets",
      },
    ],
    options: [
      {
        flags: "--compare <FILE>",
        type: { kind: "file" },
        description: "a second configuration, asked the same; shows differences with 95 % intervals",
      },
      {
        flags: "--sets <NAMES>",
        type: { kind: "text" },
        description: "only these sets (or kinds of generated questions), with commas between",
      },
      {
        flags: "--limit <N>",
        type: { kind: "integer", min: 1, max: 1_000_000 },
        description: "only the first questions of each set",
      },
      {
        flags: "--by <WHAT>",
        type: { kind: "choice", choices: ["category", "lang"] },
        description: "break the figures down by category or language",
      },
      {
        flags: "--off-topic <DIR>",
        type: { kind: "folder" },
        description: "also ask questions of another set, and show how many rightly get no hit",
      },
      {
        flags: "--results <FILE>",
        type: { kind: "file" },
        description: "write the hits of every question as JSON lines",
      },
    ],
    examples: [
      { command: "longhand eval", does: "check your own memory" },
      { command: "longhand eval --compare other.json5", does: "would other settings find more?" },
      { command: "longhand eval quality --by lang", does: "a question set, by language" },
    ],
    json:
      "one object: for each set `{n, nDCG@10, MRR@10, recall@5, recall@4000c, hit@5, recall@10, recall@1, empty, p50Ms, " +
      "p95Ms}` with `noAnswerEmpty`, `offTopicEmpty` and `by` where they apply; `macro` with the same; `compare` as " +
      "`{config, rows, differences}`; `warnings`; `generated` as `{questions, notes}`",
    load: async () => (await import("./commands/eval.ts")).runEval,
  },
  {
    name: "config",
    summary: "Show the settings in effect and where each came from",
    details: [
      "With no action, lists every setting. Actions: get KEY prints one value, schema prints a JSON Schema for " +
        "editors, path prints where the configuration file is looked for.",
    ],
    arguments: [
      {
        name: "ACTION",
        required: false,
        choices: ["get", "schema", "path"],
        description: "get, schema or path",
      },
      {
        name: "KEY",
        required: false,
        description: "for get: a setting, such as memorySearch.query.maxResults",
      },
    ],
    options: [],
    examples: [
      { command: "longhand config", does: "every setting and its origin" },
      { command: "longhand config get memorySearch.query.maxResults", does: "one of them" },
      { command: "longhand config schema > longhand.schema.json", does: "a schema for your editor" },
    ],
    json: "a list of `{key, value, origin}`; `get` of one setting prints one of them, `path` prints `{path, exists}`",
    load: async () => (await import("./commands/config.ts")).runConfig,
  },
  {
    name: "models",
    summary: "Fetch, copy or list the files of local models",
    details: [
      "A model on this machine finds more by meaning than the small one that comes with longhand, and nothing leaves " +
        "the machine. It needs the package node-llama-cpp and one file, which docs/local-models.md tells about.",
      "list shows the files that are there. install fetches the configured model (local.modelPath), or the one that is " +
        "named; after a cut connection it goes on where it stopped. path prints where the configured file is.",
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
      { command: "longhand models install --from /media/stick/model.gguf", does: "take it from a file" },
      { command: "longhand models list", does: "what is there, and what is in use" },
    ],
    json:
      "list: `{modelCacheDir, configured, models: [{path, sizeBytes, state, dimensions, problem, configured, inUse}]}`; " +
      "install: `{path, sizeBytes, alreadyThere}`; path: `{path, exists}`",
    load: async () => (await import("./commands/models.ts")).runModels,
  },
  {
    name: "completion",
    summary: "Print a completion script for your shell",
    details: ["Completes commands, options and their values. The script is printed, nothing is installed."],
    arguments: [
      {
        name: "SHELL",
        required: true,
        choices: ["bash", "zsh", "fish"],
        description: "bash, zsh or fish",
      },
    ],
    options: [],
    examples: [
      { command: "source <(longhand completion bash)", does: "in ~/.bashrc; for zsh in ~/.zshrc, with zsh" },
      {
        command: "longhand completion fish > ~/.config/fish/completions/longhand.fish",
        does: "for fish, once",
      },
    ],
    json: "`{shell, script}`",
    load: async () => (await import("./commands/completion.ts")).runCompletion,
  },
];
