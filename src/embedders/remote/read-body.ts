/**
 * The body as text, or null when it has more than so many bytes after decompression. It is counted while it arrives,
 * so that neither a huge body nor a small one that unpacks to a huge one is ever held.
 */
export async function readBody(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return "";
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.length;
    // Leaving the loop cancels the body, and with it the transfer.
    if (size > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
