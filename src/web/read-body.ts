import type { IncomingMessage } from "node:http";

const mostBytes = 1024 * 1024;
/** What is too large is still read up to here: who is cut off while sending does not see the answer that says why. */
const mostDiscardedBytes = 64 * mostBytes;

/** The bytes of a body of up to 1 MiB. How long it may take is up to the server's time limit. */
export async function readBody(request: IncomingMessage): Promise<Buffer | "too-large"> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes <= mostBytes) parts.push(part);
    else if (sizeBytes > mostDiscardedBytes) break;
  }
  return sizeBytes > mostBytes ? "too-large" : Buffer.concat(parts);
}
