import type { CommandDefinition } from "../command.ts";
import { sessionKey } from "../global-options.ts";

/** How agents and their programs connect. */
export const agentCommands: readonly CommandDefinition[] = [
  {
    name: "serve",
    summary: "Open the page and the HTTP API",
    details: [
      "Prints a link for the browser, which works once; the page can search, read, edit, add and forget. " +
        "Programs use /api (docs/http.md) and agents /mcp, with the token in the file http-token of the " +
        "state folder. Only this machine can connect. Notes are watched meanwhile, as configured.",
    ],
    arguments: [],
    options: [
      {
        flags: "--port <N>",
        type: { kind: "number", whole: true, min: 0, max: 65_535 },
        description: "the port (default 4755; 0 takes any free one)",
      },
      {
        flags: "--host <ADDRESS>",
        type: { kind: "text" },
        description: "another address than 127.0.0.1; then other machines can connect",
      },
      { flags: "--read-only", description: "refuse every change of a note" },
      { flags: "--allow-writes", description: "offer agents at /mcp the tools that write" },
    ],
    examples: [
      { command: "longhand serve", does: "browse the memory of this folder" },
      { command: "longhand serve --read-only --port 0", does: "read only, on any free port" },
    ],
    json: "`{url, link, tokenFile, warning}` once it listens",
    load: async () => (await import("../commands/serve.ts")).runServe,
  },
  {
    name: "mcp",
    summary: "Serve agents over the Model Context Protocol",
    details: [
      "On standard input and output, as agent programs start it. With --http, on a port of this machine: " +
        "streamable HTTP at /mcp, and at /mcp/AGENT for each configured agent, each with its own token: the " +
        "content of http-token in the state folder, or of http-tokens/AGENT for a named agent. Over HTTP " +
        "agents only read, unless --allow-writes is given.",
    ],
    arguments: [],
    options: [
      { flags: "--http", description: "serve HTTP instead of standard input and output" },
      {
        flags: "--port <N>",
        type: { kind: "number", whole: true, min: 0, max: 65_535 },
        description: "with --http: the port (default 4756; 0 takes any free one)",
      },
      {
        flags: "--host <ADDRESS>",
        type: { kind: "text" },
        description: "with --http: another address than 127.0.0.1; then other machines can connect",
      },
      { flags: "--allow-writes", description: "with --http: offer the tools that write" },
      { flags: "--read-only", description: "offer only the tools that read" },
      {
        flags: "--session-key <K>",
        type: { kind: "name" },
        description: "the session of the conversation; in a group or channel, private notes stay hidden",
      },
    ],
    examples: [
      { command: "claude mcp add longhand -- longhand mcp", does: "give Claude Code a memory" },
      { command: "longhand mcp --http --port 4756", does: "serve agents on this machine" },
    ],
    json: "with --http `{url, tokenFile, endpoints, tokenFiles, warning}` once it listens; otherwise standard output carries the protocol",
    load: async () => (await import("../commands/mcp.ts")).runMcp,
  },
  {
    name: "tools",
    summary: "Show the tools for agents",
    details: [
      "The definitions that MCP, the AI SDK and function calling use: names, descriptions and schemas. " +
        "--format prints them in the format of an API, for programs that do not use the library.",
    ],
    arguments: [],
    options: [
      {
        flags: "--format <NAME>",
        type: { kind: "choice", choices: ["openai", "openai-responses", "anthropic", "gemini", "mcp"] },
        description: "as JSON for openai, openai-responses, anthropic, gemini or mcp",
      },
      { flags: "--read-only", description: "only the tools that read" },
      sessionKey,
    ],
    examples: [
      { command: "longhand tools", does: "see what an agent can do" },
      { command: "longhand tools --format openai", does: "print the definitions for Chat Completions" },
    ],
    json: "`[{name, title, description, inputSchema, annotations}]`, or what --format names",
    load: async () => (await import("../commands/tools.ts")).runTools,
  },
  {
    name: "sessions",
    summary: "List, import and show transcripts of conversations",
    details: [
      "list names the transcripts of this agent. show prints what was said in one of them, with the line " +
        "of the original and every secret masked; it takes an id or what a hit shows. import looks for " +
        "transcripts of Claude Code, Codex, Gemini CLI, OpenCode and OpenClaw, or at the PATH that you name " +
        "(a transcript, a folder, an export of ChatGPT or Claude.ai), shows what it would import, and with " +
        "--yes indexes it in place; nothing is copied or changed.",
      "Searching transcripts is off by default; docs/sessions.md says how to switch it on.",
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
      { flags: "--yes", description: "with import: do it, not only show it" },
      {
        flags: "--turns <N>",
        type: { kind: "number", whole: true, min: 1, max: 1_000_000 },
        description: "with show: how many turns at most (default: 40)",
      },
    ],
    examples: [
      { command: "longhand sessions list", does: "list the transcripts" },
      { command: "longhand sessions show 3f2a9c:120", does: "read one from line 120 on" },
      { command: "longhand sessions import --yes", does: "also search conversations with other programs" },
    ],
    json:
      "list: `{sessions: [{id, path, file, format, turns, malformed, date, sizeBytes, scope, isImported, isIndexed}], " +
      "isIndexing}`; show: `{id, path, file, format, date, turns: [{line, text}], nextFrom}`; import: `{candidates: " +
      "[{path, formats, files, sizeBytes, others, isKnown}], imported, isIndexing}`",
    load: async () => (await import("../commands/sessions.ts")).runSessions,
  },
  {
    name: "hook",
    summary: "Answer a hook of an agent host (Claude Code, Codex)",
    details: [
      "Reads the hook's JSON on standard input. session-start prints what to read first, user-prompt what memory " +
        "has on the prompt (and with the entries plugin recalls and stores facts, if the configuration says so), " +
        "pre-compact saves what is about to be compacted away, session-end brings the index up " +
        "to date. Each ends within five seconds (session-end: two, pre-compact: nine), or the time that --within gives it, and never stops the host: " +
        "problems are reported on standard error, and the exit code is 0.",
      "In a workspace that is not trusted (see `longhand trust`), an agent gets no notes, and one line " +
        "says so.",
      "`longhand init` with the name of a host sets the hooks up.",
    ],
    arguments: [
      {
        name: "EVENT",
        required: true,
        description: "session-start, user-prompt, pre-compact or session-end",
      },
    ],
    options: [
      {
        flags: "--within <SECONDS>",
        type: { kind: "number", whole: false, min: 1, max: 600 },
        description:
          "for a slow machine: when it gives up (default 5, session-end 2, pre-compact 9); the host's own limit must be longer",
      },
    ],
    examples: [
      {
        command: 'echo \'{"prompt":"when do we ship?"}\' | longhand hook user-prompt',
        does: "see what a host would get",
      },
    ],
    json: "what the host expects: `{hookSpecificOutput: {hookEventName, additionalContext}}`, plain text for pre-compact",
    load: async () => (await import("../commands/hook.ts")).runHook,
  },
];
