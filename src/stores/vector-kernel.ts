import {
  add,
  addFloats,
  advance,
  type Code,
  compileFunctions,
  countDown,
  f32,
  float,
  get,
  higher,
  i32,
  load,
  loadByte,
  loadBytes,
  loadFloat,
  loadVector,
  lower,
  multiplyFloats,
  number,
  repeatBelow,
  set,
  shiftLeft,
  storeFloat,
  toFloat,
  v128,
  vector,
  vectorOf,
  type WasmMemory,
} from "./wasm-code.ts";

/**
 * The innermost loops of a vector search, in WebAssembly: as fast at their first call as JavaScript at its hundredth,
 * and a search from the command line has no second one. Written out here, because a tool that compiles some loops
 * would be larger than all of them. `vector-block-kernel.ts` has the one for `centred` codes.
 */
export interface Kernel {
  readonly memory: WasmMemory;
  /**
   * Writes one similarity for each of `count` texts to `out`: that of its best vector to the query that lies at
   * `query`. All are addresses in the memory. A text is kept as `vector-codes.ts` says, with `width` bytes a vector.
   */
  readonly score: (texts: number, count: number, out: number, width: number, query: number) => void;
}

export type KernelName = "bits" | "bytes";

export function compileKernel(coding: KernelName): Kernel {
  const locals = [[3, i32] as const, [2, f32] as const, [1, v128] as const];
  const body = [...eachText(scoreVector[coding]()), ...number(0)];
  return compileFunctions({ score: { parameters: 5, locals, body } });
}

const [at, textsLeft, out, width, query] = [0, 1, 2, 3, 4] as const;
const [vectorsLeft, end, step, best, sum, sums] = [5, 6, 7, 8, 9, 10] as const;

/** Of four 32-bit integers at a time; a pair is two products of 16-bit ones, added. */
const multiplyPairs = (a: Code, b: Code): Code => vector(0xba, a, b);
const addIntegers = (a: Code, b: Code): Code => vector(0xae, a, b);
const lane = (index: number): Code => [...get(sums), 0xfd, 0x1b, index];

function eachText(scoreOne: Code): Code {
  const similarity = lower(higher(get(sum), float(-1)), float(1));
  return countDown(
    textsLeft,
    set(vectorsLeft, load(get(at))),
    advance(at, 4),
    set(best, float(Number.NEGATIVE_INFINITY)),
    countDown(vectorsLeft, scoreOne, set(best, higher(get(best), similarity))),
    storeFloat(get(out), get(best)),
    advance(out, 4),
  );
}

/** Each adds up one vector into `sum` and leaves `at` behind it. */
const scoreVector: Readonly<Record<KernelName, () => Code>> = {
  // The query is a table of 256 floats for each byte of a code; what they say is added up, eight bytes at a time.
  bits: () => [
    ...set(sum, float(0)),
    ...set(step, get(query)),
    ...set(end, add(get(at), get(width))),
    ...repeatBelow(
      at,
      end,
      set(
        sum,
        [0, 1, 2, 3, 4, 5, 6, 7].reduce<Code>((total, byte) => {
          const entry = add(get(step), shiftLeft(loadByte(get(at), byte), 2));
          return addFloats(total, loadFloat(entry, byte * 1024));
        }, get(sum)),
      ),
      advance(step, 8 * 1024),
      advance(at, 8),
    ),
  ],
  // Integers of eight bits by those of the query of sixteen, eight at a time. The factors of both stand before them.
  bytes: () => [
    ...set(sum, multiplyFloats(loadFloat(get(at)), loadFloat(get(query)))),
    ...set(sums, vectorOf(0)),
    ...set(step, add(get(query), number(16))),
    ...set(end, add(get(at), get(width))),
    ...advance(at, 4),
    ...repeatBelow(
      at,
      end,
      set(sums, addIntegers(get(sums), multiplyPairs(loadBytes(get(at)), loadVector(get(step))))),
      advance(step, 16),
      advance(at, 8),
    ),
    ...set(sum, multiplyFloats(get(sum), toFloat([1, 2, 3].map(lane).reduce(add, lane(0))))),
  ],
};
