export interface LineSplitterOptions {
  readonly maxBytes: number;
  /** Not for lines that are blank. */
  readonly onLine: (line: string) => void;
  /** Called when such a line has ended; what it said is not kept. */
  readonly onTooLong: () => void;
}

/** Puts lines together from pieces of any size. A line that is too long costs no more memory than it may have. */
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
    /** The last line needs no end. */
    end: endLine,
  };
}
