import type { IncomingMessage } from "node:http";

/**
 * A body that is too large is still read up to this size: a client whose connection is closed while it sends does not
 * see the error.
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
