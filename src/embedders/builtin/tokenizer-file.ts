import { modelUnusable } from "./model-unusable.ts";
import { scanVocabulary } from "./scan-vocabulary.ts";
import { createVocabulary, indexPieces, type VocabularyTables } from "./vocabulary.ts";
import type { WordPieceOptions } from "./word-piece.ts";

export interface TokenizerFile extends WordPieceOptions {
  /** Pieces that stand for no text: padding, the unknown word, and other marks. */
  readonly specialIds: ReadonlySet<number>;
  readonly tables: VocabularyTables;
}

/**
 * Reads a `tokenizer.json` that describes a word-piece tokenizer of the usual kind. Any other kind is refused, since
 * its pieces would not be those that the model was trained with.
 */
export function parseTokenizerFile(text: string, file: string): TokenizerFile {
  const begin = /(?<!\\)"vocab"\s*:\s*\{/.exec(text);
  if (begin === null) {
    parseJson(text, file);
    throw modelUnusable(file, "it has no vocabulary");
  }
  const inside = begin.index + begin[0].length;
  const { pieces, end } = scanVocabulary(text, inside, file);

  const rest = asRecord(parseJson(text.slice(0, inside) + text.slice(end), file));
  const [model, normaliser, splitter] = [rest.model, rest.normalizer, rest.pre_tokenizer].map(asRecord);
  if (model?.vocab === undefined) throw modelUnusable(file, "its vocabulary is not part of its model");
  const kinds = `${model.type}, ${normaliser?.type}, ${splitter?.type}`;
  if (kinds !== readableKinds) throw modelUnusable(file, `it describes ${kinds} instead of ${readableKinds}`);

  const tables = indexPieces(pieces, stringOr(model.continuing_subword_prefix, "##"));
  const vocabulary = createVocabulary(tables);
  const unknownPiece = stringOr(model.unk_token, "[UNK]");
  const unknownId = vocabulary.idOf(unknownPiece);
  if (unknownId === null) throw modelUnusable(file, `its vocabulary lacks ${unknownPiece} for unknown words`);
  const maxWordCharacters = model.max_input_chars_per_word ?? 100;
  if (!isCount(maxWordCharacters) || maxWordCharacters > 1000) {
    throw modelUnusable(file, `max_input_chars_per_word is ${maxWordCharacters} instead of 0 to 1000`);
  }
  const lowerCase = normaliser?.lowercase !== false;
  return {
    tables,
    vocabulary,
    unknownId,
    specialIds: new Set([unknownId, ...specialIds(rest.added_tokens)]),
    maxWordCharacters,
    normaliser: {
      cleanText: normaliser?.clean_text !== false,
      isolateChinese: normaliser?.handle_chinese_chars !== false,
      lowerCase,
      // Where the file does not say, accents go when capitals do: so these files are meant.
      stripAccents: booleanOr(normaliser?.strip_accents, lowerCase),
    },
  };
}

const readableKinds = "WordPiece, BertNormalizer, BertPreTokenizer";

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw modelUnusable(file, `it is not JSON (${(cause as Error).message})`, cause);
  }
}

function specialIds(addedTokens: unknown): number[] {
  if (!Array.isArray(addedTokens)) return [];
  return addedTokens
    .map(asRecord)
    .filter(({ special }) => special === true)
    .map(({ id }) => id)
    .filter(isCount);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function stringOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function booleanOr(value: unknown, otherwise: boolean): boolean {
  return typeof value === "boolean" ? value : otherwise;
}
