import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as CurrentStdio } from "@modelcontextprotocol/client/stdio";
import { Client as PreviousClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as PreviousStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as PreviousHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { hangLimitMs } from "./hang-limit.ts";
import { cliProgram } from "./programs.ts";

/** The part of a client that the tests use, for either library. */
export interface McpClient {
  listTools(): Promise<{ tools: { name: string; inputSchema: object; annotations?: object }[] }>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    onProgress?: (progress: { progress: number; total?: number | undefined }) => void,
  ): Promise<ToolResult>;
  listResources(params?: {
    cursor: string;
  }): Promise<{ resources: { uri: string }[]; nextCursor?: string | undefined }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: { text?: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: {
    name: string;
    arguments?: Record<string, string>;
  }): Promise<{ messages: { content: unknown }[] }>;
  /** Called for each note that changes. */
  subscribe(uri: string, onUpdated: (uri: string) => void): Promise<void>;
  close(): Promise<void>;
}

export interface ToolResult {
  readonly content: { type: string; text: string }[];
  readonly isError?: boolean;
}

export type ServerFixture =
  | {
      readonly kind: "stdio";
      readonly argv: readonly string[];
      readonly cwd: string;
      readonly env: Record<string, string>;
    }
  | { readonly kind: "http"; readonly url: string; readonly token: string };

export const clientKinds = ["newer protocol", "older protocol", "previous library"] as const;
export type ClientKind = (typeof clientKinds)[number];

/** The libraries time out after a minute, which can happen on a busy machine without any fault. */
const patient = { timeout: hangLimitMs };
const identity = { name: "test", version: "1.0.0" };

export async function connect(kind: ClientKind, fixture: ServerFixture): Promise<McpClient> {
  return kind === "previous library" ? await connectPrevious(fixture) : await connectCurrent(kind, fixture);
}

async function connectCurrent(kind: ClientKind, fixture: ServerFixture): Promise<McpClient> {
  const isNewer = kind === "newer protocol";
  const client = new CurrentClient(identity, {
    versionNegotiation: { mode: isNewer ? { pin: "2026-07-28" } : "legacy" },
  });
  await client.connect(
    fixture.kind === "stdio" ? new CurrentStdio(commandOf(fixture)) : new CurrentHttp(...addressOf(fixture)),
    patient,
  );
  return {
    ...basicsOf(client as never),
    callTool: async (params, onprogress) =>
      (await client.callTool(params, { ...patient, ...(onprogress && { onprogress }) })) as ToolResult,
    async subscribe(uri, onUpdated) {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => onUpdated(params.uri));
      if (isNewer) await client.listen({ resourceSubscriptions: [uri] });
      else await client.subscribeResource({ uri }, patient);
    },
  };
}

async function connectPrevious(fixture: ServerFixture): Promise<McpClient> {
  const { ResourceUpdatedNotificationSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const client = new PreviousClient(identity);
  const transport =
    fixture.kind === "stdio"
      ? new PreviousStdio(commandOf(fixture))
      : new PreviousHttp(...addressOf(fixture));
  await client.connect(transport as Parameters<typeof client.connect>[0], patient);
  return {
    ...basicsOf(client as never),
    callTool: async (params, onprogress) =>
      (await client.callTool(params, undefined, {
        ...patient,
        ...(onprogress && { onprogress }),
      })) as ToolResult,
    async subscribe(uri, onUpdated) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => onUpdated(params.uri));
      await client.subscribeResource({ uri }, patient);
    },
  };
}

type Basics = Omit<McpClient, "callTool" | "subscribe">;

/** The common interface of both libraries: each method takes options after its parameters. */
type LibraryClient = {
  readonly [Name in Exclude<keyof Basics, "close">]: (
    params: Parameters<Basics[Name]>[0],
    options: typeof patient,
  ) => ReturnType<Basics[Name]>;
} & Pick<Basics, "close">;

function basicsOf(client: LibraryClient): Basics {
  return {
    listTools: () => client.listTools(undefined, patient),
    listResources: (params) => client.listResources(params, patient),
    listResourceTemplates: () => client.listResourceTemplates(undefined, patient),
    readResource: (params) => client.readResource(params, patient),
    listPrompts: () => client.listPrompts(undefined, patient),
    getPrompt: (params) => client.getPrompt(params, patient),
    close: () => client.close(),
  };
}

function commandOf({ argv, cwd, env }: ServerFixture & { kind: "stdio" }) {
  return {
    command: process.execPath,
    args: [cliProgram, "mcp", ...argv],
    cwd,
    env,
    stderr: "ignore" as const,
  };
}

function addressOf({ url, token }: ServerFixture & { kind: "http" }) {
  return [new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }] as const;
}
