import type { IncomingMessage, ServerResponse } from "node:http";

/** None of our clients sends this much; any other is disconnected. */
const maxDiscardedBytes = 64 * 1024 * 1024;

/**
 * Responds to a request whose body is not needed, and closes the connection once the body has arrived. Closing earlier
 * resets the connection, and the client may never see the response; on Windows it rarely does.
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
    // The client has disconnected, or took too long.
  }
}
