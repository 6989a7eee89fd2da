import type { IncomingMessage, ServerResponse } from "node:http";

/** No client of ours sends as much; whoever does is cut off. */
const maxDiscardedBytes = 64 * 1024 * 1024;

/**
 * Answers a request whose body is of no interest, and closes the connection once the body has arrived. A connection
 * that is closed before that is reset, and the client may never see the answer; on Windows it rarely does.
 */
export async function answerUnread(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, text }: { status: number; headers: Readonly<Record<string, string>>; text: string },
): Promise<void> {
  response.writeHead(status, {
    ...headers,
    "content-length": Buffer.byteLength(text),
    connection: "close",
  });
  response.write(text);
  await discardBody(request);
  response.end();
}

async function discardBody(request: IncomingMessage): Promise<void> {
  let sizeBytes = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += part.length;
      if (sizeBytes > maxDiscardedBytes) return;
    }
  } catch {
    // The client has left, or took too long.
  }
}
