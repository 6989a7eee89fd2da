import { fieldsOf } from "../../text/fields.ts";
import { modelUnusable } from "./model-unusable.ts";
import { createVocabulary, indexPieces, type Pieces, type VocabularyTables } from "./vocabulary.ts";
import type { WordPieceOptions } from "./word-piece.ts";

export interface TokenizerFile extends WordPieceOptions {
  /** Special tokens: padding, the unknown word, and others without text. */
  readonly specialIds: ReadonlySet<number>;
  readonly tables: VocabularyTables;
}

/**
 * Reads a `tokenizer.json` that describes an ordinary WordPiece tokenizer. Any other kind is refused, because the pieces
 * would not be those that the model was trained with.
 */
export function parseTokenizerFile(text: string, file: string): TokenizerFile {
  const begin = /(?<!\\)"vocab"\s*:\s*\{/.exec(text);
  if (begin === null) {
    parseJson(text, file);
    throw modelUnusable(file, "it has no vocabulary");
  }
  const inside = begin.index + begin[0].length;
  const { pieces, end } = scanVocabulary(text, inside, file);

  const rest = fieldsOf(parseJson(text.slice(0, inside) + text.slice(end), file));
  const [model, normaliser, splitter] = [rest.model, rest.normalizer, rest.pre_tokenizer].map(fieldsOf);
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
      // By default, accents are stripped if the text is lower-cased, as in Hugging Face's BertNormalizer.
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
    .map(fieldsOf)
    .filter(({ special }) => special === true)
    .map(({ id }) => id)
    .filter(isCount);
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

/**
 * Reads the members `"piece": id` of a JSON object, starting right after its opening brace; `end` is the offset of the
 * closing one. JSON.parse would create an object with 30,000 keys, which takes longer, and lookups in it are slow. This
 * code runs once per process, before it is compiled, so native string search does most of the work.
 */
function scanVocabulary(text: string, start: number, file: string): { pieces: Pieces; end: number } {
  const units = new Uint16Array(text.length - start);
  const starts: number[] = [0];
  const ids: number[] = [];
  let used = 0;
  let at = start;
  let backslash = text.indexOf("\\", at);
  let code = text.charCodeAt(skipBlanks(text, at)) === closingBrace ? closingBrace : comma;

  while (code === comma) {
    const opening = text.indexOf('"', at);
    let closing = text.indexOf('"', opening + 1);
    let piece = text;
    let from = opening + 1;
    let to = closing;
    if (backslash >= 0 && backslash < closing) {
      closing = endOfString(text, opening);
      piece = parseString(text.slice(opening, closing + 1), file);
      from = 0;
      to = piece.length;
      backslash = text.indexOf("\\", closing);
    }
    for (let i = from; i < to; i++) units[used++] = piece.charCodeAt(i);

    const colon = opening < 0 || closing < 0 ? text.length : skipBlanks(text, closing + 1);
    const digits = skipBlanks(text, colon + 1);
    at = digits;
    code = text.charCodeAt(at);
    let id = 0;
    for (; code >= zero && code <= nine; code = text.charCodeAt(++at)) id = 10 * id + code - zero;
    if (text[colon] !== ":" || at === digits || id > highestPossibleId) throw unreadable(ids.length, file);
    starts.push(used);
    ids.push(id);
    if (code === comma) continue;
    at = skipBlanks(text, at);
    code = text.charCodeAt(at);
    if (code !== comma && code !== closingBrace) throw unreadable(ids.length, file);
  }
  const pieces = { units: units.slice(0, used), starts: new Uint32Array(starts), ids: new Int32Array(ids) };
  return { pieces, end: text.indexOf("}", at) };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 0x20 || (code >= 0x09 && code <= 0x0d); ) {
    code = text.charCodeAt(++at);
  }
  return at;
}

/** The offset of the closing quote of a JSON string, or -1. */
function endOfString(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === "\\") at++;
  }
  return -1;
}

function parseString(quoted: string, file: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch (cause) {
    throw modelUnusable(file, `the word piece ${quoted.slice(0, 40)} is not a JSON string`, cause);
  }
}

function unreadable(count: number, file: string): Error {
  return modelUnusable(file, `its vocabulary breaks off or is damaged after ${count} pieces`);
}

const comma = 0x2c;
const zero = 0x30;
const nine = 0x39;
const closingBrace = 0x7d;
/** Keeps ids within 32 bits; a table with as many rows would not fit into memory. */
const highestPossibleId = 2 ** 31 - 1;
