import type { Figure } from "./bars.ts";

/** The amount of data for each part. */
export interface Sizes {
  /** Notes of 2,000 characters in a folder. */
  readonly notes: number;
  /** Chunks with one vector of 768 numbers each. */
  readonly vectorChunks: number;
  /** Chunks of the notes that are queried. */
  readonly queryChunks: number;
  readonly providerChunks: number;
  /** Sizes at which the curve is measured, ascending. */
  readonly curveChunks: readonly number[];
  /** Up to this size, the classic design is measured, too. */
  readonly classicCurveChunks: number;
  /** Repetitions of long measurements; those that take milliseconds are repeated more often. */
  readonly rounds: number;
}

export const fullSizes: Sizes = {
  notes: 10_000,
  vectorChunks: 100_000,
  queryChunks: 10_000,
  providerChunks: 10_000,
  curveChunks: [1000, 10_000, 100_000, 1_000_000],
  classicCurveChunks: 100_000,
  rounds: 5,
};

export const quickSizes: Sizes = {
  notes: 1000,
  vectorChunks: 3000,
  queryChunks: 1500,
  providerChunks: 1500,
  curveChunks: [1000, 10_000],
  classicCurveChunks: 1000,
  rounds: 2,
};

export interface CurvePoint {
  readonly chunks: number;
  readonly wordsMs: number;
  readonly hybridMs: number;
  /** Since the first chunk. */
  readonly indexMs: number;
  readonly sizeBytes: number;
  readonly classic?: { readonly hybridMs: number; readonly indexMs: number; readonly sizeBytes: number };
}

export interface PartResult {
  /** By the id of the row. */
  readonly figures: Readonly<Record<string, Figure>>;
  readonly curve?: readonly CurvePoint[];
}

/** A part is a module that exports `measure`; it runs in its own process. */
export type MeasurePart = (sizes: Sizes) => Promise<PartResult>;

export const parts = {
  vectors: { file: "vectors.ts", about: "vectors of 768 numbers, against sqlite-vec and the classic design" },
  "no-change-sync": { file: "no-change-sync.ts", about: "looking for changes where there are none" },
  "first-index": {
    file: "first-index.ts",
    about: "notes indexed for the first time, by the built package",
    needsBuild: true,
  },
  "cold-start": { file: "cold-start.ts", about: "the built command line, started anew", needsBuild: true },
  hooks: { file: "hooks.ts", about: "processor time of the hooks of agent hosts", needsBuild: true },
  query: { file: "query.ts", about: "questions to a process that runs" },
  "builtin-model": {
    file: "builtin-model.ts",
    about: "the embedding model of the package",
    needsBuild: true,
  },
  freshness: { file: "freshness.ts", about: "what being up to date costs" },
  mcp: { file: "mcp.ts", about: "the built MCP server", needsBuild: true },
  provider: { file: "provider.ts", about: "embedding by a service on this machine" },
  curve: { file: "curve.ts", about: "from a thousand chunks to a million (minutes)", isLong: true },
} as const satisfies Record<string, { file: string; about: string; needsBuild?: true; isLong?: true }>;

export type PartName = keyof typeof parts;
