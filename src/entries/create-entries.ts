import { LonghandError, throwIfAborted } from "../errors.ts";
import { compareFacts, mayRelate, readLine, wordsOfLine } from "../facts/compare-facts.ts";
import { cleanEntry, cleanOrigin } from "../notes/entry-text.ts";
import { entriesPath } from "../notes/note-path.ts";
import { showsCitations } from "../search/location.ts";
import { captureFacts, guessCategory, saysMore } from "./capture-facts.ts";
import {
  defaultImportance,
  type Entries,
  type Entry,
  entryCategories,
  type ForgetEntryResult,
  isCategory,
  type PlacedEntry,
  type RecallAnswer,
  type RecallOptions,
  type StoreRequest,
  type StoreResult,
} from "./entries.ts";
import { cleanFact, factKey, formatEntry, newId, parseEntries, toSeconds } from "./entry-file.ts";
import { createSemanticIndex, type SemanticIndexParts } from "./entry-vectors.ts";
import { createRecall, type RecallParts } from "./recall-entries.ts";

/** What the entries need from their memory. */
interface EntriesParts extends SemanticIndexParts, Pick<RecallParts, "findLines"> {
  /** The current entries file; null if there is none. */
  readonly read: () => Promise<{ readonly text: string; readonly hash: string } | null>;
  /** Appends a line to the file durably, unless it is already there. */
  readonly append: (
    line: string,
    signal: AbortSignal | undefined,
  ) => Promise<{ readonly startLine: number; readonly duplicate: boolean }>;
  /** Removes lines from the file if they are unchanged, and their traces from the index of the notes. */
  readonly remove: (
    lines: { readonly startLine: number; readonly endLine: number; readonly text: string },
    signal: AbortSignal | undefined,
  ) => Promise<{ readonly problems: readonly string[] }>;
  /** Whether a session is shared; throws for a session of another agent. */
  readonly isSharedFor: (sessionKey: string | undefined) => boolean;
  readonly citations: "auto" | "on" | "off";
  readonly automatic: Entries["automatic"];
  /** Default number of results, and the maximum captured per turn. */
  readonly recallLimit: number;
  readonly captureLimit: number;
  readonly now: () => Date;
}

/** From this cosine an entry may say the same. */
const duplicateSimilarity = 0.95;
/** From this cosine it is worth comparing. */
const similarSimilarity = 0.85;
const defaultMinScore = 0.2;
/** A query that clearly matches one entry, and no other, needs no confirmation. */
const strongScore = 0.75;
/** Retries, because lines move when others write to the file. */
const maxRemovalAttempts = 3;

interface EntryFile {
  readonly hash: string;
  readonly text: string;
  readonly entries: readonly PlacedEntry[];
}

