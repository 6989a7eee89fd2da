import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { followNotes } from "./follow-notes.ts";
import { createMemoryServer, type MemoryServerOptions } from "./memory-server.ts";
import { uriOfNote } from "./note-uri.ts";

export interface McpStdioOptions extends Omit<MemoryServerOptions, "onSubscribe" | "onUnsubscribe"> {
  readonly signal: AbortSignal;
}

/** Serves one client on standard input and output until it hangs up or the signal ends it. */
export async function serveMcpOverStdio({ signal, ...options }: McpStdioOptions): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const subscriptions = new Set<string>();
  let current: { server: Server; era: "legacy" | "modern" } | undefined;
  const handle = serveStdio(
    ({ era }) => {
      const server = createMemoryServer({
        ...options,
        onSubscribe: (uri) => subscriptions.add(uri),
        onUnsubscribe: (uri) => subscriptions.delete(uri),
      });
      current = { server, era };
      return server;
    },
    { onerror: (error) => options.onProblem(error.message) },
  );
  process.stdin.once("close", end);
  process.stdin.once("end", end);
  signal.addEventListener("abort", () => end(), { once: true });

  await using _following = followNotes(options.memory, {
    onProblem: options.onProblem,
    onChanged(paths, isListChanged) {
      if (current === undefined) return;
      const { server, era } = current;
      const onerror = (error: Error): void => options.onProblem(error.message);
      for (const uri of paths.map(uriOfNote)) {
        // A newer client's subscriptions are kept by the transport, which passes on what was asked for.
        if (era === "modern" || subscriptions.has(uri)) server.sendResourceUpdated({ uri }).catch(onerror);
      }
      if (isListChanged) server.sendResourceListChanged().catch(onerror);
    },
  });
  await ended;
  await handle.close();
}
