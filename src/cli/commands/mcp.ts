import type { Settings } from "../../config/settings.ts";
import type { Memory } from "../../memory.ts";
import { showHidden } from "../../text/visible.ts";
import { readVersion } from "../../version.ts";
import type { CommandContext } from "../command.ts";
import { placeOf, withMemory } from "../open.ts";

export interface McpInput {
  readonly http?: boolean;
  readonly port?: number;
  readonly host?: string;
  readonly allowWrites?: boolean;
  readonly readOnly?: boolean;
  readonly sessionKey?: string;
}

/** Serves agents over the Model Context Protocol. On stdio, standard output carries the protocol and nothing else. */
export async function runMcp(context: CommandContext, input: McpInput): Promise<void> {
  await withMemory(context, async (memory, settings) => {
    if (input.http) await serveHttp(context, input, memory, settings);
    else await serveStdio(context, input, memory);
  });
}

async function serveStdio(
  context: CommandContext,
  { readOnly = false, sessionKey }: McpInput,
  memory: Memory,
): Promise<void> {
  const { serveMcpOverStdio } = await import("../../mcp/stdio.ts");
  await serveMcpOverStdio({
    ...partsOf(context, sessionKey),
    memory,
    ...(readOnly ? { access: "read" } : {}),
    signal: context.signal,
  });
}

async function serveHttp(
  context: CommandContext,
  { port = defaultPort, host = "127.0.0.1", allowWrites = false, readOnly = false, sessionKey }: McpInput,
  memory: Memory,
  settings: Settings,
): Promise<void> {
  const { output, signal } = context;
  const { serveMcpOverHttp } = await import("../../mcp/http.ts");
  const { tokenPath } = await import("../../http/token.ts");
  const place = placeOf(context.globals);
  await using server = await serveMcpOverHttp({
    ...partsOf(context, sessionKey),
    port,
    host,
    tokenPath: tokenPath(settings.stateDir),
    memory,
    otherAgents: settings.configuredAgents.filter((id) => id !== settings.agentId),
    openAgent: async (agent) => {
      const { openMemory } = await import("../../memory.ts");
      const { config, stateDir } = place;
      return await openMemory({ agent, ...(config && { config }), ...(stateDir && { stateDir }) });
    },
    ...(allowWrites && !readOnly ? {} : { access: "read" }),
  });
  output.show(
    { url: `${server.url}/mcp`, tokenFile: tokenPath(settings.stateDir), endpoints: server.endpoints },
    ({ paint }) => server.endpoints.map((path) => `${paint("bold", server.url + path)}`).join("\n"),
  );
  output.note(`Clients send the text of ${tokenPath(settings.stateDir)} as \`Authorization: Bearer …\`.`);
  if (!isLoopback(host)) {
    output.note(
      output.paintNote(
        "red",
        `This server can be reached from other machines at ${host}, without encryption.`,
      ),
    );
  }
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

const defaultPort = 4756;

function partsOf({ output }: CommandContext, sessionKey: string | undefined) {
  return {
    version: readVersion(),
    now: () => new Date(),
    ...(sessionKey === undefined ? {} : { sessionKey }),
    onProblem: (problem: string) => output.note(`mcp: ${showHidden(problem)}`),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}
