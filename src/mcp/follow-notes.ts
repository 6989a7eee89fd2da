import { messageOf } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import type { ListedNote } from "../memory/note-requests.ts";
import type { SyncProgress } from "../sync/sync.ts";
import type { WatchEvent } from "../sync/watch.ts";

export interface FollowNotesOptions {
  /** The session to report to; a session that others can read learns nothing about private notes. */
  readonly sessionKey: string | undefined;
  /** Paths whose content changed or was deleted, and whether the list of notes changed. */
  readonly onChanged: (paths: readonly string[], isListChanged: boolean) => void;
  readonly onProblem: (problem: string) => void;
  /** More detail: watcher events, and the progress of each sync. */
  readonly onEvent?: (event: WatchEvent) => void;
  readonly progress?: (progress: SyncProgress) => void;
}

export interface FollowedNotes extends AsyncDisposable {
  /** Resolves once every later change is noticed. */
  readonly ready: Promise<void>;
}

/** Keeps the index fresh while a server runs, and reports which notes changed. */
export function followNotes(memory: Memory, options: FollowNotesOptions): FollowedNotes {
  const { sessionKey, onChanged, onProblem, onEvent, progress } = options;
  let known: ReadonlyMap<string, string> | undefined;
  const ready = reportChanges();
  let last: Promise<void> = ready;
  const watching = memory.watch({
    when: "configured",
    progress,
    onEvent(event) {
      onEvent?.(event);
      if (event.kind === "synced" || event.kind === "changed") last = last.then(reportChanges);
      if (event.kind === "warning") onProblem(event.message);
    },
  });
  watching.catch((error: unknown) => onProblem(messageOf(error)));

  async function reportChanges(): Promise<void> {
    try {
      const now = versionsOf(await memory.listNotes({ sessionKey }));
      const before = known;
      known = now;
      if (before === undefined) return;
      const changed = [...now]
        .filter(([path, version]) => before.get(path) !== version)
        .map(([path]) => path);
      const gone = [...before.keys()].filter((path) => !now.has(path));
      const isListChanged = gone.length > 0 || changed.some((path) => !before.has(path));
      if (changed.length + gone.length > 0) onChanged([...changed, ...gone], isListChanged);
    } catch (error) {
      onProblem(`The notes could not be listed: ${messageOf(error)}`);
    }
  }

  return {
    ready,
    async [Symbol.asyncDispose]() {
      await watching.then(
        (watch) => watch[Symbol.asyncDispose](),
        () => undefined,
      );
      await last;
    },
  };
}

function versionsOf(notes: readonly ListedNote[]): Map<string, string> {
  return new Map(notes.map(({ path, version }) => [path, version]));
}
