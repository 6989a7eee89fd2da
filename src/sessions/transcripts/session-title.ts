import { LonghandError } from "../../errors.ts";
import type { FoundTranscript } from "./find-transcripts.ts";
import { dropInserted } from "./inserted-text.ts";
import { readTranscript } from "./read-transcript.ts";
import { emptyState } from "./transcript-state.ts";

const maxTitleChars = 120;
/** What is read of a transcript to find its first message: hosts may begin with a long greeting. */
const readChars = 16_000;
/** A file that is one JSON value has to be read whole; above this a title is not worth that. */
const maxValueBytes = 1024 * 1024;

/** Finds out what a conversation is about: the beginning of its first user message, secrets masked. */
export function createTitleReader(
  literals: readonly string[],
): (found: FoundTranscript) => Promise<string | null> {
  // The first message of a conversation stays, so it is read once.
  const known = new Map<string, string>();
  return async (found) => {
    try {
      using transcript = found.open();
      if (transcript === null) return null;
      const { dev, ino } = transcript.stats();
      const key = `${found.path}:${dev}:${ino}`;
      const title = known.get(key);
      if (title !== undefined) return title;
      const isOneValue = !/\.jsonl(?:$|\.)/.test(found.path) && transcript.file !== null;
      if (isOneValue && found.sizeBytes() > maxValueBytes) return null;
      const state = emptyState("", { device: `${dev}`, inode: `${ino}`, scope: found.scope });
      const { lines } = await readTranscript(transcript, state, {
        literals,
        shown: found.path,
        partChars: readChars,
      });
      const read = titleOf(lines);
      if (read !== null) known.set(key, read);
      return read;
    } catch (error) {
      // A transcript that cannot be read is listed all the same.
      if (error instanceof LonghandError) return null;
      throw error;
    }
  };
}

function titleOf(lines: readonly string[]): string | null {
  for (const line of lines) {
    if (!line.startsWith("User: ")) continue;
    const text = dropInserted(line.slice("User: ".length))
      .replace(/^[#>*\s-]+/, "")
      .trim();
    if (text !== "") return cut(text);
  }
  return null;
}

function cut(text: string): string {
  if (text.length <= maxTitleChars) return text;
  const words = text.slice(0, maxTitleChars).replace(/\s+\S*$/, "");
  return `${words.replace(/[\ud800-\udbff]$/, "")} …`;
}
