import { setTimeout as sleep } from "node:timers/promises";
import type { Embedder } from "../embedders/embedder.ts";
import { LonghandError, throwIfAborted } from "../errors.ts";
import { cleanEntry, cleanOrigin } from "../notes/entry-text.ts";
import { entriesPath } from "../notes/note-scope.ts";
import { cite, showsCitations } from "../search/citation.ts";
import { isSharedSession } from "../search/session-scope.ts";
import type { EntryIndex } from "../stores/entry-index.ts";
import { createAnalyser } from "../text/analyse.ts";
import { looksLikeInstruction } from "../text/instruction-like.ts";
import { stopWordsOf } from "../text/stop-words.ts";
import { captureFacts } from "./capture-facts.ts";
import type {
  Entries,
  EntryAccess,
  ForgetEntryResult,
  RecallAnswer,
  RecalledEntry,
  RecallOptions,
  StoreRequest,
  StoreResult,
} from "./entries.ts";
import { defaultImportance, type Entry, type PlacedEntry } from "./entry.ts";
import { cleanFact, factKey, formatEntry, newId, parseEntries, toSeconds } from "./entry-file.ts";
import { createEntryVectors, type EntryVectors } from "./entry-vectors.ts";
import { guessCategory } from "./guess-category.ts";
import { type EntryEvidence, judgeChance, rankEntries } from "./rank-entries.ts";
import { tellsOtherwise } from "./tells-otherwise.ts";

/** What the entries need of the memory that they belong to. */
export interface EntriesParts {
  /** The file of the entries as it is now; null when there is none. */
  readonly read: () => Promise<{ readonly text: string; readonly hash: string } | null>;
  /** Appends a line to the file durably, unless it stands there already. */
  readonly append: (
    line: string,
    signal: AbortSignal | undefined,
  ) => Promise<{ readonly startLine: number; readonly duplicate: boolean }>;
  /** Takes lines out of the file, if they still are like this, and their traces out of the index of the notes. */
  readonly remove: (
    lines: { readonly startLine: number; readonly endLine: number; readonly text: string },
    signal: AbortSignal | undefined,
  ) => Promise<{ readonly problems: readonly string[] }>;
  /** Searches the lines of the file by word: passages with the lines that the question is about. */
  readonly findLines: (
    query: string,
    signal: AbortSignal | undefined,
  ) => Promise<readonly { readonly score: number; readonly lines: readonly number[] }[]>;
  readonly openIndex: () => Promise<EntryIndex>;
  /** Absent searches by word alone. */
  readonly embedder: () => Promise<Embedder | undefined>;
  readonly mask: (text: string) => string;
  readonly citations: "auto" | "on" | "off";
  readonly automatic: Entries["automatic"];
  /** How many entries an answer has, and how many one turn gives at most. */
  readonly recallLimit: number;
  readonly captureLimit: number;
  /** How long an answer waits for an embedder that may be slow. */
  readonly waitMs: number;
  readonly now: () => Date;
}

/** From this cosine on an entry may say the same. */
const duplicateSimilarity = 0.95;
/** From this one on it is worth a look. */
const similarSimilarity = 0.85;
const defaultMinScore = 0.2;
/** A question that means exactly one entry, and no other nearly as well, need not be asked back. */
const strongScore = 0.75;
const nearestCount = 64;

