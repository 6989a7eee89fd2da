import type { PartName } from "./parts.ts";

/**
 * What is promised of longhand's speed, size and memory, one row each. A part of the bench measures a figure for every
 * row that names it; `judge.ts` compares.
 */
export interface Bar {
  readonly id: string;
  readonly part: PartName;
  readonly what: string;
  /** What the figure is compared with, measured in the same run. */
  readonly reference?: string;
  readonly unit: Unit;
  /**
   * What is compared with the bar. `speedup`: reference ÷ ours; `share`: ours ÷ reference; `ours`: the figure itself,
   * which then says as much about the machine as about longhand.
   */
  readonly judged: "speedup" | "share" | "ours";
  readonly atLeast?: number;
  /** With neither of the two the row is told and not judged. */
  readonly atMost?: number;
  /** The bar of a quick run, where fixed costs weigh more because there is less of everything. */
  readonly whenQuick?: number;
  /** Not a matter of time, so that a busy machine is no excuse. */
  readonly isExact?: true;
}

export type Unit = "ms" | "bytes" | "per second" | "count" | "part";

export interface Figure {
  readonly ours: number;
  readonly reference?: number;
  /** Sizes, and what else was seen, in a few words. */
  readonly detail?: string;
}

const classicLayout = "the classic layout: JSON of vectors, vec0 by text id, text twice";

