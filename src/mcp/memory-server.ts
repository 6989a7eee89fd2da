import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { LonghandError, messageOf } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import { localTime } from "../notes/local-time.ts";
import { allLines } from "../notes/read-lines.ts";
import { showsCitations } from "../search/location.ts";
import { showOnOneLine } from "../text/visible.ts";
import { type MemoryToolsOptions, memoryTools } from "../tools/memory-tools.ts";
import { memoryPromptSection } from "../tools/prompt-section.ts";
import { quoteNotes, untrustedNotice } from "../tools/quote-notes.ts";
import { mcpTools } from "../tools/schema-formats.ts";
import { isFailure, type MemoryTool } from "../tools/tool.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { noteUriTemplate, pathOfUri, type Subscriptions, uriOfNote } from "./subscriptions.ts";

export interface MemoryServerOptions extends MemoryToolsOptions {
  readonly memory: Memory;
  readonly version: string;
  readonly now: () => Date;
  /** The subscriptions of a client that keeps a session. */
  readonly subscriptions?: Subscriptions | undefined;
  /** For log messages; never sent to the client. */
  readonly onProblem: (problem: string) => void;
}

/** The number of notes on one page of a list. */
const notesPerPage = 500;

/**
 * One memory as an MCP server: tools, notes as resources, prompts. Each session gets its own object, which belongs to
 * one client; the memory is shared. The JSON Schemas of the tools are passed on unchanged, so every surface shows the
 * same. Results are text only, because some hosts show their model nothing else if there is structured content
 * (docs/decisions/2026-11-15-text-over-mcp.md).
 */
export function createMemoryServer(options: MemoryServerOptions): Server {
  const { memory, version, now, sessionKey, access, origin, subscriptions, onProblem } = options;
  const toolOptions = { sessionKey, access, origin };
  const tools = new Map(memoryTools(memory, toolOptions).map((tool) => [tool.name, tool]));
  const names = [...tools.keys()];
  const { citations } = memory.limits;
  const server = new Server(
    { name: "longhand", title: "longhand memory", version },
    {
      instructions: serverInstructions(memory, [...tools.values()], sessionKey),
      capabilities: { tools: {}, resources: { subscribe: true, listChanged: true }, prompts: {} },
    },
  );

  server.setRequestHandler("tools/list", () => ({ tools: mcpTools([...tools.values()]) as never }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = tools.get(params.name);
    if (tool === undefined) throw unknownTool(params.name, names);
    return await callTool(tool, params.arguments ?? {}, context, onProblem);
  });

  server.setRequestHandler("resources/list", async ({ params }, { mcpReq }) => {
    const notes = await answering(() => memory.listNotes({ sessionKey, signal: mcpReq.signal }));
    const start = readCursor(params?.cursor);
    const page = notes.slice(start, start + notesPerPage);
    return {
      resources: page.map(({ path }) => ({
        uri: uriOfNote(path),
        name: showOnOneLine(path),
        mimeType: "text/markdown",
      })),
      ...(start + notesPerPage < notes.length ? { nextCursor: String(start + notesPerPage) } : {}),
    };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: noteUriTemplate,
        name: "note",
        title: "A note of this memory",
        description: "By its path, such as MEMORY.md or memory/2026-03-02.md.",
        mimeType: "text/markdown",
      },
    ],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    const text = await readNote(uri, mcpReq.signal);
    return { contents: [{ uri, mimeType: "text/markdown", text }] };
  });
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }, { mcpReq }) => {
    const relPath = pathOfUri(uri);
    if (relPath === null) throw unknownNote(uri);
    // A client that may not read a note must not learn when it changes. A note that does not exist yet can be
    // subscribed to.
    await answering(() => memory.readFile({ relPath, lines: 1, sessionKey, signal: mcpReq.signal }));
    if (subscriptions?.add(uri) === false)
      throw refuse("There are too many subscriptions. End one with resources/unsubscribe.");
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscriptions?.remove(uri);
    return {};
  });

  server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts(names) }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    const prompt = getPrompt(params.name, params.arguments ?? {}, {
      today: localTime(now(), memory.timezone).day,
      isCited: showsCitations(citations, sessionKey),
      tools: names,
    });
    if (prompt === null)
      throw refuse(`There is no prompt ${params.name.slice(0, 64)}; prompts/list names them.`);
    if ("missing" in prompt) throw refuse(`The prompt ${params.name} needs the argument ${prompt.missing}.`);
    return prompt;
  });
  return server;

  /** The whole note at once: separate parts could come from different versions. */
  async function readNote(uri: string, signal: AbortSignal): Promise<string> {
    const relPath = pathOfUri(uri);
    if (relPath === null) throw unknownNote(uri);
    const note = await answering(() => memory.readFile({ relPath, ...allLines, sessionKey, signal }));
    if (note.totalLines === 0 && !(await isListed(relPath, signal))) throw unknownNote(uri);
    return quoteNotes([{ place: relPath, text: note.text }], { isTrusted: memory.workspace.isTrusted });
  }

  async function isListed(path: string, signal: AbortSignal): Promise<boolean> {
    const notes = await answering(() => memory.listNotes({ sessionKey, signal }));
    return notes.some((note) => note.path === path);
  }
}

