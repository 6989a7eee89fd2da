import { setImmediate } from "node:timers/promises";
import { LonghandError } from "../errors.ts";
import type { Transcripts } from "../sessions/transcripts/transcripts.ts";

/** Looks at one line and remembers where it says the same; false when enough was found. */
export type VisitLine = (line: {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}) => boolean;

/** Others may run after so many lines. */
const linesAtOnce = 200;
const maxRestBytes = 64 * 1024 * 1024;

/** All transcripts that an agent reads, line by line, also those that are not in its index. */
export async function visitTranscripts(transcripts: Transcripts, visit: VisitLine): Promise<void> {
  const { found } = await transcripts.find();
  for (const { path, open } of found) {
    let line = 0;
    try {
      using transcript = open();
      if (transcript === null) continue;
      const all = transcript.end();
      let read = 0;
      for (const { bytes, end } of transcript.lines(0, all)) {
        read = end;
        line++;
        if (bytes !== null && !visit({ path, line, text: readJsonText(bytes.toString("utf8")) })) return;
        if (line % linesAtOnce === 0) await setImmediate();
      }
      // A file that is one JSON value need not end with a line break.
      const rest = transcript.file?.read(read, Math.min(all - read, maxRestBytes)).toString("utf8") ?? "";
      if (rest !== "" && !visit({ path, line: line + 1, text: readJsonText(rest) })) return;
    } catch (error) {
      // `sessions list` shows what cannot be read.
      if (!(error instanceof LonghandError)) throw error;
    }
  }
}

/** Text stands in JSON there. */
function readJsonText(text: string): string {
  return text.replaceAll(/\\(["\\/nt])/g, (_, mark: string) => (mark === "n" || mark === "t" ? " " : mark));
}
