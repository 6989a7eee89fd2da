import type { Settings } from "../../config/settings.ts";
import type { Memory } from "../../memory/memory.ts";
import { flushProgressFolder } from "../../sessions/session-paths.ts";
import { isLoopback } from "../../text/loopback.ts";
import { showOnOneLine } from "../../text/visible.ts";
import { untilAborted } from "../../timing.ts";
import { readVersion } from "../../version.ts";
import type { CommandContext } from "../command.ts";
import { offerResident } from "../resident/offer-resident.ts";
import { openStdout } from "../standard-streams.ts";
import { openOtherAgent, withMemory } from "../with-memory.ts";
import { trustCommand } from "../workspace-advice.ts";

interface McpInput {
  readonly http?: boolean;
  readonly port?: number;
  readonly host?: string;
  readonly allowWrites?: boolean;
  readonly readOnly?: boolean;
  readonly sessionKey?: string;
}

/** Serves agents over the Model Context Protocol. On stdio, standard output carries the protocol and nothing else. */
export async function runMcp(context: CommandContext, input: McpInput): Promise<void> {
  const serve = async (memory: Memory, settings: Settings) => {
    if (!memory.workspace.isTrusted)
      context.output.note(
        `mcp: this workspace is not trusted. If you know who wrote its notes: ${trustCommand(settings)}`,
      );
    using _resident = offerResident(context.globals);
    const finishing = finishFlushes(context, memory, settings);
    if (input.http) await serveHttp(context, input, memory, settings);
    else await serveStdio(context, input, memory);
    await finishing;
  };
  const whenDisabled = input.http ? undefined : () => serveDisabled(context);
  await withMemory(context, serve, { whenDisabled, sessionKey: input.sessionKey });
}

/** Hosts start their servers with a session, and a server can finish what a hook had no time for. */
async function finishFlushes(
  { signal, output }: CommandContext,
  memory: Memory,
  settings: Settings,
): Promise<void> {
  const { openFlushProgress } = await import("../../flush/flush-progress.ts");
  const progress = openFlushProgress(flushProgressFolder(settings));
  if (progress.pending().length === 0) return;
  const { createTranscriptFlush } = await import("../../flush/flush-transcript.ts");
  const { problems } = await createTranscriptFlush({ memory, progress, signal }).finish();
  for (const problem of problems) output.note(`mcp: ${showOnOneLine(problem)}`);
}

/** A host that starts its servers automatically gets one that reports that memory is off, not a failed process. */
async function serveDisabled(context: CommandContext): Promise<void> {
  const { serveOverStdio } = await import("../../mcp/stdio.ts");
  const { createDisabledServer } = await import("../../mcp/memory-server.ts");
  const { version, onProblem } = partsOf(context, undefined);
  await serveOverStdio({ create: () => createDisabledServer(version), ...streamsOf(context), onProblem });
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
    ...streamsOf(context),
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
  const { tokenFileOf } = await import("../token-file.ts");
  const tokenPathOf = (agent: string) => tokenFileOf(settings, agent);
  await using server = await serveMcpOverHttp({
    ...partsOf(context, sessionKey),
    port,
    host,
    tokenPathOf,
    memory,
    otherAgents: settings.configuredAgents.filter((id) => id !== settings.agentId),
    openAgent: (agent) => openOtherAgent(context, agent),
    ...(allowWrites && !readOnly ? {} : { access: "read" }),
  });
  const warning = isLoopback(host)
    ? undefined
    : `This server can be reached from other machines at ${host}, without encryption.`;
  output.show(
    {
      url: `${server.url}/mcp`,
      tokenFile: tokenPathOf(settings.agentId),
      endpoints: server.endpoints,
      tokenFiles: server.tokenFiles,
      warning,
    },
    ({ paint }) => server.endpoints.map((path) => `${paint("bold", server.url + path)}`).join("\n"),
  );
  for (const [path, file] of Object.entries(server.tokenFiles))
    output.note(`Clients of ${path} send the text of ${file} as \`Authorization: Bearer …\`.`);
  if (warning) output.note(output.paintNote("red", warning));
  await untilAborted(signal);
}

const defaultPort = 4756;

function streamsOf({ signal }: CommandContext) {
  return { input: process.stdin, output: openStdout(), signal };
}

function partsOf({ output }: CommandContext, sessionKey: string | undefined) {
  return {
    version: readVersion(),
    now: () => new Date(),
    sessionKey,
    onProblem: (problem: string) => output.note(`mcp: ${showOnOneLine(problem)}`),
  };
}
