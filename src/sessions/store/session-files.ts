import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { LonghandError } from "../../errors.ts";
import { createTaskQueue } from "../../task-queue.ts";
import { type Fields, isFields } from "../../text/fields.ts";
import type { ReadTranscriptDatabase } from "../transcripts/open-transcript.ts";
import { createForeignSessions } from "./foreign-sessions.ts";
import {
  checkMessage,
  compactHistory,
  emptyHistory,
  formatHistory,
  type StoredHistory,
  toHistory,
} from "./history-file.ts";
import {
  ChangedMeanwhile,
  type Json5Text,
  quarantineFile,
  readJson5File,
  replaceFile,
  rewrite,
} from "./json5-file.ts";
import { formatRegistry, rebuildRegistry } from "./registry-file.ts";
import {
  checkSessionId,
  checkSessionKey,
  type EntryChange,
  type EntryDraft,
  historyPath,
  isSessionId,
  type SessionEntry,
  type SessionHistory,
  type SessionRepair,
  type SessionStore,
} from "./session-store.ts";

/** Runs the work while no one else can change the same sessions. */
type WithSessionLock = <T>(work: () => Promise<T>) => Promise<T>;

interface SessionFilesOptions {
  /** Folder of the sessions of one agent. */
  readonly dir: string;
  readonly withLock: WithSessionLock;
  /** Reads the database in which another program keeps sessions of the same agent. */
  readonly readDatabase?: ReadTranscriptDatabase;
  readonly now?: () => Date;
  readonly newId?: () => string;
}

export function openSessionFiles(options: SessionFilesOptions): SessionStore {
  const { dir, now = () => new Date(), newId = randomUUID } = options;
  const registryPath = join(dir, "registry.json5");
  const foreign = createForeignSessions(dir, options.readDatabase ?? (() => null));
  const repairs: SessionRepair[] = [];
  const queue = createTaskQueue();

  /** Calls of one process run in order; the lock is for other processes. */
  function change<T>(work: (attempt: number) => Promise<T>): Promise<T> {
    return queue.run(() => options.withLock(() => repeatWhileChanged(work)));
  }

  async function repair(path: string, { reason }: { reason: string }): Promise<void> {
    repairs.push({ path, movedTo: await quarantineFile(path, now()), reason });
  }

  /** Under the lock: the registry, rebuilt when it is damaged. */
  async function readRegistry(): Promise<Json5Text & { kind: "read"; onDisk: string | null }> {
    const file = await readJson5File(registryPath);
    if (file.kind === "read" && !Array.isArray(file.value)) return { ...file, onDisk: file.text };
    if (file.kind === "absent") return { ...blank({}), onDisk: null };
    const entries = Object.fromEntries(await rebuildRegistry(dir, file.text));
    await repair(registryPath, { reason: file.kind === "damaged" ? file.reason : "it holds a list" });
    const text = formatRegistry(entries);
    await replaceFile(registryPath, text, null);
    return { ...blank(entries), onDisk: text };
  }

  /** Without the lock: files are replaced atomically, so a reader always sees one state. */
  async function readOwn(): Promise<Fields> {
    const file = await readJson5File(registryPath);
    if (file.kind === "absent") return {};
    const isWhole = file.kind === "read" && !Array.isArray(file.value);
    return (isWhole ? file.value : (await change(readRegistry)).value) as Fields;
  }

  async function findEntry(key: string): Promise<SessionEntry | null> {
    const own = await readOwn();
    const entry = Object.hasOwn(own, key) ? own[key] : ownValue(await foreign.entries(), key);
    return isKnown(entry) ? (entry as SessionEntry) : null;
  }

  async function writeEntry(key: string, update: EntryChange): Promise<SessionEntry> {
    const registry = await readRegistry();
    const entries = registry.value as Fields;
    const found = Object.hasOwn(entries, key) ? entries[key] : ownValue(await foreign.entries(), key);
    const before: EntryDraft = isFields(found) ? (found as EntryDraft) : {};
    const changed = await update(structuredClone(before));
    if (!isFields(changed)) throw refuseEntry(key);
    const sessionId = changed.sessionId === undefined ? newId() : checkSessionId(changed.sessionId);
    const after = JSON.parse(
      JSON.stringify({
        ...changed,
        sessionId,
        sessionFile: historyPath(key, { ...changed, sessionId }),
        updatedAt: Math.max(now().getTime(), numberOr(before.updatedAt, 0)),
      }),
    ) as SessionEntry;
    const text = rewrite(registry, withValue(entries, key, after), formatRegistry);
    await replaceFile(registryPath, text, registry.onDisk);
    // A session has its file from the start, so a lost registry does not lose the session.
    if (before.sessionId !== sessionId) await keepHistory(key, after);
    return after;
  }

  async function keepHistory(key: string, entry: SessionEntry): Promise<void> {
    const { file, history, path } = await readHistory(key, entry);
    if (file.kind === "absent") await replaceFile(path, formatHistory(history), null);
  }

  /** Under the lock: the history of a session. A damaged one is quarantined, and the session starts over. */
  async function readHistory(key: string, entry: SessionEntry) {
    const path = join(dir, historyPath(key, entry));
    const file = await readJson5File(path);
    const history = file.kind === "read" ? toHistory(file.value, entry.sessionId) : null;
    if (history !== null) return { path, file, history };
    if (file.kind !== "absent") {
      await repair(path, { reason: file.kind === "damaged" ? file.reason : "it holds no messages" });
    }
    const absent: Json5Text = { kind: "absent" };
    const begun = foreign.history(entry) ?? emptyHistory(key, entry.sessionId, now().getTime());
    return { path, file: absent, history: begun };
  }

  async function writeHistory(
    key: string,
    entry: SessionEntry,
    update: (history: StoredHistory) => StoredHistory,
  ) {
    const { path, file, history } = await readHistory(key, entry);
    const after = { ...update(history), sessionKey: key };
    const text = file.kind === "read" ? rewrite(file, after, formatHistory) : formatHistory(after);
    await replaceFile(path, text, file.kind === "read" ? file.text : null);
    return showHistory(after);
  }

  return {
    repairs,

    async list() {
      return Object.entries({ ...(await foreign.entries()), ...(await readOwn()) })
        .filter(([, entry]) => isKnown(entry))
        .map(([key, entry]) => ({ ...(entry as SessionEntry), key }))
        .sort((a, b) => numberOr(b.updatedAt, 0) - numberOr(a.updatedAt, 0) || (a.key < b.key ? -1 : 1));
    },

    get: async (key) => await findEntry(checkSessionKey(key)),

    update: async (key, update) => {
      checkSessionKey(key);
      return await change(() => writeEntry(key, update));
    },

    async append(key, message) {
      checkSessionKey(key);
      const checked = checkMessage(message, now().getTime());
      return await change(async (attempt) => {
        const entry = await writeEntry(key, (before) => before);
        return await writeHistory(key, entry, (history) => {
          // If another program saved the file after an earlier attempt, it may have kept the message.
          const isThere = attempt > 1 && history.messages.some((each) => isDeepStrictEqual(each, checked));
          return {
            ...history,
            updatedAt: Math.max(entry.updatedAt, history.updatedAt),
            messages: isThere ? history.messages : [...history.messages, checked],
          };
        });
      });
    },

    async compact(key, request) {
      checkSessionKey(key);
      return await change(async () => {
        const entry = ownValue((await readRegistry()).value as Fields, key);
        if (!isKnown(entry)) throw refuseMissing(key);
        const { history } = await readHistory(key, entry as SessionEntry);
        const compacted = compactHistory(history, request, now().getTime());
        if (compacted === history) return showHistory(history);
        // Counted before the messages are removed: a crash in between may flush twice, but never skips a flush.
        const counted = await writeEntry(key, (before) => ({
          ...withoutTokenCounts(before),
          compactionCount: Math.max(
            numberOr(before.compactionCount, 0) + 1,
            compacted.compactedHistory.length,
          ),
        }));
        return await writeHistory(key, counted, () => compacted);
      });
    },

    async history(key) {
      const entry = await findEntry(checkSessionKey(key));
      if (entry === null) return null;
      const { sessionId, updatedAt } = entry;
      const file = await readJson5File(join(dir, historyPath(key, entry)));
      if (file.kind === "absent") {
        return showHistory(foreign.history(entry) ?? emptyHistory(key, sessionId, numberOr(updatedAt, 0)));
      }
      const history = file.kind === "read" ? toHistory(file.value, sessionId) : null;
      return showHistory(history ?? (await change(() => readHistory(key, entry))).history);
    },
  };
}

