import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { TestContext } from "node:test";
import { describeSettings } from "../../src/config/describe.ts";
import type { PartialConfig } from "../../src/config/options.ts";
import { resolveSettings } from "../../src/config/settings.ts";
import type { Embedder } from "../../src/embedders/embedder.ts";
import { openToken, tokenPath } from "../../src/http/token.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { openConfiguredMemory } from "../../src/memory/open-memory.ts";
import { serveWeb, type WebServer, type WebServerOptions } from "../../src/web/serve-web.ts";
import { withMemorySearch } from "./memory-fixture.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";

export interface WebAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body, if it is JSON. */
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface WebCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export interface WebFixture {
  readonly folder: TemporaryFolder;
  readonly server: WebServer;
  readonly memory: Memory;
  readonly token: string;
  readonly problems: string[];
  /** Sends only the given credentials. Unlike `fetch`, it sends any header. */
  call(path: string, call?: WebCall): Promise<WebAnswer>;
  /** With the token. */
  api(path: string, call?: WebCall): Promise<WebAnswer>;
  /** Opens a new link like a browser; returns the `Cookie` to send from then on. */
  enter(): Promise<string>;
}

export interface WebFixtureOptions extends Partial<WebServerOptions> {
  readonly notes?: Readonly<Record<string, string>>;
  readonly config?: PartialConfig;
  readonly embedder?: Embedder;
}

/** A memory and its web server on a free port; both are closed when the test ends. */
export async function openWebFixture(t: TestContext, options: WebFixtureOptions = {}): Promise<WebFixture> {
  const { notes = {}, config = withMemorySearch({}), embedder, ...more } = options;
  const folder = makeTemporaryFolder(t);
  const workspace = folder.makeFolder("notes");
  const stateDir = folder.at("state");
  for (const [name, text] of Object.entries(notes)) folder.write(`notes/${name}`, text);
  const settings = await resolveSettings({ workspace, stateDir, agent: "main", overrides: config });
  const memory = await openConfiguredMemory(settings, embedder ? { embedder } : {});
  const problems: string[] = [];
  const server = await serveWeb({
    port: 0,
    host: "127.0.0.1",
    tokenPath: tokenPath(stateDir, { agentId: "main", isNamed: false }),
    memory,
    version: "1.2.3",
    now: () => new Date(),
    settings: () => describeSettings(settings),
    agents: settings.configuredAgents,
    isIndexingSessions: settings.memorySearch.sources.includes("sessions"),
    isReadOnly: false,
    allowsAgentWrites: false,
    onProblem: (problem) => problems.push(problem),
    pageDir: folder.at("page"),
    ...more,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  t.after(async () => {
    agent.destroy();
    await server[Symbol.asyncDispose]();
    await memory.close();
  });
  const token = openToken(tokenPath(stateDir, { agentId: "main", isNamed: false }));
  const call: WebFixture["call"] = (path, sent) => send(server.url + path, sent ?? {}, agent);
  return {
    folder,
    server,
    memory,
    token,
    problems,
    call,
    api: (path, { headers, ...rest } = {}) =>
      call(path, { ...rest, headers: { authorization: `Bearer ${token}`, ...headers } }),
    async enter() {
      const { headers } = await call(server.createLink().replace(server.url, ""));
      return headers["set-cookie"]![0]!.split(";")[0]!;
    },
  };
}

function send(
  url: string,
  { method = "GET", headers = {}, body }: WebCall,
  agent: Agent,
): Promise<WebAnswer> {
  const given = body === undefined ? {} : { "content-type": "application/json" };
  const all = Object.entries({ ...given, ...headers }).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: Object.fromEntries(all) as never }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(parts).toString();
        const isJson = response.headers["content-type"]?.startsWith("application/json");
        const json = isJson && text !== "" ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode!, headers: response.headers, text, json });
      });
    });
    sent.on("error", reject);
    const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    sent.end(isRaw ? body : JSON.stringify(body));
  });
}
