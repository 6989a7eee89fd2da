import type { BigIntStats } from "node:fs";
import { openFile } from "./open-file.ts";
import type { TranscriptState } from "./transcript-state.ts";

export interface Grown {
  /** Absolute. */
  readonly path: string;
  readonly stats: BigIntStats;
  readonly state: TranscriptState;
}

/**
 * Whether so many bytes or lines were appended since. Lines are counted only when the bytes do not decide, so no more
 * than `deltaBytes` are read. `exchanged` when it is another file, or shorter.
 */
export function isGrownEnough(
  { path, stats, state }: Grown,
  {
    deltaBytes,
    deltaMessages,
    onBytes,
  }: { deltaBytes: number; deltaMessages: number; onBytes?: ((count: number) => void) | undefined },
): boolean | "exchanged" {
  const isSame = `${stats.dev}` === state.device && `${stats.ino}` === state.inode;
  const grownBytes = Number(stats.size) - state.offset;
  if (!isSame || grownBytes < 0) return "exchanged";
  if (grownBytes >= deltaBytes) return true;
  using file = openFile(path, { shown: path, onBytes });
  if (file === null) return "exchanged";
  let lines = 0;
  for (const byte of file.read(state.offset, grownBytes)) if (byte === newline) lines++;
  return lines >= deltaMessages;
}

const newline = 0x0a;
