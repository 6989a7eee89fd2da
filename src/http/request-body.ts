import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * A body that is too large or not needed is still read up to this size: a client whose connection is closed while it
 * sends may never see the response; on Windows it rarely does. None of our clients sends more; any other is
 * disconnected.
 */
const maxDiscardedBytes = 64 * 1024 * 1024;

/** The whole body. The server's request timeout limits how long it may take. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | "too-large"> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes <= maxBytes) parts.push(part);
    else if (sizeBytes > maxDiscardedBytes) break;
  }
  return sizeBytes > maxBytes ? "too-large" : Buffer.concat(parts);
}

/** Responds to a request whose body is not needed, and closes the connection once the body has arrived. */
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
  // A failure means that the client has disconnected, or took too long.
  await readBody(request, 0).catch(() => {});
  response.end();
}
