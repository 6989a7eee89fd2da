import { setImmediate } from "node:timers/promises";
import { LonghandError } from "../errors.ts";
import type { Transcripts } from "../sessions/transcripts/transcripts.ts";

/** Checks one line for the same statement; returns false once enough were found. */
type VisitLine = (line: { readonly path: string; readonly line: number; readonly text: string }) => boolean;

/** Yields to other tasks after this many lines. */
const linesAtOnce = 200;
const maxRestBytes = 64 * 1024 * 1024;

/** Visits every line of all transcripts that an agent reads, indexed or not. */
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
      // A file that is a single JSON value need not end with a line break.
      const rest = transcript.file?.read(read, Math.min(all - read, maxRestBytes)).toString("utf8") ?? "";
      if (rest !== "" && !visit({ path, line: line + 1, text: readJsonText(rest) })) return;
    } catch (error) {
      // Unreadable transcripts are reported by `sessions list`.
      if (!(error instanceof LonghandError)) throw error;
    }
  }
}

/** Transcripts hold text as JSON strings. */
function readJsonText(text: string): string {
  return text.replaceAll(/\\(["\\/nt])/g, (_, mark: string) => (mark === "n" || mark === "t" ? " " : mark));
}
