import type { Engine } from "../engines/engine.ts";
import { LonghandError, messageOf, throwIfAborted } from "../errors.ts";
import { cleanEntry } from "../notes/entry-text.ts";
import { refusePath } from "../notes/locate.ts";
import { scopeOf } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
import { sliceLines } from "../notes/read-lines.ts";
import type { Source } from "../sources/source.ts";
import { isTranscriptPath, type MemoryLayer } from "../text/layer-path.ts";
import { settleWithin } from "../timing.ts";
import type { KnownFact } from "./known-facts.ts";
import type { Memory } from "./memory.ts";
import type { AddResult } from "./note-requests.ts";
import type { SessionGuard } from "./session-guard.ts";

interface FindKnownRequest {
  readonly to?: string | undefined;
  readonly heading?: string | undefined;
  readonly sessionKey: string | undefined;
  readonly sharedOnly: boolean;
}

/** The operations of a memory on single notes. */
type MemoryNotes = Pick<Memory, "readFile" | "listNotes" | "readNote" | "editNote" | "add">;

interface MemoryNotesParts {
  readonly notes: Notes;
  /** The caller's own sources, whose documents can be read by path too. */
  readonly sources: readonly Source[];
  readonly openEngine: () => Promise<Engine>;
  readonly isSharedFor: SessionGuard;
  /** Rejects a layer that this memory does not have. */
  readonly checkScope: (scope: MemoryLayer | undefined) => void;
  /** `YYYY-MM-DD` in the user's time zone. */
  readonly today: () => string;
  /** How long a search waits for the index. */
  readonly searchWaitMs: number;
}

/** Notes as a session may see and change them. The index follows each write. */
export function createMemoryNotes({
  notes,
  sources,
  openEngine,
  isSharedFor,
  checkScope,
  today,
  searchWaitMs,
}: MemoryNotesParts): MemoryNotes {
  /** A written note is safe whatever the index does, so an index failure is reported, not thrown. */
  async function indexWritten(path: string): Promise<Pick<AddResult, "indexed" | "indexProblem">> {
    const notIndexed = (indexProblem: string) => ({ indexed: false, indexProblem });
    const indexing = openEngine()
      .then((engine) => engine.index("memory", [path]))
      .then(
        ([failure]) => (failure === undefined ? { indexed: true } : notIndexed(failure.message)),
        (error: unknown) => notIndexed(messageOf(error)),
      );
    return (await settleWithin(indexWaitMs, indexing)) ?? notIndexed("The index did not take it in time.");
  }

  /** The lookup may fail or time out; the note is written anyway. */
  async function findKnown(
    text: string,
    { to = "daily", heading, ...request }: FindKnownRequest,
  ): Promise<KnownFact | null> {
    const entry = cleanEntry(text);
    const { findKnownFact } = await import("./known-facts.ts");
    const wanted = { text: entry, to, heading, today: today(), ...request };
    return await findKnownFact(wanted, { openEngine, notes, searchWaitMs }).catch((error: unknown) => {
      if (error instanceof LonghandError && error.code === "session-foreign") throw error;
      return null;
    });
  }

  return {
    async readFile({ relPath, sessionKey, signal, from, lines, maxChars }) {
      throwIfAborted(signal);
      refuseSession(relPath);
      const sharedOnly = isSharedFor(sessionKey);
      const source = sources.find(({ name }) => relPath.startsWith(`${name}/`));
      if (source !== undefined) {
        const document = await source.read(relPath, { signal });
        if (sharedOnly && document?.scope === "private") throw refusePrivateDocument(relPath);
        return { path: relPath, ...sliceLines(Buffer.from(document?.text ?? ""), { from, lines, maxChars }) };
      }
      return await notes.readLines({ path: relPath, from, lines, maxChars, sharedOnly });
    },
    async listNotes({ sessionKey, signal } = {}) {
      const { entries } = await notes.scan({ signal });
      const isShared = isSharedFor(sessionKey);
      return entries
        .filter(({ path }) => !isShared || scopeOf(path) !== "private")
        .map(({ path, version, sizeBytes, modifiedMs }) => {
          const date = notes.daily.dateOf(path);
          const modifiedAt = new Date(modifiedMs).toISOString();
          const shown = { path, version, sizeBytes, modifiedAt, scope: scopeOf(path) };
          return date === null ? shown : { ...shown, date };
        })
        .sort((left, right) => (left.path < right.path ? -1 : 1));
    },
    async readNote({ path, sessionKey, signal }) {
      throwIfAborted(signal);
      refuseSession(path);
      const note = await notes.readWhole({ path, sharedOnly: isSharedFor(sessionKey) });
      if (note === null) return null;
      const { text, hash, sizeBytes, modifiedAt } = note;
      const readOnly = await notes.whyNotEditable(path);
      const shown = { path: note.path, text, hash, sizeBytes, modifiedAt: modifiedAt.toISOString() };
      return readOnly === null ? shown : { ...shown, readOnly };
    },
    async editNote({ path, text, expectedHash, sessionKey, signal }) {
      refuseSession(path);
      if (isSharedFor(sessionKey)) await notes.readWhole({ path, sharedOnly: true });
      const expected = { hash: expectedHash };
      const edited = await notes.replace({ path, text, expected, signal });
      const { before, after } = edited;
      return { path: edited.path, before, hash: after!, ...(await indexWritten(edited.path)) };
    },
    async add(text, options = {}) {
      const { scope, sessionKey, indexing = "now", force = false, ...request } = options;
      checkScope(scope);
      const entry = scope === "user" ? { to: "long-term", ...request } : request;
      const sharedOnly = isSharedFor(sessionKey);
      const isLookedUp = !force && indexing === "now" && !entry.onlyNewItems;
      const known = isLookedUp ? await findKnown(text, { ...entry, sessionKey, sharedOnly }) : null;
      if (known !== null && known.kind !== "supersedes") {
        const { path, line } = known;
        const place = { path, startLine: line, endLine: line, duplicate: true, indexed: true };
        return known.kind === "same" ? place : { ...place, nearDuplicate: true };
      }
      const repeat = force || known?.isRepeated === true;
      const written = await notes.append({ ...entry, text, sharedOnly, repeat });
      if (indexing === "later") return { ...written, indexed: false };
      const indexed = await indexWritten(written.path);
      if (known === null || written.duplicate) return { ...written, ...indexed };
      return { ...written, supersedes: { path: known.path, line: known.line }, ...indexed };
    },
  };
}

/** A process stopped in the middle of a write blocks the index, but must not block an answer. */
const indexWaitMs = 5000;

function refusePrivateDocument(path: string): LonghandError {
  return refusePath(path, "it is private, and this session can be read by others", {
    hint: "Read it in a main or direct session.",
  });
}

/** Reading by path is for notes; transcripts are shown elsewhere, with secrets masked. */
function refuseSession(path: string): void {
  if (!isTranscriptPath(path)) return;
  throw new LonghandError(
    "path-outside-memory",
    `${JSON.stringify(path.slice(0, 200))} is a transcript, not a note.`,
    {
      hint:
        "Find more of it by a search with the source sessions, or show it with: longhand sessions show ID:LINE, " +
        "where ID is its file name.",
    },
  );
}
