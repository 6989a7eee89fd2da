import type { Problem } from "./check.ts";
import { quote } from "./known-keys.ts";
import type { memorySearchOptions } from "./memory-search-options.ts";
import type { Value } from "./option.ts";
import type { agentOptions } from "./options.ts";
import { findAddressFault } from "./postgres-address.ts";

export type MemorySearchSettings = Value<typeof memorySearchOptions>;
type AgentSettings = Value<typeof agentOptions>;

/** What is wrong between values that are each right by themselves. Keys are those of one agent. */
export function findConflicts({
  memorySearch,
  notes,
}: Pick<AgentSettings, "memorySearch" | "notes">): Problem[] {
  const { sources, experimental, chunking, query, store } = memorySearch;
  const problems: Problem[] = [];
  if (notes.include === "memory" && !/^(?:memory\/|MEMORY\.md$)/.test(notes.daily)) {
    problems.push({
      key: "notes.daily",
      message: `must be below memory/ while notes.include is "memory", but is ${quote(notes.daily)}`,
      hint: 'Set notes.include to "all" as well, which `longhand adopt` does.',
    });
  }
  if (sources.includes("sessions") && !experimental.sessionMemory) {
    problems.push({
      key: "memorySearch.sources",
      message: 'has "sessions", which needs memorySearch.experimental.sessionMemory to be true',
      hint: 'Set experimental: { sessionMemory: true } beside it, or take "sessions" out.',
    });
  }
  if (chunking.overlap >= chunking.tokens) {
    problems.push({
      key: "memorySearch.chunking.overlap",
      message: `must be less than chunking.tokens (${chunking.tokens}), but is ${chunking.overlap}`,
    });
  }
  if (query.hybrid.vectorWeight + query.hybrid.textWeight === 0) {
    problems.push({
      key: "memorySearch.query.hybrid.vectorWeight",
      message: "and textWeight must not both be 0",
      hint: "Give at least one of them a weight; they are scaled to sum 1.",
    });
  }
  if (store.driver === "postgres") {
    const key = "memorySearch.store.url";
    const fault = store.url && findAddressFault(store.url.reveal());
    if (store.url === undefined)
      problems.push({ key, message: 'must be set when store.driver is "postgres"' });
    else if (fault) problems.push({ key, ...fault });
  }
  return problems;
}

/** The weights of the two searches, scaled to sum 1. */
export function normaliseWeights(memorySearch: MemorySearchSettings): MemorySearchSettings {
  const { query } = memorySearch;
  const sum = query.hybrid.vectorWeight + query.hybrid.textWeight;
  const vectorWeight = query.hybrid.vectorWeight / sum;
  const textWeight = query.hybrid.textWeight / sum;
  return { ...memorySearch, query: { ...query, hybrid: { ...query.hybrid, vectorWeight, textWeight } } };
}
