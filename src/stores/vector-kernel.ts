/**
 * The innermost loops of a vector search, in WebAssembly: as fast at their first call as JavaScript at its hundredth,
 * and a search from the command line has no second one. Written out here, because a tool that compiles two loops
 * would be larger than both.
 */

export interface Kernel {
  readonly memory: KernelMemory;
  /**
   * Writes one similarity for each of `count` texts to `out`: that of its best vector to the query that lies at
   * `query`. All are addresses in the memory. A text is kept as `vector-codes.ts` says, with `width` bytes a vector.
   */
  readonly score: (texts: number, count: number, out: number, width: number, query: number) => void;
}

export interface KernelMemory {
  /** Another one after the memory has grown. */
  readonly buffer: ArrayBuffer;
  /** By so many pages of 64 KiB. */
  grow(pages: number): number;
}

/** What is used of it; the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Memory: new (descriptor: { initial: number }) => KernelMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> };
};

export type KernelName = "bits" | "bytes" | "centred";

export function compileKernel(coding: KernelName): Kernel {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(assemble(eachText(scoreVector[coding]())));
  const { exports } = new WebAssembly.Instance(module, { m: { m: memory } });
  return { memory, score: exports["k"] as Kernel["score"] };
}

type Code = readonly number[];

const [at, textsLeft, out, width, query] = [0, 1, 2, 3, 4] as const;
const [vectorsLeft, end, step, best, sum, sums] = [5, 6, 7, 8, 9, 10] as const;
const [i32, f32, v128] = [0x7f, 0x7d, 0x7b] as const;

const get = (local: number): Code => [0x20, local];
const set = (local: number, ...value: Code[]): Code => [...value.flat(), 0x21, local];
const number = (value: number): Code => [0x41, ...signed(value)];
const float = (value: number): Code => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];
const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
const subtract = (a: Code, b: Code): Code => [...a, ...b, 0x6b];
const advance = (local: number, bytes: number): Code => set(local, add(get(local), number(bytes)));
const load = (address: Code): Code => [...address, 0x28, 0, 0];
const loadFloat = (address: Code, offset = 0): Code => [...address, 0x2a, 0, ...unsigned(offset)];
const loadByte = (address: Code, offset: number): Code => [...address, 0x2d, 0, ...unsigned(offset)];
const shiftLeft = (a: Code, bits: number): Code => [...a, ...number(bits), 0x74];
const addFloats = (a: Code, b: Code): Code => [...a, ...b, 0x92];
const multiplyFloats = (a: Code, b: Code): Code => [...a, ...b, 0x94];
const lower = (a: Code, b: Code): Code => [...a, ...b, 0x96];
const higher = (a: Code, b: Code): Code => [...a, ...b, 0x97];
const toFloat = (a: Code): Code => [...a, 0xb2];
/** Of four 32-bit integers at a time; a pair is two products of 16-bit ones, added. */
const zeros: Code = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
const loadBytes = (address: Code): Code => [...address, 0xfd, 0x01, 0, 0];
const loadShorts = (address: Code): Code => [...address, 0xfd, 0x00, 0, 0];
const multiplyPairs = (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0xba, 1];
const addIntegers = (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0xae, 1];
const lane = (index: number): Code => [...get(sums), 0xfd, 0x1b, index];
/** Runs while the local is not 0, and takes 1 from it each time. */
const countDown = (local: number, ...body: Code[]): Code => [
  ...[0x02, 0x40, 0x03, 0x40, ...get(local), 0x45, 0x0d, 1],
  ...set(local, add(get(local), number(-1))),
  ...body.flat(),
  ...[0x0c, 0, 0x0b, 0x0b],
];
/** Runs once at least, and again while the local is below `end`. */
const repeatBelowEnd = (local: number, ...body: Code[]): Code => [
  ...[0x03, 0x40, ...body.flat()],
  ...[...get(local), ...get(end), 0x49, 0x0d, 0, 0x0b],
];

function eachText(scoreOne: Code): Code {
  const similarity = lower(higher(get(sum), float(-1)), float(1));
  return countDown(
    textsLeft,
    set(vectorsLeft, load(get(at))),
    advance(at, 4),
    set(best, float(Number.NEGATIVE_INFINITY)),
    countDown(vectorsLeft, scoreOne, set(best, higher(get(best), similarity))),
    [...get(out), ...get(best), 0x38, 0, 0],
    advance(out, 4),
  );
}

/** A table of 256 floats for each byte of a code lies at `step`; what they say is added up, eight bytes at a time. */
const addSigns = (): Code =>
  repeatBelowEnd(
    at,
    set(
      sum,
      [0, 1, 2, 3, 4, 5, 6, 7].reduce<Code>((total, byte) => {
        const entry = add(get(step), shiftLeft(loadByte(get(at), byte), 2));
        return addFloats(total, loadFloat(entry, byte * 1024));
      }, get(sum)),
    ),
    advance(step, 8 * 1024),
    advance(at, 8),
  );

/** Each adds up one vector into `sum` and leaves `at` behind it. */
const scoreVector: Readonly<Record<KernelName, () => Code>> = {
  // The query is the table.
  bits: () => [
    ...set(sum, float(0)),
    ...set(step, get(query)),
    ...set(end, add(get(at), get(width))),
    ...addSigns(),
  ],
  // Before the signs stands a factor, and before the table what is added in the end.
  centred: () => [
    ...set(sum, float(0)),
    ...set(step, add(get(query), number(16))),
    ...set(end, add(get(at), get(width))),
    ...advance(at, 4),
    ...addSigns(),
    ...set(
      sum,
      addFloats(multiplyFloats(get(sum), loadFloat(subtract(get(at), get(width)))), loadFloat(get(query))),
    ),
  ],
  // Integers of eight bits by those of the query of sixteen, eight at a time. The factors of both stand before them.
  bytes: () => [
    ...set(sum, multiplyFloats(loadFloat(get(at)), loadFloat(get(query)))),
    ...set(sums, zeros),
    ...set(step, add(get(query), number(16))),
    ...set(end, add(get(at), get(width))),
    ...advance(at, 4),
    ...repeatBelowEnd(
      at,
      set(sums, addIntegers(get(sums), multiplyPairs(loadBytes(get(at)), loadShorts(get(step))))),
      advance(step, 16),
      advance(at, 8),
    ),
    ...set(sum, multiplyFloats(get(sum), toFloat([1, 2, 3].map(lane).reduce(add, lane(0))))),
  ],
};

/** A module that takes its memory from outside and exports one function. */
function assemble(body: Code): Uint8Array<ArrayBuffer> {
  const section = (id: number, ...bytes: number[]): Code => [id, ...unsigned(bytes.length), ...bytes];
  const locals = [3, 3, i32, 2, f32, 1, v128];
  const code = [...locals, ...body, 0x0b];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 5, i32, i32, i32, i32, i32, 0),
    ...section(2, 1, 1, 0x6d, 1, 0x6d, 2, 0, 0),
    ...section(3, 1, 0),
    ...section(7, 1, 1, 0x6b, 0, 0),
    ...section(10, 1, ...unsigned(code.length), ...code),
  ]);
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const rest = value >> 7;
  const low = value & 127;
  return (rest === 0 && low < 64) || (rest === -1 && low >= 64) ? [low] : [low | 128, ...signed(rest)];
}
