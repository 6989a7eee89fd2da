import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { systemErrorCode } from "../errors.ts";
import type { Transcripts } from "../sessions/transcripts/transcripts.ts";

/** Looks at one line and remembers where it says the same; false when enough was found. */
export type VisitLine = (line: {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}) => boolean;

/** All transcripts that an agent reads, line by line, also those that are not in its index. */
export async function visitTranscripts(transcripts: Transcripts, visit: VisitLine): Promise<void> {
  const { found } = await transcripts.find();
  for (const { path, file } of found) {
    const lines = createInterface({ input: createReadStream(file) });
    let line = 0;
    try {
      for await (const text of lines) if (!visit({ path, line: ++line, text: readJsonText(text) })) return;
    } catch (error) {
      // What cannot be read is told by `sessions list`.
      if (systemErrorCode(error) === undefined) throw error;
    }
  }
}

/** Text stands in JSON there. */
function readJsonText(text: string): string {
  return text.replaceAll(/\\(["\\/nt])/g, (_, mark: string) => (mark === "n" || mark === "t" ? " " : mark));
}
