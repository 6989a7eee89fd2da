import type { Recalls } from "../consolidate/planning.ts";
import { LonghandError, throwIfAborted } from "../errors.ts";
import { scopeOf } from "../notes/note-path.ts";
import type { Notes } from "../notes/notes.ts";
import type { SearchHit } from "../search/search.ts";
import type { Store } from "../stores/store.ts";
import { createTaskQueue } from "../task-queue.ts";
import type { LineRange } from "../text/document.ts";
import { normaliseEntryLine } from "../text/entry-line.ts";
import { fieldsOf, isFields } from "../text/fields.ts";
import { countFrontMatterLines } from "../text/front-matter.ts";
import { checksum } from "../text/hash.ts";
import { parseJson } from "../text/parse-json.ts";
import { settleWithin } from "../timing.ts";
import type { Memory } from "./memory.ts";
import type { NoteUsage, UsageReport } from "./note-requests.ts";
import type { RecallBatch, RecallJournal } from "./recall-journal.ts";
import type { SessionGuard } from "./session-guard.ts";

/** Counts how often lines were part of an answer. */
interface Usage extends Pick<Memory, "usage"> {
  /** Cheap: counts are written later, in one batch. */
  record(hits: readonly SearchHit[]): void;
  /** By note, for a plan, which is made without them where the index cannot be opened. */
  readRecalls(): Promise<Recalls | null>;
  /** Deletes the counts of these notes. */
  drop(paths: readonly string[]): Promise<void>;
  /** Keeps the remaining counts, if that is possible at once. */
  close(): Promise<void>;
}

interface UsageParts {
  readonly notes: Notes;
  readonly openStore: () => Promise<Pick<Store, "readFact" | "writeFact" | "stats">>;
  /** Where counts wait for the index; without one they are written when the memory is closed. */
  readonly journal: RecallJournal | null;
  readonly isEnabled: boolean;
  /** `YYYY-MM-DD` in the user's time zone. */
  readonly today: () => string;
  readonly isSharedFor: SessionGuard;
}

/** By note and line hash: the count and the last day. Counts follow a line that moves. */
interface Counts {
  since: string | null;
  notes: Record<string, Record<string, [recalls: number, last: string]>>;
}

const factName = "usage";
const flushDelayMs = 30_000;
/** Closing waits no longer than this for the counts. */
const closeWaitMs = 300;

export function createUsage({ notes, openStore, journal, isEnabled, today, isSharedFor }: UsageParts): Usage {
  let pending = new Map<string, LineRange[]>();
  let timer: NodeJS.Timeout | undefined;
  const queue = createTaskQueue();

  /** Runs one change at a time; failures are dropped, because counts are not worth an error. */
  const queued = (work: () => Promise<void>): Promise<void> => queue.run(work).catch(() => {});

  async function change(edit: (counts: Counts) => Promise<void>): Promise<void> {
    const store = await openStore();
    if ((await store.stats()).readOnly !== undefined) return;
    const counts = parseCounts(await store.readFact(factName));
    await edit(counts);
    await store.writeFact(factName, JSON.stringify(counts));
  }

  /** Writes what is pending and what waits in the journal. */
  function flush(): Promise<void> {
    const recorded = takePending();
    return queued(async () => {
      if (recorded.size === 0 && (journal?.isEmpty() ?? true)) return;
      await change((counts) => addRecalls(counts, recorded));
    });
  }

  function takePending(): typeof pending {
    clearTimeout(timer);
    timer = undefined;
    const taken = pending;
    pending = new Map();
    return taken;
  }

  async function readStatements(path: string, ranges?: readonly LineRange[]) {
    const note = await notes.read(path).catch(() => null);
    return note && statementsOf(note.text, ranges);
  }

  async function countLines(recorded: typeof pending): Promise<RecallBatch> {
    const counted: Record<string, Record<string, number>> = {};
    for (const [path, ranges] of recorded) {
      const found = recallsIn((await readStatements(path, ranges)) ?? [], ranges);
      if (Object.keys(found).length > 0) counted[path] = found;
    }
    return { day: today(), notes: counted };
  }

  /** Adds what was recorded and what waits in the journal, and drops the counts of lines that these notes lost. */
  async function addRecalls(counts: Counts, recorded: typeof pending): Promise<void> {
    const own = recorded.size === 0 ? [] : [await countLines(recorded)];
    const batches = [...(journal?.take() ?? []), ...own];
    for (const { day } of batches) {
      counts.since = counts.since === null || day < counts.since ? day : counts.since;
    }
    for (const path of new Set(batches.flatMap(({ notes: counted }) => Object.keys(counted)))) {
      const lines = await readStatements(path);
      if (lines === null) continue;
      const before = counts.notes[path] ?? {};
      const next: (typeof counts.notes)[string] = {};
      const present = new Set(lines.map(({ key }) => key));
      for (const key of present) if (before[key] !== undefined) next[key] = before[key];
      for (const { day, notes: counted } of batches) {
        for (const [key, count] of Object.entries(counted[path] ?? {})) {
          if (!present.has(key) || count <= 0) continue;
          const [sum, last] = next[key] ?? [0, day];
          next[key] = [sum + count, day > last ? day : last];
        }
      }
      counts.notes[path] = next;
    }
  }

  return {
    record(hits) {
      if (!isEnabled) return;
      for (const { source, path, startLine, endLine } of hits) {
        if (source !== "memory") continue;
        pending.set(path, [...(pending.get(path) ?? []), { start: startLine, end: endLine }]);
      }
      if (pending.size === 0 || timer !== undefined) return;
      timer = setTimeout(() => void flush(), flushDelayMs);
      timer.unref();
    },
    async readRecalls() {
      if (!isEnabled) return null;
      await flush();
      const counts = await openStore()
        .then(async (store) => parseCounts(await store.readFact(factName)))
        .catch(() => null);
      return counts && { since: counts.since, of: (path) => sumUp(counts.notes[path] ?? {}) };
    },
    async drop(paths) {
      for (const path of paths) pending.delete(path);
      if (!isEnabled || paths.length === 0) return;
      await queued(() =>
        change(async (counts) => {
          await addRecalls(counts, new Map());
          for (const path of paths) delete counts.notes[path];
        }),
      );
    },
    async usage({ path: asked, sessionKey, signal } = {}): Promise<UsageReport> {
      throwIfAborted(signal);
      const isShared = isSharedFor(sessionKey);
      if (!isEnabled) return { enabled: false, since: null, notes: [] };
      await flush();
      const counts = parseCounts(await (await openStore()).readFact(factName));
      const { entries } = await notes.scan({ signal });
      const path = asked === undefined ? asked : ((await notes.readWhole({ path: asked }))?.path ?? asked);
      if (path !== undefined && !entries.some((entry) => entry.path === path)) throw refuseMissing(path);
      const wanted = entries
        .map((entry) => entry.path)
        .filter((each) => (path === undefined || each === path) && !(isShared && scopeOf(each) === "private"))
        .sort();
      const found: NoteUsage[] = [];
      for (const each of wanted) {
        throwIfAborted(signal);
        const note = await notes.read(each).catch(() => null);
        if (note !== null) found.push(describeNote(each, note.text, counts.notes[each] ?? {}));
      }
      return { enabled: true, since: counts.since, notes: found };
    },
    async close() {
      if (pending.size === 0 && timer === undefined) return;
      const recorded = takePending();
      const keep = queued(async () => {
        if (recorded.size === 0 || journal?.append(await countLines(recorded))) return;
        await change((counts) => addRecalls(counts, recorded));
      });
      await settleWithin(closeWaitMs, keep);
    },
  };
}

