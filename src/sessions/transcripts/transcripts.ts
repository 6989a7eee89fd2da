import { LonghandError } from "../../errors.ts";
import { createMask } from "../../text/mask.ts";
import { type FoundTranscripts, findTranscripts } from "./find-transcripts.ts";
import type { FormatName } from "./format.ts";
import { lineFormatOf } from "./formats.ts";
import { readImports } from "./imports.ts";
import type { ReadTranscriptDatabase } from "./open-transcript.ts";
import { createSessionKeys, noSessionKeys, type SessionKeys } from "./session-keys.ts";

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

/** Increment whenever a parser or the renderer changes its output. */
const readerVersion = 3;

export function createTranscripts({
  sessionsDir,
  literals,
  readDatabase,
}: {
  sessionsDir: string;
  /** Keys of the configuration, which are always masked. */
  literals: readonly string[];
  readDatabase: ReadTranscriptDatabase;
}): Transcripts {
  const registries = new Map<string, ReturnType<typeof createSessionKeys>>();

  /** Registries are beside the transcripts: in the agent's folder, and in imported folders of OpenClaw. */
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
    // A key that was configured later may be in a transcript that is already indexed.
    readerId: `${readerVersion}:${createMask(literals).id}`,
    isGrowing: (format) => lineFormatOf(format) !== null,
    async find() {
      const { imports, problem } = tryImports(sessionsDir);
      const keysOf = await readKeys([sessionsDir, ...imports]);
      const listing = findTranscripts({ sessionsDir, imports, keysOf, readDatabase });
      if (problem === null) return listing;
      // The imports are unknown now, so no known document may be removed.
      const skipped = [
        ...listing.skipped,
        { path: "sessions", reason: "unreadable" as const, detail: problem },
      ];
      return { ...listing, skipped };
    },
  };
}

/** A broken list must not keep notes and other transcripts from being indexed. */
function tryImports(sessionsDir: string): { imports: readonly string[]; problem: string | null } {
  try {
    return { imports: readImports(sessionsDir).paths, problem: null };
  } catch (error) {
    if (!(error instanceof LonghandError)) throw error;
    return { imports: [], problem: error.message };
  }
}
