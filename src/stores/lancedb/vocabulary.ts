import type { LanceTable } from "./lance-package.ts";
import { inParts, isOneOf } from "./sql.ts";

/** All words of the index with the number of chunks each stands in. */
export interface Vocabulary {
  countOf(token: string): number;
  /** In the order of their code units, at most so many. */
  withPrefix(prefix: string, limit: number): { token: string; chunks: number }[];
}

/** Reading more rows by their keys than these takes longer than reading all. */
const mostListed = 5000;

/**
 * The words of a table in memory, because LanceDB does not list what its full-text index holds. The first question reads
 * the tokens of all chunks (a second or so for ten thousand); later ones only what came and went.
 */
export function createVocabulary(): { refresh(chunks: LanceTable): Promise<Vocabulary> } {
  const numbers = new Map<string, number>();
  const tokens: string[] = [];
  const counts: number[] = [];
  /** The distinct words of each chunk, by number: what goes must be subtracted. */
  const held = new Map<string, Uint32Array>();
  let version = -1;
  let sorted: string[] | null = null;

  const add = (key: string, distinct: string): void => {
    const words: number[] = [];
    for (const token of distinct.split(" ")) {
      if (token === "") continue;
      let number = numbers.get(token);
      if (number === undefined) {
        number = tokens.length;
        numbers.set(token, number);
        tokens.push(token);
        counts.push(0);
        sorted = null;
      }
      words.push(number);
    }
    for (const number of words) counts[number]!++;
    held.set(key, Uint32Array.from(words));
  };
  const remove = (key: string): void => {
    for (const number of held.get(key) ?? []) counts[number]!--;
    held.delete(key);
  };

  const load = async (chunks: LanceTable, condition: string): Promise<void> => {
    const query = chunks.query().where(condition).select(["key", "words"]);
    for await (const batch of query) {
      const [keys, words] = ["key", "words"].map((name) => batch.getChild(name)!);
      for (let at = 0; at < batch.numRows; at++) {
        const key: string = keys!.get(at);
        if (!held.has(key)) add(key, words!.get(at) ?? "");
      }
    }
  };

  /** A chunk whose place or scope changed has the same key and the same words. */
  const update = async (chunks: LanceTable): Promise<void> => {
    const now = await chunks.version();
    if (now === version) return;
    const present = new Set<string>();
    for await (const batch of chunks.query().where("id IS NOT NULL").select(["key"])) {
      const keys = batch.getChild("key")!;
      for (let at = 0; at < batch.numRows; at++) present.add(keys.get(at));
    }
    for (const key of held.keys()) if (!present.has(key)) remove(key);
    const missing = [...present].filter((key) => !held.has(key));
    if (missing.length > mostListed) await load(chunks, "id IS NOT NULL");
    else for (const part of inParts(missing)) await load(chunks, isOneOf("key", part));
    version = now;
  };

  const vocabulary: Vocabulary = {
    countOf: (token) => counts[numbers.get(token) ?? -1] ?? 0,
    withPrefix: (prefix, limit) => {
      sorted ??= tokens.toSorted(compare);
      const found: { token: string; chunks: number }[] = [];
      for (let at = firstFrom(sorted, prefix); found.length < limit; at++) {
        const token = sorted[at];
        if (!token?.startsWith(prefix)) break;
        const chunks = vocabulary.countOf(token);
        if (chunks > 0) found.push({ token, chunks });
      }
      return found;
    },
  };

  let updating: Promise<void> = Promise.resolve();
  return {
    refresh: async (chunks) => {
      updating = updating.catch(() => {}).then(() => update(chunks));
      await updating;
      return vocabulary;
    },
  };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function firstFrom(sorted: readonly string[], prefix: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}
