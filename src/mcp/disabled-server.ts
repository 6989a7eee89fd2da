import { Server } from "@modelcontextprotocol/server";

/**
 * For a memory that the configuration switches off. A program that found no server would report a fault at every start;
 * one without tools, which says why, is what was asked for.
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
