/** `longhand/stores`: everything needed to write a store. See docs/extending.md. */

export {
  type ChunkFilter,
  type DocumentName,
  type DocumentState,
  type DocumentSummary,
  hasVectors,
  type IndexedDocument,
  type IndexedVersion,
  type PurgeReport,
  type PurgeRequest,
  type RepairOptions,
  type Store,
  type StoreDescription,
  type StoreDocuments,
  type StoredChunk,
  type StoreMaintenance,
  type StoreStatistics,
  type StoreWords,
  type VectorStore,
  type WriteOptions,
} from "../stores/store.ts";
export type {
  EmbedderIdentity,
  EmbedderUsage,
  MissingText,
  NarrowTexts,
  StoreVectors,
  VectorCandidates,
  VectorEntry,
  VectorSet,
  VectorStatistics,
} from "../stores/store-vectors.ts";
export { splitTokens } from "../stores/tokens.ts";
export type {
  Chunk,
  ChunkWords,
  DocumentHead,
  DocumentPart,
  LineRange,
  Scope,
  SourceName,
} from "../text/document.ts";
export { compileGlob } from "../text/glob.ts";
export { type Analyzer, createAnalyzer } from "../text/words/analyze.ts";