/** Text that a host adds to its system prompt. */
export function serverInstructions(
  memory: Memory,
  tools: readonly Pick<MemoryTool, "name">[],
  sessionKey?: string,
): string {
  const section = memoryPromptSection({
    mode: "full",
    tools: tools.map(({ name }) => name),
    citations: memory.limits.citations,
    sessionKey,
  });
  return memory.workspace.isTrusted ? section : `${untrustedNotice}\n\n${section}`;
}

/** An error of the memory includes the next step. */
async function answering<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LonghandError) throw refuse(showOnOneLine(`${error.message} ${error.hint}`));
    throw error;
  }
}

async function callTool(
  tool: MemoryTool,
  input: unknown,
  { mcpReq }: ServerContext,
  onProblem: (problem: string) => void,
): Promise<CallToolResult> {
  const token = mcpReq._meta?.progressToken;
  let reported = Number.NEGATIVE_INFINITY;
  try {
    const answer = await tool.execute(input, {
      signal: mcpReq.signal,
      ...(token === undefined
        ? {}
        : {
            progress: ({ completed, total, label }) => {
              // The protocol requires progress to grow, but each phase of a sync starts at 0 again.
              if (completed <= reported) return;
              reported = completed;
              const message = showOnOneLine(label, 200);
              const params = { progressToken: token, progress: completed, total, message };
              mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
            },
          }),
    });
    const content = [{ type: "text" as const, text: tool.render(answer) }];
    return isFailure(answer) ? { content, isError: true } : { content };
  } catch (error) {
    if (mcpReq.signal.aborted) throw error;
    const reason = messageOf(error);
    onProblem(`${tool.name} failed: ${reason}`);
    const text = `${tool.name} could not be run: ${showOnOneLine(reason, 1000)} Try once more; if it fails again, go on without memory.`;
    return { content: [{ type: "text", text }], isError: true };
  }
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor)) throw refuse("The cursor of the list is not one that was given out.");
  return Number(cursor);
}

function unknownTool(name: string, names: readonly string[]): ProtocolError {
  return refuse(`There is no tool ${JSON.stringify(name.slice(0, 64))}; there are ${names.join(", ")}.`);
}

function unknownNote(uri: string): ProtocolError {
  return refuse(`${uri.slice(0, 200)} names no note of this memory; resources/list names them all.`);
}

function refuse(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/**
 * For a memory that the configuration disables. A host that finds no server would report an error at every start; a
 * server without tools, which says why, matches the user's choice.
 */
export function createDisabledServer(version: string): Server {
  const server = new Server(
    { name: "longhand", title: "longhand memory (disabled)", version },
    {
      instructions:
        "Memory is disabled by the user's configuration. There are no memory tools; go on without.",
      capabilities: { tools: {} },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [] }));
  return server;
}
