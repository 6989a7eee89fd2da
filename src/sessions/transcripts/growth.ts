import type { OpenTranscript, TranscriptStats } from "./open-transcript.ts";
import type { TranscriptState } from "./transcript-state.ts";

export interface Grown {
  readonly stats: TranscriptStats;
  readonly state: TranscriptState;
  open(): OpenTranscript | null;
}

/**
 * Whether so many bytes or lines were appended since; no more is read than decides. `exchanged` when it is another
 * transcript, or shorter.
 */
export function isGrownEnough(
  { stats, state, open }: Grown,
  { deltaBytes, deltaMessages }: { deltaBytes: number; deltaMessages: number },
): boolean | "exchanged" {
  const isSame = `${stats.dev}` === state.device && `${stats.ino}` === state.inode;
  using transcript = isSame ? open() : null;
  if (transcript === null || transcript.end() < state.offset) return "exchanged";
  const end = transcript.end();
  // The positions of a file are its bytes.
  if (transcript.file !== null && end - state.offset >= deltaBytes) return true;
  let [lines, bytes] = [0, 0];
  for (const line of transcript.lines(state.offset, end)) {
    lines++;
    bytes += line.bytes?.length ?? deltaBytes;
    if (lines >= deltaMessages || bytes >= deltaBytes) return true;
  }
  return false;
}