async function repeatWhileChanged<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (attempt === maxAttempts) throw refuseUnconfirmed(error);
    }
  }
}

const maxAttempts = 30;

function showHistory({ sessionKey: _, ...history }: StoredHistory): SessionHistory {
  return history as SessionHistory;
}

function blank(value: Fields): Json5Text & { kind: "read" } {
  return { kind: "read", value, text: "", isPlain: true };
}

function isKnown(entry: unknown): boolean {
  return isFields(entry) && isSessionId(entry["sessionId"]);
}

function ownValue(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** Safe for keys such as `__proto__`. */
function withValue(fields: Fields, key: string, value: unknown): Fields {
  return Object.fromEntries([...Object.entries(fields), [key, value]]);
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/** The counts are stale after a compaction: a host that trusted them would flush or compact again. */
function withoutTokenCounts({
  inputTokens: _,
  outputTokens: __,
  totalTokens: ___,
  ...entry
}: Partial<SessionEntry>): Partial<SessionEntry> {
  return entry;
}

function refuseMissing(key: string): LonghandError {
  return new LonghandError("session-missing", `There is no session ${key} to compact.`, {
    hint: "`list` returns the existing keys; `update` or `append` creates a session.",
  });
}

function refuseUnconfirmed(cause: unknown): LonghandError {
  const why = "another program saved the file each time";
  return new LonghandError("session-unusable", `It is not certain that the session was changed: ${why}.`, {
    hint: "Check whether the change is there, and repeat it once that program is done.",
    retryable: true,
    cause,
  });
}

function refuseEntry(key: string): LonghandError {
  return new LonghandError("session-invalid", `The update of session ${key} returned no entry.`, {
    hint: "Return the entry from the function, changed or not.",
  });
}