export function createEntries(parts: EntriesParts): Entries {
  const { automatic, mask, now } = parts;
  const semantic = createSemanticIndex(parts);
  const recallFrom = createRecall({ semantic, ...parts });
  let last: EntryFile = { hash: "", text: "", entries: [] };

  async function readFile(): Promise<EntryFile> {
    const file = (await parts.read()) ?? { text: "", hash: "" };
    if (file.hash !== last.hash) {
      last = { hash: file.hash, text: file.text, entries: parseEntries(file.text) };
    }
    return last;
  }

  async function findAlike(text: string, entries: readonly PlacedEntry[], signal: AbortSignal | undefined) {
    return await semantic.ask(async (vectors) => {
      await vectors.catchUp(entries, signal);
      const vector = await vectors.embed(text, signal);
      if (vector === null) return [];
      const byKey = new Map(entries.map((entry) => [vectors.keyOf(entry), entry]));
      return (await vectors.nearest(vector, 8)).flatMap(({ key, similarity }) => {
        const entry = byKey.get(key);
        return entry && similarity >= similarSimilarity ? [{ ...entry, similarity }] : [];
      });
    }, signal);
  }

  async function store(request: StoreRequest): Promise<StoreResult> {
    const { sessionKey, signal, category, importance = defaultImportance, origin } = request;
    throwIfAborted(signal);
    if (parts.isSharedFor(sessionKey)) refuseShared();
    refuseFields({ category, importance });
    const text = cleanFact(mask(cleanEntry(request.text)));
    const { entries } = await readFile();
    const same = entries.find((entry) => factKey(entry.text) === factKey(text));
    if (same) return { ...same, path: entriesPath, duplicate: true, degraded: [] };
    const { repeated, superseded } = findRelated(text, entries);
    if (repeated) return { ...repeated, path: entriesPath, duplicate: true, degraded: [] };
    const { value: alike = [], problem } = await findAlike(text, entries, signal);
    const result = { path: entriesPath, degraded: problem ? [problem] : [] };
    const known = alike.find(
      (entry) => entry.similarity >= duplicateSimilarity && !saysMore(text, entry.text),
    );
    if (known) {
      const { similarity: _, ...entry } = known;
      return { ...entry, ...result, duplicate: true };
    }
    const createdAt = toSeconds(now());
    const entry: Entry = {
      id: newId(text, createdAt),
      text,
      category: category ?? guessCategory(text),
      importance: Math.round(Math.min(1, Math.max(0, importance)) * 100) / 100,
      createdAt,
      ...(origin !== undefined && { origin: cleanOrigin(origin) }),
    };
    const { startLine, duplicate } = await parts.append(formatEntry(entry), signal);
    const written = { ...entry, startLine, endLine: startLine };
    // Another process may have just written the same; then its entry counts.
    if (duplicate) return { ...((await findAt(startLine)) ?? written), ...result, duplicate };
    const [similar] = alike;
    return {
      ...{ ...written, ...result, duplicate },
      ...(similar && { similar }),
      ...(superseded && { supersedes: superseded }),
    };
  }

  async function findAt(line: number): Promise<PlacedEntry | undefined> {
    return (await readFile()).entries.find(({ startLine, endLine }) => startLine <= line && line <= endLine);
  }

  async function recall(query: string, options: RecallOptions = {}): Promise<RecallAnswer> {
    const { sessionKey, signal, limit = parts.recallLimit, minScore = defaultMinScore } = options;
    throwIfAborted(signal);
    if (parts.isSharedFor(sessionKey)) return { results: [], degraded: [] };
    const { entries } = await readFile();
    // Reports a missing package before the first fact is stored.
    await semantic.open();
    if (entries.length === 0) return { results: [], degraded: [] };
    const isCited = showsCitations(parts.citations, sessionKey);
    return await recallFrom(query, { entries, limit, minScore, isCited, signal });
  }

  /** Null if there is no such entry. */
  async function remove(id: string, signal: AbortSignal | undefined): Promise<ForgetEntryResult | null> {
    for (let attempt = 1; ; attempt++) {
      const { entries, text } = await readFile();
      const entry = entries.find((each) => each.id === id);
      if (entry === undefined) return null;
      const { startLine, endLine } = entry;
      const lines = text
        .replace(/^\ufeff/, "")
        .split(/\r?\n/)
        .slice(startLine - 1, endLine);
      try {
        const removal = { startLine, endLine, text: lines.join("\n") };
        const { problems } = await parts.remove(removal, signal);
        return {
          removed: [{ id, path: entriesPath, startLine, endLine }],
          candidates: [],
          problems: [...problems, ...(await semantic.purge((await readFile()).entries))],
        };
      } catch (error) {
        const isMoved = error instanceof LonghandError && error.code === "note-changed";
        if (!isMoved || attempt >= maxRemovalAttempts) throw error;
      }
    }
  }

  return {
    automatic,
    async list({ sessionKey, signal } = {}) {
      throwIfAborted(signal);
      return parts.isSharedFor(sessionKey) ? [] : (await readFile()).entries;
    },
    store,
    recall,
    async forget(request) {
      const { sessionKey, signal } = request;
      throwIfAborted(signal);
      if (parts.isSharedFor(sessionKey)) refuseShared();
      if ("id" in request) {
        const id = request.id.trim().toLowerCase();
        const done = await remove(id, signal);
        if (done === null) throw refuseId(id);
        return done;
      }
      const { results } = await recall(request.query, request);
      const same = results.filter(({ text }) => factKey(text) === factKey(request.query));
      const strong = same.length > 0 ? same : results.filter(({ score }) => score >= strongScore);
      const done = strong.length === 1 ? await remove(strong[0]!.id, signal) : null;
      return done ?? { removed: [], candidates: results, problems: [] };
    },
    async capture(turns, { sessionKey, signal, origin = "capture" } = {}) {
      throwIfAborted(signal);
      if (parts.isSharedFor(sessionKey)) return { stored: [] };
      const known = new Set((await readFile()).entries.map(({ text }) => factKey(text)));
      const facts = captureFacts(
        // Mask before splitting: the context that identifies a secret may be in another sentence.
        turns.map((turn) => ({ ...turn, text: mask(turn.text) })),
        { maxFacts: parts.captureLimit, isKnown: (text) => known.has(factKey(cleanFact(text))) },
      );
      const stored: StoreResult[] = [];
      for (const fact of facts) stored.push(await store({ ...fact, origin, signal }));
      return { stored };
    },
    async status() {
      let entries: readonly PlacedEntry[] = [];
      try {
        entries = (await readFile()).entries;
        const vectors = await semantic.open();
        return { entries: entries.length, indexed: vectors && (await vectors.count(entries)) };
      } catch (error) {
        if (!(error instanceof LonghandError)) throw error;
        return { entries: entries.length, indexed: null, problem: `${error.message} ${error.hint}` };
      }
    },
    [Symbol.asyncDispose]: () => semantic[Symbol.asyncDispose](),
  };
}