export const bars: readonly Bar[] = [
  {
    id: "vector-search",
    part: "vectors",
    what: "vector search, warm",
    reference: "sqlite-vec: vec0 MATCH by integer rowid",
    unit: "ms",
    judged: "speedup",
    atLeast: 10,
    whenQuick: 2,
  },
  {
    id: "vector-recall",
    part: "vectors",
    what: "recall@24 of vector search against all cosines",
    unit: "part",
    judged: "ours",
    atLeast: 0.99,
    isExact: true,
  },
  {
    id: "vector-first-search",
    part: "vectors",
    what: "open and first vector search of a new process",
    reference: "the same with vec0",
    unit: "ms",
    judged: "speedup",
    atLeast: 1,
    whenQuick: 0.25,
  },
  {
    id: "hybrid-search",
    part: "vectors",
    what: "search by words and vectors, end to end",
    reference: "the classic design: every distance joined to its chunk, words joined by AND",
    unit: "ms",
    judged: "speedup",
    atLeast: 50,
    whenQuick: 30,
  },
  {
    id: "hybrid-search-newer",
    part: "vectors",
    what: "the same search",
    reference: "the classic design, vec0 MATCH before the distances",
    unit: "ms",
    judged: "speedup",
  },
  {
    id: "database-size",
    part: "vectors",
    what: "size of the index, 768 dimensions",
    reference: classicLayout,
    unit: "bytes",
    judged: "share",
    atMost: 0.25,
    isExact: true,
  },
  {
    id: "no-change-sync",
    part: "no-change-sync",
    what: "sync of notes that have not changed",
    reference: "reading and hashing every file, one by one, with async fs",
    unit: "ms",
    judged: "speedup",
    atLeast: 10,
    whenQuick: 6,
  },
  {
    id: "no-change-sync-blocking",
    part: "no-change-sync",
    what: "the same sync",
    reference: "reading and hashing every file synchronously",
    unit: "ms",
    judged: "speedup",
    atLeast: 2,
    whenQuick: 1,
  },
  {
    id: "first-index",
    part: "first-index",
    what: "first index, stub embedder",
    reference: "a bare FTS5 insert of the same text in one transaction",
    unit: "ms",
    judged: "share",
    atMost: 3,
    whenQuick: 10,
  },
  {
    id: "first-index-builtin",
    part: "first-index",
    what: "first index, builtin model",
    reference: "the same with words alone",
    unit: "ms",
    judged: "share",
    atMost: 2,
  },
  {
    id: "event-loop",
    part: "first-index",
    what: "event loop held while indexing with the builtin model, p99",
    unit: "ms",
    judged: "ours",
    atMost: 50,
  },
  {
    id: "index-memory",
    part: "first-index",
    what: "most memory of a process that indexes with the builtin model",
    reference: "an empty Node",
    unit: "bytes",
    judged: "ours",
  },
  {
    id: "index-size",
    part: "first-index",
    what: "size of the index with the builtin model",
    reference: "the text of the notes",
    unit: "bytes",
    judged: "share",
    isExact: true,
  },
  {
    id: "cold-search",
    part: "cold-start",
    what: "`longhand search` from a cold shell, words",
    reference: "`node -e 0`",
    unit: "ms",
    judged: "share",
    atMost: 4,
  },
  {
    id: "cold-search-builtin",
    part: "cold-start",
    what: "the same with the builtin model",
    reference: "`node -e 0`",
    unit: "ms",
    judged: "share",
    atMost: 4,
  },
  {
    id: "cold-search-meaning",
    part: "cold-start",
    what: "what the builtin model adds to it",
    reference: "the same with words alone",
    unit: "ms",
    judged: "share",
    atMost: 1.5,
  },
  {
    id: "hook-session-start",
    part: "hooks",
    what: "the hook `session-start`, processor time",
    unit: "ms",
    judged: "ours",
    atMost: 150,
  },
  {
    id: "hook-user-prompt",
    part: "hooks",
    what: "the hook `user-prompt`, processor time",
    unit: "ms",
    judged: "ours",
    atMost: 150,
  },
  {
    id: "hook-pre-compact",
    part: "hooks",
    what: "the hook `pre-compact`, processor time",
    unit: "ms",
    judged: "ours",
    atMost: 300,
  },
  {
    id: "query-words",
    part: "query",
    what: "a question to a warm process, words, p50",
    reference: "a fixed loop of the processor",
    unit: "ms",
    judged: "ours",
    atMost: 10,
  },
  {
    id: "query-builtin",
    part: "query",
    what: "the same with the builtin model",
    reference: "a fixed loop of the processor",
    unit: "ms",
    judged: "ours",
    atMost: 15,
  },
  {
    id: "model-speed",
    part: "builtin-model",
    what: "word pieces that the builtin model embeds",
    unit: "per second",
    judged: "ours",
    atLeast: 1_000_000,
  },
  {
    id: "model-first",
    part: "builtin-model",
    what: "first embedding of a process, loading included",
    unit: "ms",
    judged: "ours",
    atMost: 60,
  },
  {
    id: "model-memory",
    part: "builtin-model",
    what: "memory that the builtin model holds",
    unit: "bytes",
    judged: "ours",
    atMost: 40e6,
    isExact: true,
  },
  {
    id: "fresh-search-looking",
    part: "freshness",
    what: "a search that looks at all notes first",
    reference: "the same with a watcher in the process",
    unit: "ms",
    judged: "ours",
  },
  {
    id: "fresh-edit",
    part: "freshness",
    what: "from an edit until it is indexed by the watcher",
    unit: "ms",
    judged: "ours",
    atMost: 3000,
  },
  {
    id: "mcp-start",
    part: "mcp",
    what: "MCP over stdio: from the start to the first answer",
    reference: "`node -e 0`",
    unit: "ms",
    judged: "ours",
    atMost: 400,
  },
  {
    id: "mcp-call",
    part: "mcp",
    what: "what a search over MCP adds to one by the library",
    reference: "the library's own",
    unit: "ms",
    judged: "ours",
    atMost: 5,
  },
  {
    id: "provider-index",
    part: "provider",
    what: "first index through a service that takes 50 ms",
    reference: "requests ÷ concurrency × latency",
    unit: "ms",
    judged: "share",
    atMost: 1.5,
    whenQuick: 2,
  },
  {
    id: "provider-again",
    part: "provider",
    what: "requests of a second index",
    unit: "count",
    judged: "ours",
    atMost: 0,
    isExact: true,
  },
  {
    id: "growth-words",
    part: "curve",
    what: "a question by words, p50, at the largest size",
    reference: "the same at 10,000 chunks, times the growth",
    unit: "ms",
    judged: "share",
    atMost: 1,
  },
  {
    id: "growth-hybrid",
    part: "curve",
    what: "a question by words and vectors, p50, at the largest size",
    reference: "the same at 10,000 chunks, times the growth",
    unit: "ms",
    judged: "share",
    atMost: 1,
  },
];
