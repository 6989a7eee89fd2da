/**
 * `longhand/parts`: the pure parts of indexing and search, for hosts that build their own. No I/O, no clock, no
 * configuration.
 */
export { cite } from "../search/location.ts";
export { decayFactor, diversify, type FusionOptions, fuseScores, type Standing } from "../search/rank.ts";
export { type ChunkerOptions, createChunker } from "../text/chunk.ts";
export type { Chunk, Chunker, LineRange } from "../text/document.ts";
export { looksLikeInstruction } from "../text/instruction-like.ts";
export {
  type FoundSecret,
  type Redacted,
  type RedactOptions,
  redactInSlices,
  redactSecrets,
} from "../text/redact.ts";
export { hasHidden, showHidden } from "../text/visible.ts";
export { type Analyzer, createAnalyzer, type SoughtWords, type TokenVisitor } from "../text/words/analyze.ts";
export type { WantedWords } from "../text/words/wanted-words.ts";
