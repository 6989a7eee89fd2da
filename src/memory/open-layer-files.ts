import { join } from "node:path";
import { locateTranscripts } from "../config/host-locations.ts";
import { configuredSecrets } from "../config/secret.ts";
import type { Settings } from "../config/settings.ts";
import { fileSystemKind } from "../file-system-kind.ts";
import { createClock } from "../notes/local-time.ts";
import { resolveWorkspace } from "../notes/note-locations.ts";
import { openNotes, type WithLock } from "../notes/notes.ts";
import { realPath } from "../paths.ts";
import { sessionsFolder, sessionsLockPath } from "../sessions/session-paths.ts";
import type { Sessions, SessionsOptions } from "../sessions/transcripts/sessions.ts";
import type { Transcripts } from "../sessions/transcripts/transcripts.ts";
import { createGivenSource } from "../sources/given-source.ts";
import type { Source } from "../sources/source.ts";
import { lockPathOf, withFileLock } from "../stores/lock.ts";
import { withShareLock } from "../stores/share-lock.ts";
import { createMask } from "../text/mask.ts";
import { once } from "../text/once.ts";

interface LayerFilesOptions {
  /** Sources of the program that opens the memory. */
  readonly sources: readonly Source[];
  readonly now: () => Date;
}

/** Everything that a layer reads and writes without its index. Nothing is opened until it is used. */
export function openLayerFiles(settings: Settings, { sources, now }: LayerFilesOptions) {
  resolveWorkspace(settings.workspaceDir);
  const literals = configuredSecrets(settings);
  const mask = createMask(literals);
  let clock: ReturnType<typeof createClock> | undefined;
  const dayOf = (moment: Date): string => {
    clock ??= createClock(settings.configuredTimezone);
    return clock(moment).day;
  };
  const notes = openNotes({
    workspaceDir: settings.workspaceDir,
    extraPaths: settings.memorySearch.extraPaths,
    exclude: settings.memorySearch.exclude,
    ...settings.notes,
    timezone: settings.configuredTimezone,
    now,
    withLock: chooseNotesLock(settings),
  });
  return {
    notes,
    literals,
    /** Loaded on first use: most searches are about notes alone. */
    openTranscripts: once(async (): Promise<Transcripts> => {
      const [{ createTranscripts }, { createTranscriptDatabases }] = await Promise.all([
        import("../sessions/transcripts/transcripts.ts"),
        import("../stores/transcripts/read-transcript-database.ts"),
      ]);
      return createTranscripts({
        sessionsDir: sessionsFolder(settings),
        literals,
        readDatabase: createTranscriptDatabases(now),
      });
    }),
    sources: sources.map((source) => createGivenSource(source, mask)),
    mask,
    now,
    dayOf,
    dayModified: (path: string): string | undefined => {
      const modifiedAt = notes.modifiedAt(path);
      return modifiedAt === null ? undefined : dayOf(modifiedAt);
    },
  };
}

/** The transcripts for people; those of a source that is switched off are not indexed. */
export function createLayerSessions(
  settings: Settings,
  {
    openTranscripts,
    dayOf,
    indexed,
  }: Pick<SessionsOptions, "dayOf" | "indexed"> & { readonly openTranscripts: () => Promise<Transcripts> },
): Sessions {
  const open = once(async () => {
    const { createSessions } = await import("../sessions/transcripts/sessions.ts");
    return createSessions({
      transcripts: await openTranscripts(),
      dayOf,
      locations: () => ({ ...locateTranscripts(), currentDir: process.cwd(), agentId: settings.agentId }),
      withLock: (work) => withFileLock(sessionsLockPath(settings), {}, work),
      indexed: async () => (settings.memorySearch.sources.includes("sessions") ? await indexed() : new Map()),
    });
  });
  return {
    list: async (options) => (await open()).list(options),
    show: async (request) => (await open()).show(request),
    titlesOf: async (paths) => (await open()).titlesOf(paths),
    candidates: async (paths) => (await open()).candidates(paths),
    import: async (paths) => (await open()).import(paths),
  };
}

/** One lock per workspace for all agents that write to it, and a second one on a share that other machines write to. */
function chooseNotesLock({ stateDir, workspaceDir }: Settings): WithLock {
  return async (work, { signal }) => {
    const under = lockPathOf(stateDir, "notes", realPath(workspaceDir));
    return await withFileLock(under, { signal }, () => {
      // Asked each time: a share may be mounted while a server runs.
      const folder = [workspaceDir, join(workspaceDir, "memory")].find(
        (each) => fileSystemKind(each) === "remote",
      );
      return folder === undefined ? work() : withShareLock(folder, { signal, under }, work);
    });
  };
}
