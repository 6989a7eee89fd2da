export interface LineLimits {
  /** Of all lines together, after decompression. */
  readonly maxBytes: number;
  readonly maxLineBytes: number;
}

/**
 * Passes on the lines of a body while they arrive, one at a time; a file of any size takes the room of one line. False
 * when a limit is passed, and the rest is not read.
 */
export async function readLines(
  response: Response,
  { maxBytes, maxLineBytes }: LineLimits,
  onLine: (line: string) => Promise<void>,
): Promise<boolean> {
  let parts: Uint8Array[] = [];
  let lineBytes = 0;
  let allBytes = 0;
  const take = (): string => {
    const line = Buffer.concat(parts).toString("utf8");
    parts = [];
    lineBytes = 0;
    return line;
  };
  for await (const chunk of response.body ?? []) {
    allBytes += chunk.length;
    if (allBytes > maxBytes) return false;
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(newline, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      parts.push(part);
      lineBytes += part.length;
      if (lineBytes > maxLineBytes) return false;
      if (end === -1) break;
      await onLine(take());
      start = end + 1;
    }
  }
  if (lineBytes > 0) await onLine(take());
  return true;
}

const newline = 0x0a;
