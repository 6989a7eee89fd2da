import type { Readable, Writable } from "node:stream";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { withPlainError } from "./plain-error.ts";

interface StdioTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Called with every message before it is served; a request waits for the returned promise. */
  readonly onReceived?: (method: string) => Promise<void> | void;
  /** Called with every request once its response is sent. */
  readonly onAnswered?: (method: string) => void;
  /** The input has ended, and all requests are answered. */
  readonly onEnded: () => void;
}

/** After a client hangs up, its pending requests get at most this long; responses that are ready are still sent. */
const graceMs = 10_000;
/** Longer than any valid call; an entry of a note has at most 64 KiB. */
const maxLineBytes = 16 * 1024 * 1024;
/** If a client leaves this much unread, no more input is read. */
const maxUnreadBytes = 16 * 1024 * 1024;

/**
 * Messages as lines on two streams. Unlike the library's own transport, it answers invalid messages (otherwise a client
 * would wait forever), splits batches, skips lines that are too long, and answers everything received before the input
 * ended, so that `printf … | longhand mcp` works.
 */
export function createStdioTransport(options: StdioTransportOptions): Transport {
  const { input, output, onReceived, onAnswered, onEnded } = options;
  const pending = new Map<RequestId, string>();
  let isClosed = false;
  let hasEnded = false;
  let grace: NodeJS.Timeout | undefined;
  const lines = splitLines({
    maxBytes: maxLineBytes,
    onLine: receiveLine,
    onTooLong: () => refuse(null, tooLong),
  });

  const transport: Transport = {
    async start() {
      input.on("data", lines.push);
      input.on("error", end);
      input.once("end", end);
      input.once("close", end);
      // A client that has gone reads no responses.
      output.on("error", () => void transport.close());
      if (input.readableEnded || input.destroyed) setImmediate(end);
    },
    async send(message) {
      await write(withPlainError(message));
      if (!("id" in message) || "method" in message || message.id === undefined) return;
      const method = pending.get(message.id);
      pending.delete(message.id);
      if (method !== undefined) onAnswered?.(method);
      finish();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(grace);
      input.off("data", lines.push);
      input.pause();
      transport.onclose?.();
      onEnded();
    },
  };
  return transport;

  function receiveLine(line: string): void {
    const value = parseJson(line);
    if (value === undefined) refuse(null, notJson);
    else if (!Array.isArray(value)) receive(value);
    else if (value.length === 0) refuse(null, notAMessage);
    else for (const message of value) receive(message);
  }

  function receive(value: unknown): void {
    const message = parseMessage(value);
    if (message === null) {
      refuse(idOf(value), notAMessage);
      return;
    }
    if (isJSONRPCRequest(message)) {
      // A subscription is only answered when it ends, so nothing waits for it.
      if (message.method !== "subscriptions/listen") pending.set(message.id, message.method);
      const ready = onReceived?.(message.method);
      if (ready !== undefined) {
        void ready.finally(() => isClosed || transport.onmessage?.(message));
        return;
      }
    } else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      // Cancelled requests get no response.
      pending.delete((message.params as { requestId?: RequestId } | undefined)?.requestId ?? "");
      finish();
    }
    transport.onmessage?.(message);
  }

  function refuse(id: RequestId | null, error: { code: number; message: string }): void {
    void write({ jsonrpc: "2.0", id, error });
  }

  function write(message: object): Promise<void> {
    if (isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      output.write(`${JSON.stringify(message)}\n`, () => resolve());
      if (output.writableLength <= maxUnreadBytes || input.isPaused()) return;
      input.pause();
      output.once("drain", () => {
        if (!isClosed) input.resume();
      });
    });
  }

  function end(): void {
    if (hasEnded || isClosed) return;
    hasEnded = true;
    lines.end();
    grace = setTimeout(() => void transport.close(), graceMs);
    finish();
  }

  function finish(): void {
    if (hasEnded && pending.size === 0) void transport.close();
  }
}

const notJson = { code: -32_700, message: "The line is not JSON. Send one message on each line." };
const notAMessage = { code: -32_600, message: "This is not a JSON-RPC 2.0 message." };
const tooLong = { code: -32_600, message: `The message has more than ${maxLineBytes} bytes. Send less.` };

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseMessage(value: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return null;
  }
}

/** The id of a malformed request, so that the client can tell which one it was. */
function idOf(value: unknown): RequestId | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

interface LineSplitterOptions {
  readonly maxBytes: number;
  /** Not called for blank lines. */
  readonly onLine: (line: string) => void;
  /** Called when such a line ends; its content is discarded. */
  readonly onTooLong: () => void;
}

/** Assembles lines from chunks of any size. A line that is too long uses no more memory than the limit. */
export function splitLines({ maxBytes, onLine, onTooLong }: LineSplitterOptions) {
  let pieces: Buffer[] = [];
  let sizeBytes = 0;

  function keep(piece: Buffer): void {
    sizeBytes += piece.length;
    if (sizeBytes > maxBytes) pieces = [];
    else pieces.push(piece);
  }

  function endLine(): void {
    const line = Buffer.concat(pieces).toString("utf8");
    const isTooLong = sizeBytes > maxBytes;
    pieces = [];
    sizeBytes = 0;
    if (isTooLong) onTooLong();
    else if (line.trim() !== "") onLine(line);
  }

  return {
    push(chunk: Buffer): void {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        keep(chunk.subarray(start, end));
        endLine();
        start = end + 1;
      }
      keep(chunk.subarray(start));
    },
    /** The last line needs no line break. */
    end: endLine,
  };
}