export function createEntries(parts: EntriesParts): Entries {
  const { automatic, mask, now } = parts;
  const analyser = createAnalyser();
  let parsed: { readonly hash: string; readonly text: string; readonly entries: readonly PlacedEntry[] } = {
    hash: "",
    text: "",
    entries: [],
  };
  let opening: Promise<{ readonly index: EntryIndex; readonly vectors: EntryVectors } | null> | undefined;

  async function readAll(): Promise<typeof parsed> {
    const file = await parts.read();
    if (file === null) return { hash: "", text: "", entries: [] };
    if (file.hash !== parsed.hash) parsed = { ...file, entries: parseEntries(file.text) };
    return parsed;
  }

  /** Null without an embedder. A missing package or an unusable folder is an error: nothing else would tell. */
  async function openVectors(): Promise<EntryVectors | null> {
    opening ??= parts.embedder().then(async (embedder) => {
      if (embedder === undefined) return null;
      const index = await parts.openIndex();
      return { index, vectors: createEntryVectors({ index, embedder, mask }) };
    });
    try {
      return (await opening)?.vectors ?? null;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  /** What goes wrong with vectors is told, and words answer. What needs an installation is an error. */
  async function byMeaning<T>(work: Work<T>, signal: AbortSignal | undefined): Promise<Outcome<T>> {
    const vectors = await openVectors();
    if (vectors === null)
      return { problem: "there is no embedder: entries are compared by their words alone" };
    const embedder = (await parts.embedder())!;
    const done = work(vectors, embedder).then(
      (value): Outcome<T> => ({ value }),
      (error: unknown): Outcome<T> => {
        if (signal?.aborted || !(error instanceof LonghandError)) throw error;
        return { problem: `entries are compared by their words alone: ${error.message}` };
      },
    );
    if (!embedder.isSlow) return await done;
    const waited = new AbortController();
    const late = sleep(parts.waitMs, null, { signal: waited.signal }).then(
      (): Outcome<T> => ({ problem: `${embedder.provider} did not answer within ${parts.waitMs} ms` }),
      (): Outcome<T> => ({ problem: "" }),
    );
    // Late failures meet the next call again.
    done.catch(() => {});
    return await Promise.race([done, late]).finally(() => waited.abort());
  }

  async function findSimilar(text: string, entries: readonly PlacedEntry[], signal: AbortSignal | undefined) {
    return await byMeaning(async (vectors) => {
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
    const { sessionKey, signal } = request;
    throwIfAborted(signal);
    refuseShared(sessionKey);
    const text = cleanFact(mask(cleanEntry(request.text)));
    const { entries } = await readAll();
    const same = entries.find((entry) => factKey(entry.text) === factKey(text));
    if (same) return { ...same, path: entriesPath, duplicate: true, degraded: [] };
    const { value: alike = [], problem } = await findSimilar(text, entries, signal);
    const duplicate = alike.find(
      (entry) => entry.similarity >= duplicateSimilarity && !tellsOtherwise(text, entry.text),
    );
    const degraded = problem ? [problem] : [];
    if (duplicate) {
      const { similarity: _, ...entry } = duplicate;
      return { ...entry, path: entriesPath, duplicate: true, degraded };
    }
    const createdAt = toSeconds(now());
    const entry: Entry = {
      id: newId(text, createdAt),
      text,
      category: request.category ?? guessCategory(text),
      importance: Math.round(Math.min(1, Math.max(0, request.importance ?? defaultImportance)) * 100) / 100,
      createdAt,
      ...(request.origin !== undefined && { origin: cleanOrigin(request.origin) }),
    };
    const written = await parts.append(formatEntry(entry), signal);
    const { startLine } = written;
    const [similar] = alike;
    return {
      ...(written.duplicate ? await entryAt(startLine, entry) : { ...entry, startLine, endLine: startLine }),
      path: entriesPath,
      duplicate: written.duplicate,
      ...(similar && !written.duplicate && { similar }),
      degraded,
    };
  }

  /** Another process wrote the same in this moment: its entry counts. */
  async function entryAt(line: number, entry: Entry): Promise<PlacedEntry> {
    const { entries } = await readAll();
    const there = entries.find(({ startLine, endLine }) => startLine <= line && line <= endLine);
    return there ?? { ...entry, startLine: line, endLine: line };
  }

  async function recall(asked: string, options: RecallOptions = {}): Promise<RecallAnswer> {
    const { sessionKey, signal, limit = parts.recallLimit, minScore = defaultMinScore } = options;
    throwIfAborted(signal);
    if (isSharedSession(sessionKey)) return { results: [], degraded: [] };
    const query = dropSubject(asked);
    const { entries } = await readAll();
    if (entries.length === 0) {
      // So that a missing package is told before the first fact is stored, too.
      await openVectors();
      return { results: [], degraded: [] };
    }
    const near = await byMeaning(async (vectors, embedder) => {
      await vectors.catchUp(entries, signal);
      const vector = await embedder.embedQuery(mask(query), signal ? { signal } : {});
      const nearest = vector === null ? [] : await vectors.nearest(vector, nearestCount);
      return { nearest, keyOf: vectors.keyOf };
    }, signal);
    const passages = await byWord(query, signal);
    const evidence = gatherEvidence(query, entries, near.value, passages.value ?? []);
    const chance = judgeChance(near.value?.nearest ?? [], entries.length);
    const isCited = showsCitations(parts.citations, sessionKey);
    const results = rankEntries(evidence, { ...chance, minScore, limit }).map(({ entry, score }) =>
      present(entry, score, isCited),
    );
    return { results, degraded: [near.problem, passages.problem].filter((problem) => problem !== undefined) };
  }

  async function byWord(query: string, signal: AbortSignal | undefined) {
    try {
      return { value: await parts.findLines(query, signal) };
    } catch (error) {
      if (signal?.aborted || !(error instanceof LonghandError)) throw error;
      return { problem: `entries are compared by meaning alone: ${error.message}` };
    }
  }

  function gatherEvidence(
    query: string,
    entries: readonly PlacedEntry[],
    near:
      | { nearest: readonly { key: string; similarity: number }[]; keyOf(entry: Entry): string }
      | undefined,
    passages: readonly { score: number; lines: readonly number[] }[],
  ): EntryEvidence<PlacedEntry>[] {
    const scoreOfLine = new Map<number, number>();
    for (const { score, lines } of passages) {
      for (const line of lines) scoreOfLine.set(line, Math.max(scoreOfLine.get(line) ?? 0, score));
    }
    const similarities = new Map(near?.nearest.map(({ key, similarity }) => [key, similarity]));
    const wanted = tokensOf(query);
    const tellings = [...wanted].filter((token) => !stopWordsOf([...wanted]).has(token));
    return entries.flatMap((entry) => {
      const similarity = similarities.get(near?.keyOf(entry) ?? "") ?? null;
      const scores = Array.from(
        { length: entry.endLine - entry.startLine + 1 },
        (_, at) => scoreOfLine.get(entry.startLine + at) ?? 0,
      );
      const best = Math.max(...scores);
      if (similarity === null && best === 0) return [];
      const own = tokensOf(entry.text);
      const shared = tellings.filter((token) => own.has(token)).length;
      const wordShare = tellings.length === 0 ? 0 : shared / tellings.length;
      const wordScore = best === 0 ? null : best;
      return [{ entry, similarity, wordScore, wordShare, importance: entry.importance }];
    });
  }

  function tokensOf(text: string): Set<string> {
    return new Set(analyser.indexText(text.slice(0, 4096)).split(" ").filter(Boolean));
  }

  function present(entry: PlacedEntry, score: number, isCited: boolean): RecalledEntry {
    const { text, startLine, endLine } = entry;
    return {
      ...entry,
      text: mask(text),
      path: entriesPath,
      score: Math.round(score * 1000) / 1000,
      ...(isCited && { citation: cite(entriesPath, startLine, endLine) }),
      ...(looksLikeInstruction(text) && { flags: ["instruction-like"] as const }),
    };
  }

  async function forgetEntry(id: string, signal: AbortSignal | undefined): Promise<ForgetEntryResult | null> {
    for (let attempt = 1; ; attempt++) {
      const { entries, text } = await readAll();
      const entry = entries.find((each) => each.id === id);
      if (entry === undefined) return null;
      const { startLine, endLine } = entry;
      const lines = text
        .replace(/^\ufeff/, "")
        .split("\n")
        .slice(startLine - 1, endLine)
        .join("\n");
      try {
        const { problems } = await parts.remove({ startLine, endLine, text: lines }, signal);
        return {
          removed: [{ id, path: entriesPath, startLine, endLine }],
          candidates: [],
          problems: [...problems, ...(await purge(entry))],
        };
      } catch (error) {
        // Others write to the file too: lines move, and the entry is looked up again.
        const isMoved = error instanceof LonghandError && error.code === "note-changed";
        if (!isMoved || attempt >= 3) throw error;
      }
    }
  }

  /** The file does not have it any more, whatever becomes of the index. */
  async function purge(entry: PlacedEntry): Promise<string[]> {
    try {
      const vectors = await openVectors();
      if (vectors !== null) await vectors.purge([entry]);
      else await purgeAll();
      return [];
    } catch (error) {
      if (!(error instanceof LonghandError)) throw error;
      return [`The index of entries may still hold the text. ${error.message} ${error.hint}`];
    }
  }

  /** Without an embedder nobody knows which set is in use: all of them can be made again. */
  async function purgeAll(): Promise<void> {
    await using index = await parts.openIndex();
    await index.purge("", []);
  }

  return {
    automatic,
    async list({ sessionKey, signal }: EntryAccess = {}) {
      throwIfAborted(signal);
      return isSharedSession(sessionKey) ? [] : (await readAll()).entries;
    },
    store,
    recall,
    async forget(request) {
      const { sessionKey, signal } = request;
      throwIfAborted(signal);
      refuseShared(sessionKey);
      if ("id" in request) {
        const done = await forgetEntry(request.id.trim().toLowerCase(), signal);
        if (done !== null) return done;
        throw new LonghandError("note-changed", `There is no entry ${request.id.trim().slice(0, 40)}.`, {
          hint: "Look for it with memory_recall, and give its id as it stands there.",
        });
      }
      const { results } = await recall(request.query, { ...request, limit: 5 });
      const same = results.filter(({ text }) => factKey(text) === factKey(request.query));
      const strong = same.length > 0 ? same : results.filter(({ score }) => score >= strongScore);
      const done = strong.length === 1 ? await forgetEntry(strong[0]!.id, signal) : null;
      return done ?? { removed: [], candidates: results, problems: [] };
    },
    async capture(turns, { sessionKey, signal, origin = "capture" } = {}) {
      if (isSharedSession(sessionKey)) return { stored: [] };
      const known = new Set((await readAll()).entries.map(({ text }) => factKey(text)));
      const facts = captureFacts(
        // Masked before it is cut: what tells a secret may stand in another sentence.
        turns.map((turn) => ({ ...turn, text: mask(turn.text) })),
        { maxFacts: parts.captureLimit, isKnown: (text) => known.has(factKey(cleanFact(text))) },
      );
      const stored: StoreResult[] = [];
      for (const fact of facts) stored.push(await store({ ...fact, origin, ...(signal && { signal }) }));
      return { stored };
    },
    async [Symbol.asyncDispose]() {
      const opened = await opening?.catch(() => null);
      await opened?.index[Symbol.asyncDispose]();
    },
  };
}

/** Every entry is about the user, so that word would find them all. */
function dropSubject(query: string): string {
  const rest = query.replace(/(?<!\p{L})(?:the )?users?(?:['’]s)?(?!\p{L})/giu, " ");
  return /[\p{L}\p{N}]/u.test(rest) ? rest : query;
}

type Work<T> = (vectors: EntryVectors, embedder: Embedder) => Promise<T>;

/** Either is there. */
interface Outcome<T> {
  readonly value?: T;
  readonly problem?: string;
}

function refuseShared(sessionKey: string | undefined): void {
  if (!isSharedSession(sessionKey)) return;
  throw new LonghandError(
    "path-outside-memory",
    "Entries are private, and this session can be read by others: none is stored or removed.",
    { hint: "Use memory_add for what everybody here may know, or a main or direct session." },
  );
}
