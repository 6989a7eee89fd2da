/** WebAssembly bytecode, as far as our loops over vectors need it. */
export type Code = readonly number[];

export const [i32, f32, f64, v128] = [0x7f, 0x7d, 0x7c, 0x7b] as const;

export const get = (local: number): Code => [0x20, local];
export const set = (local: number, ...value: Code[]): Code => [...value.flat(), 0x21, local];
export const number = (value: number): Code => [0x41, ...signed(value)];
export const float = (value: number): Code => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];
export const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
export const multiply = (a: Code, b: Code): Code => [...a, ...b, 0x6c];
export const or = (a: Code, b: Code): Code => [...a, ...b, 0x72];
export const xor = (a: Code, b: Code): Code => [...a, ...b, 0x73];
export const shiftLeft = (a: Code, bits: number): Code => [...a, ...number(bits), 0x74];
export const advance = (local: number, bytes: number): Code => set(local, add(get(local), number(bytes)));
export const load = (address: Code): Code => [...address, 0x28, 0, 0];
export const store = (address: Code, value: Code): Code => [...address, ...value, 0x36, 0, 0];
export const copyBytes = (to: Code, from: Code, count: Code): Code => [
  ...[...to, ...from, ...count],
  ...[0xfc, 0x0a, 0, 0],
];

export const loadFloat = (address: Code, offset = 0): Code => [...address, 0x2a, 0, ...unsigned(offset)];
export const storeFloat = (address: Code, value: Code): Code => [...address, ...value, 0x38, 0, 0];
export const multiplyFloats = (a: Code, b: Code): Code => [...a, ...b, 0x94];
export const lower = (a: Code, b: Code): Code => [...a, ...b, 0x96];
export const higher = (a: Code, b: Code): Code => [...a, ...b, 0x97];
export const toFloat = (a: Code): Code => [...a, 0xb2];

export const loadDouble = (address: Code): Code => [...address, 0x2b, 0, 0];
export const storeDouble = (address: Code, value: Code, offset = 0): Code => [
  ...[...address, ...value],
  ...[0x39, 0, ...unsigned(offset)],
];
export const double = (value: number): Code => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)];
export const addDoubles = (a: Code, b: Code): Code => [...a, ...b, 0xa0];
export const multiplyDoubles = (a: Code, b: Code): Code => [...a, ...b, 0xa2];
export const toDouble = (a: Code): Code => [...a, 0xbb];

/** A SIMD instruction. */
export const vector = (instruction: number, ...operands: Code[]): Code => [
  ...operands.flat(),
  ...[0xfd, ...unsigned(instruction)],
];
export const vectorOf = (bytes: number): Code => [0xfd, 0x0c, ...new Array<number>(16).fill(bytes)];
export const loadVector = (address: Code, offset = 0): Code => [
  ...[...address, 0xfd, 0x00, 0],
  ...unsigned(offset),
];
export const vectorOfFloats = (value: number): Code => [
  ...[0xfd, 0x0c],
  ...new Uint8Array(new Float32Array(4).fill(value).buffer),
];
/** Of two doubles each. */
export const addPairs = (a: Code, b: Code): Code => vector(0xf0, a, b);
export const multiplyPairs = (a: Code, b: Code): Code => vector(0xf2, a, b);
/** Eight bytes, followed by zeros. */
export const loadEight = (address: Code): Code => [...address, 0xfd, 0x5d, 0, 0];
/** Eight signed bytes as 16-bit integers. */
export const loadBytes = (address: Code): Code => [...address, 0xfd, 0x01, 0, 0];
/** The same number four times. */
export const loadRepeated = (address: Code, offset: number): Code => [
  ...[...address, 0xfd, 0x09, 0],
  ...unsigned(offset),
];
/** The same double twice. */
export const loadDoubleRepeated = (address: Code, offset: number): Code => [
  ...[...address, 0xfd, 0x0a, 0],
  ...unsigned(offset),
];
/** The first half of one vector, then the first half of another. */
export const firstHalves = (a: Code, b: Code): Code => [
  ...[...a, ...b, 0xfd, 0x0d],
  ...Array.from({ length: 8 }, (_, byte) => byte),
  ...Array.from({ length: 8 }, (_, byte) => 16 + byte),
];
export const storeVector = (address: Code, value: Code, offset = 0): Code => [
  ...[...address, ...value],
  ...[0xfd, 0x0b, 0, ...unsigned(offset)],
];

/** Runs while the local is not 0, and decrements it each time. */
export const countDown = (local: number, ...body: Code[]): Code => [
  ...[0x02, 0x40, 0x03, 0x40, ...get(local), 0x45, 0x0d, 1],
  ...set(local, add(get(local), number(-1))),
  ...body.flat(),
  ...[0x0c, 0, 0x0b, 0x0b],
];
/** Runs at least once, and again while the local is below the other. */
export const repeatBelow = (local: number, end: number, ...body: Code[]): Code => [
  ...[0x03, 0x40, ...body.flat()],
  ...[...get(local), ...get(end), 0x49, 0x0d, 0, 0x0b],
];

export interface WasmFunction {
  /** The number of parameters, all of them 32-bit integers. They are the first locals. */
  readonly parameters: number;
  /** Further locals: how many of which type, in this order. */
  readonly locals: readonly (readonly [count: number, type: number])[];
  /** Leaves a 32-bit integer. */
  readonly body: Code;
}

export interface WasmMemory {
  /** Replaced when the memory grows. */
  readonly buffer: ArrayBuffer;
  /** By this number of pages of 64 KiB. */
  grow(pages: number): number;
}

/** The part we use; Node's types leave it to those of browsers. */
declare const WebAssembly: {
  readonly Memory: new (descriptor: { initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> };
};

/** Functions that share one memory, in the order in which they were assembled. */
export function instantiate<Name extends string>(
  bytes: Uint8Array,
  names: readonly Name[],
): { readonly memory: WasmMemory } & Readonly<Record<Name, (...numbers: number[]) => number>> {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { m: { m: memory } });
  const named = names.map((name, index) => [name, exports[String(index)]]);
  return { memory, ...Object.fromEntries(named) };
}

/** A module of these functions, which imports its memory. */
export function assemble(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
  const section = (id: number, bytes: Code): Code => [id, ...unsigned(bytes.length), ...bytes];
  const types = functions.map(({ parameters }) => [
    ...[0x60, parameters, ...new Array<number>(parameters).fill(i32)],
    ...[1, i32],
  ]);
  const codes = functions.map(({ locals, body }) => {
    const code = [...list(locals), ...body, 0x0b];
    return [...unsigned(code.length), ...code];
  });
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(2, [1, 1, 0x6d, 1, 0x6d, 2, 0, 0]),
    ...section(3, list(functions.map((_, index) => [index]))),
    ...section(7, list(functions.map((_, index) => [1, 0x30 + index, 0, index]))),
    ...section(10, list(codes)),
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