/** Entries that say the same in other words, or contradict it, found without a model. */
function findRelated(
  text: string,
  entries: readonly PlacedEntry[],
): { repeated?: PlacedEntry; superseded?: PlacedEntry } {
  const words = wordsOfLine(text);
  const said = readLine({ text });
  const related = entries
    .filter((entry) => mayRelate(wordsOfLine(entry.text), words))
    .map((entry) => ({ entry, kind: compareFacts(readLine({ text: entry.text }), said).kind }));
  const repeated = related.find(({ kind }) => kind === "same" || kind === "near-duplicate")?.entry;
  // The last one is the current fact.
  const superseded = related.findLast(({ kind }) => kind === "supersedes")?.entry;
  return { ...(repeated && { repeated }), ...(superseded && { superseded }) };
}

function refuseShared(): never {
  throw new LonghandError(
    "path-outside-memory",
    "Entries are private, and this session can be read by others: none is stored or removed.",
    { hint: "Use memory_add for what everybody here may know, or a main or direct session." },
  );
}

/** The file is the truth, so nothing goes into it that could not be read back. */
function refuseFields({ category, importance }: { category: string | undefined; importance: number }): void {
  if (category !== undefined && !isCategory(category)) {
    throw new LonghandError(
      "entry-invalid",
      `The fact was not stored: there is no category ${JSON.stringify(category)}.`,
      { hint: `Use one of ${entryCategories.join(", ")}, or leave it out.` },
    );
  }
  if (typeof importance !== "number" || Number.isNaN(importance)) {
    throw new LonghandError("entry-invalid", `The fact was not stored: its importance is ${importance}.`, {
      hint: "Give a number from 0 to 1, or leave it out.",
    });
  }
}

function refuseId(id: string): LonghandError {
  return new LonghandError("note-changed", `There is no entry ${JSON.stringify(id.slice(0, 40))}.`, {
    hint: "Look for it with memory_recall, and give its id as shown there.",
  });
}
