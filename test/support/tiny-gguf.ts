import { createRandom } from "../../src/eval/compare.ts";

export type GgufValue =
  | { readonly type: "u32" | "i32" | "f32"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "texts"; readonly value: readonly string[] }
  | { readonly type: "i32s"; readonly value: readonly number[] };

export interface GgufTable {
  readonly name: string;
  /** Fastest-varying dimension first, as in the format. */
  readonly shape: readonly number[];
  readonly numbers: Float32Array;
}

const typeNumbers = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8 } as const;
const listType = 9;
const alignment = 32;

/** Writes a GGUF file of version 3 with tables of 32-bit floats. */
export function encodeGguf(
  values: Readonly<Record<string, GgufValue>>,
  tables: readonly GgufTable[],
): Uint8Array {
  const parts: Buffer[] = [Buffer.from("GGUF"), u32(3), u64(tables.length), u64(Object.keys(values).length)];
  for (const [key, value] of Object.entries(values)) parts.push(text(key), encodeValue(value));
  let offset = 0;
  for (const { name, shape, numbers } of tables) {
    parts.push(text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    offset += padded(numbers.byteLength);
  }
  const header = Buffer.concat(parts);
  const data = tables.map(({ numbers }) => {
    const bytes = Buffer.alloc(padded(numbers.byteLength));
    for (const [i, number] of numbers.entries()) bytes.writeFloatLE(number, 4 * i);
    return bytes;
  });
  return new Uint8Array(
    Buffer.concat([header, Buffer.alloc(padded(header.length) - header.length), ...data]),
  );
}

export interface TinyModelOptions {
  /** The context length that it claims to be trained for. */
  readonly contextLength?: number;
  readonly dimensions?: number;
  /** The name in the metadata. */
  readonly name?: string;
  readonly seed?: number;
}

/**
 * A real embedding model of the BERT architecture, some hundred kilobytes, always the same bytes. Words with the same
 * letters have similar vectors; it understands nothing else.
 */
export function makeTinyModel(options: TinyModelOptions = {}): Uint8Array {
  const { contextLength = 512, dimensions = 64, name = "tiny-letters", seed = 1 } = options;
  const random = createRandom(seed);
  const gauss = (): number => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    return radius * Math.cos(2 * Math.PI * random());
  };
  const noise = (count: number, scale: number) => Float32Array.from({ length: count }, () => gauss() * scale);

  const letters = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter(
    (letter) => letter < "A" || letter > "Z",
  );
  const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
  const tokens = [...special, ...letters.map((letter) => `▁${letter}`), ...letters];
  const directions = new Map(letters.map((letter) => [letter, noise(dimensions, 1)]));
  const embeddings = new Float32Array(tokens.length * dimensions);
  for (const [i, token] of tokens.entries()) {
    embeddings.set(directions.get(token.replace("▁", "")) ?? noise(dimensions, 0.1), i * dimensions);
  }

  const hidden = 2 * dimensions;
  const table = (tableName: string, shape: number[], numbers: Float32Array) => ({
    name: tableName,
    shape,
    numbers,
  });
  const scaled = (tableName: string, rows: number, columns: number) => [
    table(`${tableName}.weight`, [rows, columns], noise(rows * columns, 0.2 / Math.sqrt(rows))),
    table(`${tableName}.bias`, [columns], new Float32Array(columns)),
  ];
  const norm = (tableName: string) => [
    table(`${tableName}.weight`, [dimensions], new Float32Array(dimensions).fill(1)),
    table(`${tableName}.bias`, [dimensions], new Float32Array(dimensions)),
  ];
  return encodeGguf(
    {
      "general.architecture": { type: "text", value: "bert" },
      "general.name": { type: "text", value: name },
      "general.file_type": { type: "u32", value: 0 },
      "bert.vocab_size": { type: "u32", value: tokens.length },
      "bert.context_length": { type: "u32", value: contextLength },
      "bert.embedding_length": { type: "u32", value: dimensions },
      "bert.feed_forward_length": { type: "u32", value: hidden },
      "bert.block_count": { type: "u32", value: 1 },
      "bert.attention.head_count": { type: "u32", value: 4 },
      "bert.attention.layer_norm_epsilon": { type: "f32", value: 1e-12 },
      "bert.attention.causal": { type: "bool", value: false },
      // Mean pooling.
      "bert.pooling_type": { type: "u32", value: 1 },
      "tokenizer.ggml.model": { type: "text", value: "bert" },
      "tokenizer.ggml.pre": { type: "text", value: "default" },
      "tokenizer.ggml.token_type_count": { type: "u32", value: 2 },
      "tokenizer.ggml.tokens": { type: "texts", value: tokens },
      "tokenizer.ggml.token_type": {
        type: "i32s",
        value: tokens.map((_, i) => (i === 1 ? 2 : i < special.length ? 3 : 1)),
      },
      "tokenizer.ggml.padding_token_id": { type: "u32", value: 0 },
      "tokenizer.ggml.unknown_token_id": { type: "u32", value: 1 },
      "tokenizer.ggml.cls_token_id": { type: "u32", value: 2 },
      "tokenizer.ggml.bos_token_id": { type: "u32", value: 2 },
      // The spelling of the format.
      "tokenizer.ggml.seperator_token_id": { type: "u32", value: 3 },
      "tokenizer.ggml.eos_token_id": { type: "u32", value: 3 },
      "tokenizer.ggml.mask_token_id": { type: "u32", value: 4 },
    },
    [
      table("token_embd.weight", [dimensions, tokens.length], embeddings),
      table("token_types.weight", [dimensions, 2], noise(2 * dimensions, 0.01)),
      table("position_embd.weight", [dimensions, contextLength], noise(contextLength * dimensions, 0.01)),
      ...norm("token_embd_norm"),
      ...["attn_q", "attn_k", "attn_v", "attn_output"].flatMap((part) =>
        scaled(`blk.0.${part}`, dimensions, dimensions),
      ),
      ...norm("blk.0.attn_output_norm"),
      ...scaled("blk.0.ffn_up", dimensions, hidden),
      ...scaled("blk.0.ffn_down", hidden, dimensions),
      ...norm("blk.0.layer_output_norm"),
    ],
  );
}

function encodeValue(value: GgufValue): Buffer {
  switch (value.type) {
    case "texts":
      return Buffer.concat([
        u32(listType),
        u32(typeNumbers.text),
        u64(value.value.length),
        ...value.value.map(text),
      ]);
    case "i32s":
      return Buffer.concat([
        u32(listType),
        u32(typeNumbers.i32),
        u64(value.value.length),
        ...value.value.map(i32),
      ]);
    case "text":
      return Buffer.concat([u32(typeNumbers.text), text(value.value)]);
    case "bool":
      return Buffer.concat([u32(typeNumbers.bool), Buffer.from([value.value ? 1 : 0])]);
    default: {
      const encode = { u32, i32, f32 }[value.type];
      return Buffer.concat([u32(typeNumbers[value.type]), encode(value.value)]);
    }
  }
}

function padded(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function i32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}