function describeNote(path: string, text: string, counts: Counts["notes"][string]): NoteUsage {
  const recalled: { startLine: number; endLine: number; recalls: number; lastRecalled: string }[] = [];
  const never: { startLine: number; endLine: number }[] = [];
  let before: { line: number; recalls: number; day: string } | undefined;
  for (const { line, key } of statementsOf(text)) {
    const [recalls, day] = counts[key] ?? [0, ""];
    const isNext = before?.line === line - 1 && before.recalls === recalls && before.day === day;
    const ranges: { startLine: number; endLine: number }[] = recalls === 0 ? never : recalled;
    if (isNext) ranges.at(-1)!.endLine = line;
    else if (recalls === 0) never.push({ startLine: line, endLine: line });
    else recalled.push({ startLine: line, endLine: line, recalls, lastRecalled: day });
    before = { line, recalls, day };
  }
  return { path, recalled, never };
}

function sumUp(counts: Counts["notes"][string]): ReturnType<Recalls["of"]> {
  const lines = Object.values(counts);
  if (lines.length === 0) return null;
  const days = lines.map(([, day]) => day).sort();
  return { count: Math.max(...lines.map(([recalls]) => recalls)), lastDay: days.at(-1)! };
}

/** How often each line was recalled, by its key. */
function recallsIn(
  lines: readonly { readonly line: number; readonly key: string }[],
  ranges: readonly LineRange[],
): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { line, key } of lines) {
    for (const { start, end } of ranges) if (start <= line && line <= end) found[key] = (found[key] ?? 0) + 1;
  }
  return found;
}

/** Lines with content: no blank lines, headings or front matter. With `ranges`, only those in one of them. */
function statementsOf(text: string, ranges?: readonly LineRange[]): { line: number; key: string }[] {
  const first = countFrontMatterLines(text);
  const found: { line: number; key: string }[] = [];
  for (const [index, written] of text.split("\n").entries()) {
    const line = index + 1;
    if (index < first || ranges?.some(({ start, end }) => start <= line && line <= end) === false) continue;
    const said = normaliseEntryLine(written);
    if (said === "" || /^#{1,6}\s/.test(said)) continue;
    // Two lines with the same key would share a count, which is harmless.
    found.push({ line, key: `${checksum(said)}${said.length.toString(36)}` });
  }
  return found;
}

function parseCounts(fact: string | null): Counts {
  const { since = null, notes } = fieldsOf(parseJson(fact ?? "")) as Partial<Counts>;
  return { since, notes: isFields(notes) ? notes : {} };
}

function refuseMissing(path: string): LonghandError {
  return new LonghandError("path-outside-memory", `There is no note ${JSON.stringify(path.slice(0, 200))}.`, {
    hint: "Give a path as hits show it, or none for all notes.",
  });
}
