import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { type ClientKind, connect, type McpClient, type ServerPlace } from "./mcp-clients.ts";
import { homeVariables } from "./platform.ts";
import type { CliPlace } from "./run-cli.ts";

export const transports = ["stdio", "http"] as const;

export function fillNotes(place: CliPlace): void {
  place.write("MEMORY.md", "# Facts\n\nThe launch code word is kingfisher.\n");
  place.write(
    "memory/2026-03-02.md",
    "# Monday\n\n- We ship on Fridays only.\n- Rollbacks need two people.\n",
  );
}

function stdioOf(place: CliPlace, ...argv: string[]): ServerPlace {
  const env = {
    PATH: process.env["PATH"]!,
    ...homeVariables(place.home),
    LONGHAND_STATE_DIR: place.stateDir,
    TZ: "UTC",
  };
  return { kind: "stdio", argv, cwd: place.project, env };
}

/** Starts the HTTP server on any free port and reads from its output where it listens. */
export async function startHttp(place: CliPlace, ...argv: string[]): Promise<ServerPlace & { kind: "http" }> {
  const child = place.start({ keepInputOpen: true }, "mcp", "--http", "--port", "0", "--json", ...argv);
  const [line] = await once(child.stdout!, "data");
  const { url, tokenFile } = JSON.parse(String(line)) as { url: string; tokenFile: string };
  return { kind: "http", url, token: readFileSync(tokenFile, "utf8").trim() };
}

export async function openClient(
  t: TestContext,
  place: CliPlace,
  {
    kind,
    transport,
    argv = [],
  }: { kind: ClientKind; transport: (typeof transports)[number]; argv?: string[] },
): Promise<McpClient> {
  const server = transport === "stdio" ? stdioOf(place, ...argv) : await startHttp(place, ...argv);
  const client = await connect(kind, server);
  t.after(() => client.close());
  return client;
}
