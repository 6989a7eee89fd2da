import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { type FileSystemKind, fileSystemKind } from "../file-system-kind.ts";
import type { ListedFolder } from "../sources/source.ts";

export interface FolderWatchOptions {
  /** Something may have changed: a reason to check, and nothing else. */
  readonly onHint: () => void;
  /** Watching has ended: the system refused it, or would not report changes. Called once. */
  readonly onUnusable: (reason: string) => void;
  /** With more folders than this, watching ends as if the system had refused it. */
  readonly maxWatches?: number | undefined;
  readonly kindOf?: ((folder: string) => FileSystemKind) | undefined;
}

export interface FolderWatch extends Disposable {
  /** Watches these folders and no others. A new one counts as a hint: what happened before the watch is not known. */
  follow(folders: readonly ListedFolder[]): void;
  readonly hints: number;
  readonly watches: number;
  /** Every folder is watched, on a file system that reports all changes. */
  isSure(): boolean;
}

interface Watch {
  readonly watcher: FSWatcher;
  readonly isLocal: boolean;
  folder: ListedFolder;
  /** The folder itself was moved or deleted; another may have taken its place. */
  isOver: boolean;
}

/**
 * One watch per folder, never one per file: the system allows only a limited number. On Linux an event queue that
 * overflows drops the latest events and delivers the earlier ones; because many of those may not concern us, a thousand
 * of them count as a hint.
 */
export function createFolderWatch(options: FolderWatchOptions): FolderWatch {
  const { onHint, onUnusable, maxWatches = Number.POSITIVE_INFINITY, kindOf = fileSystemKind } = options;
  const watches = new Map<string, Watch>();
  let hints = 0;
  let unconcerning = 0;
  let isOver = false;
  let isWhole = false;

  function hint(): void {
    hints++;
    onHint();
  }

  function close(): void {
    isOver = true;
    for (const { watcher } of watches.values()) watcher.close();
    watches.clear();
  }

  function giveUp(reason: string): void {
    if (isOver) return;
    close();
    onUnusable(reason);
  }

  function onEvent(entry: Watch, event: string, name: string | null): void {
    if (isOver) return;
    if (event === "rename" && name === basename(entry.folder.path)) entry.isOver = true;
    if (name === null || entry.isOver || entry.folder.concerns(name)) hint();
    else if (++unconcerning % maxUnconcerning === 0) hint();
  }

  function drop(path: string): void {
    watches.get(path)?.watcher.close();
    watches.delete(path);
  }

  /** False when it no longer exists, or cannot be read. */
  function add(folder: ListedFolder): boolean {
    const kind = kindOf(folder.path);
    if (kind === "remote") {
      giveUp(`${folder.path} is on a file system that does not report all changes`);
      return false;
    }
    if (watches.size >= maxWatches) {
      giveUp(`more than ${maxWatches} folders would have to be watched`);
      return false;
    }
    const watcher = watch(folder.path, (event, name) => onEvent(entry, event, name));
    const entry: Watch = { watcher, folder, isLocal: kind === "local", isOver: false };
    watcher.on("error", (error) => {
      entry.isOver = true;
      if (isHarmless(error)) hint();
      else giveUp(refusalOf(error, watches.size));
    });
    watches.set(folder.path, entry);
    return true;
  }

  function tryAdd(folder: ListedFolder): boolean {
    try {
      return add(folder);
    } catch (error) {
      if (!isHarmless(error)) giveUp(refusalOf(error, watches.size));
      return false;
    }
  }

  return {
    follow(folders) {
      if (isOver) return;
      const wanted = new Set(folders.map(({ path }) => path));
      for (const path of [...watches.keys()]) if (!wanted.has(path)) drop(path);
      let hasNew = false;
      isWhole = true;
      for (const folder of folders) {
        const before = watches.get(folder.path);
        if (before && !before.isOver && before.folder.id === folder.id) {
          before.folder = folder;
          continue;
        }
        drop(folder.path);
        if (tryAdd(folder)) hasNew = true;
        else isWhole = false;
        if (isOver) return;
      }
      if (hasNew) hint();
    },
    get hints() {
      return hints;
    },
    get watches() {
      return watches.size;
    },
    isSure: () => !isOver && isWhole && [...watches.values()].every((each) => each.isLocal && !each.isOver),
    [Symbol.dispose]: close,
  };
}

const maxUnconcerning = 1000;

/** The folder is gone or unreadable, which the next listing reports in more detail. */
function isHarmless(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(systemErrorCode(error) ?? "");
}

function refusalOf(error: unknown, count: number): string {
  const code = systemErrorCode(error);
  if (code === undefined) throw error;
  const after = `after ${count} folders`;
  if (code === "ENOSPC") return `the system gives out no more watches ${after} (ENOSPC)`;
  if (code === "EMFILE" || code === "ENFILE") return `too many files are open ${after} (${code})`;
  return `the system refuses to watch (${code})`;
}
