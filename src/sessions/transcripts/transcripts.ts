import { sha256 } from "../../text/hash.ts";
import { type FoundTranscripts, findTranscripts } from "./find-transcripts.ts";
import type { FormatName } from "./format.ts";
import { lineFormatOf } from "./formats.ts";
import { readImports } from "./imports.ts";
import { createSessionKeys } from "./session-keys.ts";

/** The transcripts of one agent: where they are, and how they are read. */
export interface Transcripts {
  readonly sessionsDir: string;
  readonly literals: readonly string[];
  /** Changes whenever the same file would be rendered differently. */
  readonly readerId: string;
  find(): Promise<FoundTranscripts>;
  /** Whether files of this format are appended to. */
  isGrowing(format: FormatName | null): boolean;
}

/** To be counted up whenever a parser, the renderer or the masks change what comes out. */
const readerVersion = 1;

export function createTranscripts({
  sessionsDir,
  literals,
}: {
  sessionsDir: string;
  /** Keys of the configuration; masked wherever they stand. */
  literals: readonly string[];
}): Transcripts {
  const sessionKeys = createSessionKeys(sessionsDir);
  // A key that came into the configuration later may stand in a transcript that was indexed before. A few digits
  // tell that something changed, and nothing about what.
  const mark = literals.length === 0 ? "" : `:${sha256([...literals].sort().join("\n")).slice(0, 6)}`;
  return {
    sessionsDir,
    literals,
    readerId: `${readerVersion}${mark}`,
    isGrowing: (format) => lineFormatOf(format) !== null,
    async find() {
      const { paths } = readImports(sessionsDir);
      return findTranscripts({ sessionsDir, imports: paths, keys: await sessionKeys.read() });
    },
  };
}
