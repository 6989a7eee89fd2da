/** A table for `encodeSafetensors`; the type decides how numbers are written. */
export interface TableOf {
  readonly type: "F32" | "F16" | "I8";
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** The inverse of `parseSafetensors`. `F16` values are given as bit patterns. */
export function encodeSafetensors(tables: Readonly<Record<string, TableOf>>): Uint8Array {
  const header: Record<string, unknown> = {};
  const data: Uint8Array[] = [];
  let offset = 0;
  for (const [name, { type, shape, values }] of Object.entries(tables)) {
    const bytes = encodeValues(type, values);
    header[name] = { dtype: type, shape, data_offsets: [offset, offset + bytes.length] };
    offset += bytes.length;
    data.push(bytes);
  }
  const headerBytes = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(headerBytes.length));
  return new Uint8Array(Buffer.concat([length, headerBytes, ...data]));
}

function encodeValues(type: TableOf["type"], values: readonly number[]): Uint8Array {
  const array =
    type === "F32"
      ? Float32Array.from(values)
      : type === "F16"
        ? Uint16Array.from(values)
        : Int8Array.from(values);
  return new Uint8Array(array.buffer);
}

/** A tokenizer file with these pieces, numbered in their order. */
export function describeTokenizer(
  pieces: readonly string[],
  changes: { model?: object; normalizer?: object; [key: string]: unknown } = {},
): string {
  const { model, normalizer, ...others } = changes;
  return JSON.stringify({
    version: "1.0",
    added_tokens: [
      { id: 0, content: "[PAD]", special: true },
      { id: 1, content: "[UNK]", special: true },
    ],
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
      ...normalizer,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    ...others,
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 40,
      ...model,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
    },
  });
}
