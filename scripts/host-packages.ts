import type { HostName } from "../src/hosts/host-list.ts";
import { harmlessTools, hostSetup } from "../src/hosts/hosts.ts";
import { getPrompt, listPrompts } from "../src/mcp/prompts.ts";
import { memoryPromptSection } from "../src/tools/prompt-section.ts";
import { readVersion } from "../src/version.ts";

/**
 * The packages that hosts install themselves, as files by path: a marketplace with a plugin for Claude Code and Codex,
 * and an extension for Gemini CLI. Servers and hooks are those that `longhand init` writes; commands are those that the
 * MCP server offers as prompts. OpenCode's plugin is a program; only its commands are generated here.
 */
export function hostPackages(): Record<string, (current: string) => string> {
  const version = readVersion();
  const about = { name: "longhand", version, description };
  const author = { name: "longhand" };
  const listed = { name: "longhand", source: "./plugins/longhand", description, version };
  const files: Record<string, string> = {
    ".claude-plugin/marketplace.json": json({
      name: "longhand",
      owner: author,
      metadata: { description, version },
      plugins: [listed],
    }),
    "plugins/longhand/.claude-plugin/plugin.json": json({ ...about, author, license: "MIT" }),
    "plugins/longhand/.mcp.json": partOf("claude-code", "MCP server"),
    "plugins/longhand/hooks/hooks.json": partOf("claude-code", "hooks"),
    "plugins/longhand/skills/memory/SKILL.md": skill,
    "plugins/gemini/gemini-extension.json": json({ ...about, ...JSON.parse(partOf("gemini", "MCP server")) }),
    "plugins/gemini/hooks/hooks.json": partOf("gemini", "hooks"),
    "plugins/gemini/skills/memory/SKILL.md": skill,
    ...Object.fromEntries(
      commands().flatMap(({ name, title, write }) => [
        [`plugins/longhand/commands/${name}.md`, claudeCommand(name, title, write("$ARGUMENTS"))],
        [`plugins/gemini/commands/${name}.toml`, geminiCommand(title, write("{{args}}"))],
      ]),
    ),
  };
  return {
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [path, () => text])),
    "plugins/opencode/longhand.js": withCommands,
  };
}

const description =
  "Memory for agents in plain Markdown notes: search, read and add, kept across conversations.";

const tools = ["memory_search", "memory_get", "memory_add"];

const skill = `---
name: memory
description: Look up and write down what should outlive this conversation. Use it for earlier work, decisions, preferences, people, dates and open tasks, and when the user says to remember something.
---

${memoryPromptSection({ mode: "full", tools, citations: true })}

- Notes are Markdown files: MEMORY.md for what stays true for months, memory/YYYY-MM-DD.md for each day.
- Ask memory_search in plain words. Names, identifiers and error texts are found exactly.
- Correct an outdated fact by adding the new one with its date; the notes keep their history.
`;

interface Command {
  readonly name: string;
  readonly title: string;
  write(args: string): string;
}

/** The prompts that a user can start by name; in these hosts, hooks run the flush before a compaction. */
function commands(): Command[] {
  const place = { tools, isCited: true, today: "" };
  return listPrompts(tools)
    .filter(({ name }) => name !== "save-before-compaction")
    .map(({ name, description: title = name, arguments: words = [] }) => ({
      name,
      title,
      write(args) {
        const values = Object.fromEntries(words.map((word) => [word.name, args]));
        const prompt = getPrompt(name, values, place);
        if (prompt === null || "missing" in prompt) throw new Error(`The prompt ${name} cannot be written.`);
        return (prompt.messages[0]!.content as { text: string }).text;
      },
    }));
}

/** The commands that write after the user has agreed; all others may only read without asking. */
const writingCommands = ["remember", "review"];

function claudeCommand(command: string, title: string, text: string): string {
  const isAllowed = (tool: string) => writingCommands.includes(command) || !/_(?:add|store)$/.test(tool);
  // Claude Code's tool names contain both the plugin and the server.
  const allowed = harmlessTools
    .filter(isAllowed)
    .map((tool) => `mcp__plugin_longhand_longhand__${tool}`)
    .join(", ");
  return `---\ndescription: ${title}\nallowed-tools: ${allowed}\n---\n\n${text}\n`;
}

function geminiCommand(title: string, text: string): string {
  return `description = ${JSON.stringify(title)}\nprompt = ${JSON.stringify(text)}\n`;
}

function withCommands(current: string): string {
  const list = commands().map(({ name, title, write }) => [
    name,
    { description: title, template: write("$ARGUMENTS") },
  ]);
  const line = `const commands = ${JSON.stringify(Object.fromEntries(list))};`;
  if (!/^const commands = /m.test(current))
    throw new Error("The plugin of OpenCode has no line for commands.");
  return current.replace(/^const commands = .*$/m, () => line);
}

function partOf(host: HostName, purpose: string): string {
  const { parts } = hostSetup(host, {
    scope: "project",
    projectDir: "/",
    hostHome: "/",
    launch: { command: "longhand", args: [] },
    options: [],
    allowsTools: false,
  });
  return parts.find((part) => part.purpose === purpose)!.snippet;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
