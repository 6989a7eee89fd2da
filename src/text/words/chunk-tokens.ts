import { headOf, type WordSource } from "../document.ts";
import { nameTokens } from "../note-names.ts";
import type { Analyzer } from "./analyze.ts";

/** For a store: turns a chunk into the tokens of its text and of its head, joined by spaces. */
export function createChunkTokens(
  analyzer: Pick<Analyzer, "indexBytes" | "indexText">,
): (chunk: WordSource) => { body: string; head: string } {
  return (chunk) => ({
    body: analyzer.indexText(chunk.text),
    head: indexHead(analyzer, chunk).toString(),
  });
}

/** In UTF-8, the tokens of a chunk's path and headings and of its note's names. Valid until the next call. */
export function indexHead(analyzer: Pick<Analyzer, "indexBytes">, chunk: WordSource): Buffer {
  const words = analyzer.indexBytes(headOf(chunk).toWellFormed());
  const names = nameTokens(chunk);
  return names.length === 0 ? words : Buffer.concat([words, Buffer.from(` ${names.join(" ")}`)]);
}
