import { resolve } from "node:path";
import { prepareLance } from "../config/lance-access.ts";
import type { Settings } from "../config/settings.ts";
import type { Embedder } from "../embedders/embedder.ts";
import { createEntries } from "../entries/create-entries.ts";
import type { Entries } from "../entries/entries.ts";
import { entriesPath } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
import { type EntryIndex, entryIndexFolder } from "../stores/entry-index.ts";
import { lockPathOf, withFileLock } from "../stores/lock.ts";
import type { Memory } from "./memory.ts";
import type { SessionGuard } from "./session-guard.ts";

interface EntriesContext {
  readonly notes: Pick<Notes, "read">;
  readonly memory: () => Pick<Memory, "add" | "search" | "maskSecrets">;
  /** Like `memory.forget`, but without removing the whole index of entries: only one entry goes. */
  readonly forgetLines: Memory["forget"];
  readonly embedder: () => Promise<Embedder | undefined>;
  readonly isSharedFor: SessionGuard;
  readonly now: () => Date;
}

/**
 * The entries plugin, if the settings ask for it. Entries are written and removed like any other lines of a note, so
 * the same guarantees hold.
 */
export function chooseEntries(settings: Settings, place: EntriesContext): Entries {
  const { notes, memory, forgetLines, embedder, isSharedFor, now } = place;
  const { autoRecall, autoCapture, recallLimit, captureLimit } = settings.plugins.memoryLancedb;
  return createEntries({
    read: () => notes.read(entriesPath),
    append: (line, signal) => memory().add(line, { to: entriesPath, signal }),
    async remove(lines, signal) {
      const { receipt } = await forgetLines({ path: entriesPath, ...lines, signal });
      return { problems: receipt?.problems ?? [] };
    },
    async findLines(query, signal) {
      const { results } = await memory().search(query, {
        path: entriesPath,
        source: "memory",
        minScore: 0,
        maxResults: 20,
        matchedLines: true,
        ...(signal && { signal }),
      });
      return results.map(({ score, matchedLines = [] }) => ({ score, lines: matchedLines }));
    },
    openIndex: () => openEntryIndex(settings),
    embedder,
    isSharedFor,
    mask: (text) => memory().maskSecrets(text),
    citations: settings.memory.citations,
    automatic: { recall: autoRecall, capture: autoCapture },
    recallLimit,
    captureLimit,
    waitMs: settings.memorySearch.query.vectorWaitMs,
    now,
  });
}

/** Loads LanceDB only when it is used. */
async function openEntryIndex(settings: Settings): Promise<EntryIndex> {
  const folder = entryIndexFolder(settings);
  const lockPath = lockPathOf(settings.stateDir, "entries", resolve(folder));
  prepareLance();
  const { openLanceEntryIndex } = await import("../stores/lancedb/lance-entry-index.ts");
  return await openLanceEntryIndex({ folder, withLock: (work) => withFileLock(lockPath, {}, work) });
}
