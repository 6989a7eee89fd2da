import type { ServerResponse } from "node:http";
import { LonghandError } from "../errors.ts";
import { listen } from "../http/listen.ts";
import { openToken } from "../http/token.ts";
import type { Memory } from "../memory/memory.ts";
import {
  acceptsMcpMethod,
  createMcpEndpoint,
  type McpEndpoint,
  type McpEndpointOptions,
  refusalOf,
} from "./http-endpoint.ts";

interface McpHttpOptions extends McpEndpointOptions {
  readonly port: number;
  readonly host: string;
  /** The file with the token of an agent. */
  readonly tokenPathOf: (agentId: string) => string;
  /** Further agents to serve, each at its own address and with its own memory. */
  readonly otherAgents: readonly string[];
  readonly openAgent: (agentId: string) => Promise<Memory>;
}

interface McpHttpServer extends AsyncDisposable {
  readonly url: string;
  /** `/mcp` for the requested agent, `/mcp/<agent>` for each. */
  readonly endpoints: readonly string[];
  /** The token file of each of them. */
  readonly tokenFiles: Readonly<Record<string, string>>;
}

/** A memory that cannot be opened is reported with the reason, which the holder of the token may know. */
async function answerRefusals(response: ServerResponse, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof LonghandError) || response.headersSent) throw error;
    response.writeHead(503, { "content-type": "application/json" });
    response.end(refusalOf(`${error.message} ${error.hint}`));
  }
}

/** Serves one memory at `/mcp`, and those of other agents below it. The address alone decides which agent answers. */
export async function serveMcpOverHttp(options: McpHttpOptions): Promise<McpHttpServer> {
  const { port, host, tokenPathOf, otherAgents, openAgent, ...own } = options;
  const mainToken = openToken(tokenPathOf(own.memory.agentId));
  const tokens = new Map(otherAgents.map((id) => [`/mcp/${id}`, openToken(tokenPathOf(id))]));
  const main = createMcpEndpoint(own);
  const opened = new Map<string, Promise<{ memory: Memory; endpoint: McpEndpoint }>>();

  /** Opened at the first call, so that a server for many agents starts immediately. */
  function openOther(agentId: string): Promise<{ memory: Memory; endpoint: McpEndpoint }> {
    const opening =
      opened.get(agentId) ??
      openAgent(agentId).then((memory) => ({ memory, endpoint: createMcpEndpoint({ ...own, memory }) }));
    opened.set(agentId, opening);
    opening.catch(() => opened.delete(agentId));
    return opening;
  }

  const routes = new Map([
    ["/mcp", main.route],
    [`/mcp/${own.memory.agentId}`, main.route],
    ...otherAgents.map((agentId) => {
      const route: McpEndpoint["route"] = async (request, response, url) =>
        await answerRefusals(response, async () =>
          (await openOther(agentId)).endpoint.route(request, response, url),
        );
      return [`/mcp/${agentId}`, route] as const;
    }),
  ]);
  const listening = await listen({
    port,
    host,
    tokenOf: (path) => tokens.get(path) ?? mainToken,
    routeOf: (path) => routes.get(path) ?? null,
    accepts: (method, path) => routes.has(path) && acceptsMcpMethod(method),
    onProblem: own.onProblem,
  }).catch(async (error: unknown) => {
    await main[Symbol.asyncDispose]();
    throw error;
  });
  return {
    url: listening.url,
    endpoints: [...routes.keys()],
    tokenFiles: Object.fromEntries(
      [...routes.keys()].map((path) => [
        path,
        tokenPathOf(tokens.has(path) ? path.slice("/mcp/".length) : own.memory.agentId),
      ]),
    ),
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      await main[Symbol.asyncDispose]();
      for (const opening of opened.values()) {
        const other = await opening.catch(() => null);
        await other?.endpoint[Symbol.asyncDispose]();
        await other?.memory.close();
      }
    },
  };
}
