import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { monotonicMs } from "../timing.ts";
import { type FollowedNotes, followNotes } from "./follow-notes.ts";
import { createMemoryServer, type MemoryServerOptions } from "./memory-server.ts";
import { createStdioTransport } from "./stdio-transport.ts";
import { createSubscriptions, uriOfNote } from "./subscriptions.ts";

interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

type McpStdioOptions = Omit<MemoryServerOptions, "subscriptions"> & StdioStreams;

/**
 * Starting the watcher scans all notes, which would delay a concurrent call. So it starts once the client has been
 * idle, with a longer delay before its first call than between calls; at the latest after some seconds, because without
 * a watcher every search scans the notes itself.
 */
const quietMs = { beforeCalls: 1000, betweenCalls: 300, atMost: 3000 };

/** Serves one client on two streams until it hangs up or the signal aborts. */
export async function serveMcpOverStdio(given: McpStdioOptions): Promise<void> {
  const { input, output, signal, ...options } = given;
  const subscriptions = createSubscriptions();
  let current: { server: Server; era: "legacy" | "modern" } | undefined;
  let following: FollowedNotes | undefined;
  let isOver = false;
  let quiet: NodeJS.Timeout | undefined;
  const latestMs = monotonicMs() + quietMs.atMost;

  await serveOverStdio({
    input,
    output,
    signal,
    onProblem: options.onProblem,
    create(era) {
      const server = createMemoryServer({ ...options, subscriptions });
      current = { server, era };
      return server;
    },
    onReceived: (method) => {
      if (!method.includes("subscri")) return followWhenQuiet(quietMs.beforeCalls);
      // A client that has its response may change a note immediately, and expects to be notified.
      follow();
      return following?.ready;
    },
    onAnswered: (method) => {
      if (method === "tools/call") followWhenQuiet(quietMs.betweenCalls);
    },
    onStarted: () => followWhenQuiet(quietMs.beforeCalls),
  });
  isOver = true;
  clearTimeout(quiet);
  await following?.[Symbol.asyncDispose]();

  function followWhenQuiet(ms: number): void {
    if (isOver || following !== undefined) return;
    clearTimeout(quiet);
    const left = latestMs - monotonicMs();
    quiet = setTimeout(follow, Math.max(0, Math.min(ms, left))).unref();
  }

  function follow(): void {
    if (isOver || following !== undefined) return;
    following = followNotes(options.memory, {
      sessionKey: options.sessionKey,
      onProblem: options.onProblem,
      onChanged: notifyClient,
    });
  }

  function notifyClient(paths: readonly string[], isListChanged: boolean): void {
    if (current === undefined) return;
    const { server, era } = current;
    const onerror = (error: Error): void => options.onProblem(error.message);
    for (const path of paths) {
      // The library keeps a newer client's subscriptions and passes on what was requested.
      const uri = era === "modern" ? uriOfNote(path) : subscriptions.addressOf(path);
      if (uri !== null) server.sendResourceUpdated({ uri }).catch(onerror);
    }
    if (isListChanged) server.sendResourceListChanged().catch(onerror);
  }
}

interface StdioServerOptions extends StdioStreams {
  readonly create: (era: "legacy" | "modern") => Server;
  readonly onProblem: (problem: string) => void;
  /** A request waits for the returned promise. */
  readonly onReceived?: (method: string) => Promise<void> | void;
  readonly onAnswered?: (method: string) => void;
  readonly onStarted?: () => void;
}

/** Connects any server object to two streams. */
export async function serveOverStdio(options: StdioServerOptions): Promise<void> {
  const { input, output, create, signal, onProblem, onReceived, onAnswered, onStarted } = options;
  const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
  const transport = createStdioTransport({
    input,
    output,
    onEnded,
    ...(onReceived && { onReceived }),
    ...(onAnswered && { onAnswered }),
  });
  const onerror = (error: Error): void => onProblem(error.message);
  const handle = serveStdio(({ era }) => create(era), { transport, onerror });
  signal.addEventListener("abort", () => onEnded(), { once: true });
  if (signal.aborted) onEnded();
  onStarted?.();
  await ended;
  await handle.close();
}
