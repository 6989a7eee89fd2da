import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { serverInstructions } from "../src/mcp/memory-server.ts";
import type { Memory } from "../src/memory/memory.ts";
import { openMemory } from "../src/memory/open-memory.ts";
import { trustWorkspace } from "../src/memory/workspace-trust.ts";
import { memoryTools } from "../src/tools/memory-tools.ts";
import { anthropicTools } from "../src/tools/schema-formats.ts";
import { replaceSection } from "./replace-section.ts";

/** What longhand adds to a model's context, besides the text of the notes, in tokens of four characters. */
export interface AgentCost {
  readonly what: string;
  readonly when: "session" | "prompt" | "call";
  readonly tokens: number;
  /** A text over its budget must be shortened, or the budget raised for a reason. */
  readonly maxTokens: number;
}

const notes: Readonly<Record<string, string>> = {
  "MEMORY.md": "- The ledger service is the responsibility of Ines.\n",
  "memory/2026-03-02.md": "- We chose CockroachDB as the database of the ledger service.\n",
  "memory/2026-03-03.md": "- The database of the ledger service runs in Oslo.\n",
};
const question = "Which database does the ledger service use?";

/** Measured on the actual texts for hosts: the definitions, the tools and the hooks. */
export async function measureAgentCosts(): Promise<AgentCost[]> {
  const folder = mkdtempSync(join(tmpdir(), "longhand-costs-"));
  try {
    const workspace = join(folder, "notes");
    const stateDir = join(folder, "state");
    for (const [name, text] of Object.entries(notes)) {
      mkdirSync(dirname(join(workspace, name)), { recursive: true });
      writeFileSync(join(workspace, name), text);
    }
    // A busy machine must not make an answer stale, which adds a line to it.
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    const waits = { agents: { defaults: { memorySearch: { sync: { searchWaitMs: 60_000 } } } } };
    writeFileSync(join(stateDir, "longhand.json5"), JSON.stringify(waits));
    await trustWorkspace({ recordDir: stateDir, named: [] }, workspace, new Date());
    await using memory = await openMemory({ workspace, stateDir });
    const tools = memoryTools(memory);
    return [
      {
        what: "definitions of the three tools",
        when: "session",
        tokens: count(JSON.stringify(anthropicTools(tools))),
        maxTokens: 560,
      },
      {
        what: "instructions of the MCP server",
        when: "session",
        tokens: count(serverInstructions(memory, tools)),
        maxTokens: 105,
      },
      {
        what: "notes at the start, one note",
        when: "session",
        tokens: countAround(runHook("session-start", { workspace, stateDir })),
        maxTokens: 45,
      },
      {
        what: "hits with a prompt, three of them",
        when: "prompt",
        tokens: countAround(runHook("user-prompt", { workspace, stateDir })),
        maxTokens: 75,
      },
      {
        what: "answer of `memory_search`, three hits",
        when: "call",
        tokens: countAround(await answerOf(memory, "memory_search", { query: question, minScore: 0 })),
        maxTokens: 65,
      },
      {
        what: "answer of `memory_get`",
        when: "call",
        tokens: countAround(await answerOf(memory, "memory_get", { path: "MEMORY.md" })),
        maxTokens: 30,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The table of these figures in docs/agents.md. */
export async function withAgentCosts(page: string): Promise<string> {
  const rows = (await measureAgentCosts()).map(
    ({ what, when, tokens, maxTokens }) => `| ${what} | once a ${when} | ${tokens} | ${maxTokens} |`,
  );
  const table = ["| | | tokens | budget |", "|---|---|---|---|", ...rows].join("\n");
  return replaceSection(page, "agent costs", table);
}

async function answerOf(memory: Memory, name: string, input: object): Promise<string> {
  const tool = memoryTools(memory).find((each) => each.name === name)!;
  return tool.render(await tool.execute(input));
}

function runHook(event: string, { workspace, stateDir }: { workspace: string; stateDir: string }): string {
  const program = join(import.meta.dirname, "..", "src", "cli", "bin.ts");
  const { stdout } = spawnSync(process.execPath, [program, "hook", event, "--within", "120"], {
    cwd: workspace,
    encoding: "utf8",
    input: JSON.stringify({ cwd: workspace, session_id: "costs", prompt: question }),
    env: { ...process.env, LONGHAND_STATE_DIR: stateDir, HOME: dirname(workspace) },
  });
  return JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

/** The text without the lines of the notes, all of which must be in it. */
function countAround(text: string): number {
  const lines = Object.values(notes).map((note) => note.trim());
  const found = lines.filter((line) => text.includes(line));
  if (found.length === 0) throw new Error(`Nothing of the notes is in: ${text}`);
  return count(found.reduce((rest, line) => rest.replace(line, ""), text));
}

function count(text: string): number {
  return Math.ceil(text.length / 4);
}
