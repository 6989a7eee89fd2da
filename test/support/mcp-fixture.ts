import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { type ClientKind, connect, type McpClient, type ServerFixture } from "./mcp-clients.ts";
import { homeVariables } from "./platform.ts";
import type { CliFixture } from "./run-cli.ts";

export const transports = ["stdio", "http"] as const;

export function fillNotes(fixture: CliFixture): void {
  fixture.write("MEMORY.md", "# Facts\n\nThe launch code word is kingfisher.\n");
  fixture.write(
    "memory/2026-03-02.md",
    "# Monday\n\n- We ship on Fridays only.\n- Rollbacks need two people.\n",
  );
}

function stdioOf(fixture: CliFixture, ...argv: string[]): ServerFixture {
  const env = {
    PATH: process.env["PATH"]!,
    ...homeVariables(fixture.home),
    LONGHAND_STATE_DIR: fixture.stateDir,
    TZ: "UTC",
  };
  return { kind: "stdio", argv, cwd: fixture.project, env };
}

/** Starts the HTTP server on any free port, which it reads from the server's output. */
export async function startHttp(
  fixture: CliFixture,
  ...argv: string[]
): Promise<ServerFixture & { kind: "http" }> {
  const child = fixture.start({ keepInputOpen: true }, "mcp", "--http", "--port", "0", "--json", ...argv);
  const [line] = await once(child.stdout!, "data");
  const { url, tokenFile } = JSON.parse(String(line)) as { url: string; tokenFile: string };
  return { kind: "http", url, token: readFileSync(tokenFile, "utf8").trim() };
}

export async function openClient(
  t: TestContext,
  fixture: CliFixture,
  {
    kind,
    transport,
    argv = [],
  }: { kind: ClientKind; transport: (typeof transports)[number]; argv?: string[] },
): Promise<McpClient> {
  const server = transport === "stdio" ? stdioOf(fixture, ...argv) : await startHttp(fixture, ...argv);
  const client = await connect(kind, server);
  t.after(() => client.close());
  return client;
}
