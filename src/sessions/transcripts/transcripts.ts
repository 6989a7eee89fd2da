import { LonghandError } from "../../errors.ts";
import { createMask } from "../../text/redact.ts";
import { type FoundTranscripts, findTranscripts } from "./find-transcripts.ts";
import type { FormatName } from "./format.ts";
import { lineFormatOf } from "./formats.ts";
import { readImports } from "./imports.ts";
import { createSessionKeys, noSessionKeys, type SessionKeys } from "./session-keys.ts";
import type { ReadTranscriptDatabase } from "./transcript-database.ts";

/** The transcripts of one agent: where they are, and how they are read. */
export interface Transcripts {
  readonly sessionsDir: string;
  readonly literals: readonly string[];
  /** Changes whenever the same file would be rendered differently. */
  readonly readerId: string;
  readonly readDatabase: ReadTranscriptDatabase;
  find(): Promise<FoundTranscripts>;
  /** Whether files of this format are appended to. */
  isGrowing(format: FormatName | null): boolean;
}

/** To be counted up whenever a parser or the renderer changes what comes out. */
const readerVersion = 2;

export function createTranscripts({
  sessionsDir,
  literals,
  readDatabase,
}: {
  sessionsDir: string;
  /** Keys of the configuration; masked wherever they stand. */
  literals: readonly string[];
  readDatabase: ReadTranscriptDatabase;
}): Transcripts {
  const registries = new Map<string, ReturnType<typeof createSessionKeys>>();

  /** Registries stand beside the transcripts: in the agent's folder, and in folders of OpenClaw that were imported. */
  async function readKeys(folders: readonly string[]): Promise<(folder: string) => SessionKeys> {
    const keys = new Map<string, SessionKeys>();
    for (const folder of folders) {
      const registry = registries.get(folder) ?? createSessionKeys(folder);
      registries.set(folder, registry);
      keys.set(folder, await registry.read());
    }
    return (folder) => keys.get(folder) ?? noSessionKeys;
  }

  return {
    sessionsDir,
    literals,
    readDatabase,
    // A key that came into the configuration later may stand in a transcript that was indexed before.
    readerId: `${readerVersion}:${createMask(literals).id}`,
    isGrowing: (format) => lineFormatOf(format) !== null,
    async find() {
      const { imports, problem } = tryImports(sessionsDir);
      const keysOf = await readKeys([sessionsDir, ...imports]);
      const listing = findTranscripts({ sessionsDir, imports, keysOf, readDatabase });
      if (problem === null) return listing;
      // What was imported is not seen now, so nothing that is known may be taken for gone.
      const skipped = [
        ...listing.skipped,
        { path: "sessions", reason: "unreadable" as const, detail: problem },
      ];
      return { ...listing, skipped };
    },
  };
}

/** A list that somebody broke must not keep notes and other transcripts from being indexed. */
function tryImports(sessionsDir: string): { imports: readonly string[]; problem: string | null } {
  try {
    return { imports: readImports(sessionsDir).paths, problem: null };
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return { imports: [], problem: error.message };
  }
}
