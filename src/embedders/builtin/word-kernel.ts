import {
  add,
  addDoubles,
  addPairs,
  advance,
  assemble,
  type Code,
  countDown,
  double,
  f64,
  firstHalves,
  get,
  i32,
  instantiate,
  load,
  loadDouble,
  loadDoubleRepeated,
  loadEight,
  loadFloat,
  loadRepeated,
  loadVector,
  multiply,
  multiplyDoubles,
  multiplyPairs,
  number,
  repeatBelow,
  set,
  storeDouble,
  storeVector,
  toDouble,
  v128,
  vector,
  vectorOf,
  type WasmMemory,
} from "../../wasm-code.ts";

/**
 * The loops of `compare-words.ts` in WebAssembly: in JavaScript that is not compiled yet, each intermediate number is an
 * object, and a search from the command line created a hundred megabytes of them. Sums are doubles, added up in the
 * order of the numbers. All parameters are memory addresses and counts; `width` is the number of floats per vector, a
 * multiple of two.
 *
 * A list has an entry of 16 bytes per word: the addresses of its vector and of its cosines, and its weight.
 */
interface WordKernel {
  readonly memory: WasmMemory;
  /** Writes the dot products of a vector with `blocks` groups of four columns, whose doubles alternate, as floats. */
  readonly dots: (vector: number, columns: number, blocks: number, width: number, out: number) => number;
  /** Raises each of `blocks` groups of four floats at `out` to the highest cosine of the words of a list. */
  readonly raise: (list: number, count: number, blocks: number, out: number) => number;
  /** Adds the vectors of the words, multiplied by their weights, to the doubles at `sum`. */
  readonly addWords: (list: number, count: number, sum: number, width: number) => number;
  /** Writes of the sum of two vectors of doubles: the sum of its squares, and its dot product with `question`. */
  readonly measure: (earlier: number, later: number, question: number, width: number, out: number) => number;
}

export const listEntryBytes = 16;

export function compileWordKernel(bytes: Uint8Array): WordKernel {
  return instantiate(bytes, ["dots", "raise", "addWords", "measure"]);
}

export function assembleWordKernel(): Uint8Array {
  const loops = [[2, i32] as const];
  return assemble([
    { parameters: 5, locals: [...loops, [3, v128]], body: [...dots(), ...number(0)] },
    { parameters: 4, locals: [[3, i32]], body: [...raise(), ...number(0)] },
    {
      parameters: 4,
      locals: [
        [3, i32],
        [1, v128],
      ],
      body: [...addWords(), ...number(0)],
    },
    {
      parameters: 5,
      locals: [
        [1, i32],
        [3, f64],
      ],
      body: [...measure(), ...number(0)],
    },
  ]);
}

/** Two doubles from the first two floats, and back. */
const widen = (floats: Code): Code => vector(0x5f, floats);
const narrow = (doubles: Code): Code => vector(0x5e, doubles);
const highest = (a: Code, b: Code): Code => vector(0xe9, a, b);

function dots(): Code {
  const [start, columns, blocks, width, out, at, end, value, first, second] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ] as const;
  const product = (offset: number): Code => multiplyPairs(get(value), loadVector(get(columns), offset));
  return [
    ...set(end, add(get(start), multiply(get(width), number(4)))),
    ...countDown(
      blocks,
      set(first, vectorOf(0)),
      set(second, vectorOf(0)),
      set(at, get(start)),
      repeatBelow(
        at,
        end,
        set(value, widen(loadRepeated(get(at), 0))),
        set(first, addPairs(get(first), product(0))),
        set(second, addPairs(get(second), product(16))),
        advance(columns, 32),
        advance(at, 4),
      ),
      storeVector(get(out), firstHalves(narrow(get(first)), narrow(get(second)))),
      advance(out, 16),
    ),
  ];
}

function raise(): Code {
  const [list, count, blocks, out, cosines, to, left] = [0, 1, 2, 3, 4, 5, 6] as const;
  return countDown(
    count,
    set(cosines, load(add(get(list), number(4)))),
    set(to, get(out)),
    set(left, get(blocks)),
    countDown(
      left,
      storeVector(get(to), highest(loadVector(get(to)), loadVector(get(cosines)))),
      advance(to, 16),
      advance(cosines, 16),
    ),
    advance(list, listEntryBytes),
  );
}

function addWords(): Code {
  const [list, count, sum, width, from, to, end, weight] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const product = multiplyPairs(get(weight), widen(loadEight(get(from))));
  return [
    ...set(end, add(get(sum), multiply(get(width), number(8)))),
    ...countDown(
      count,
      set(from, load(get(list))),
      set(weight, loadDoubleRepeated(get(list), 8)),
      set(to, get(sum)),
      repeatBelow(
        to,
        end,
        storeVector(get(to), addPairs(loadVector(get(to)), product)),
        advance(from, 8),
        advance(to, 16),
      ),
      advance(list, listEntryBytes),
    ),
  ];
}

function measure(): Code {
  const [earlier, later, question, width, out, end, value, squares, shared] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8,
  ] as const;
  const asked = toDouble(loadFloat(get(question)));
  return [
    ...set(end, add(get(earlier), multiply(get(width), number(8)))),
    ...set(squares, double(0)),
    ...set(shared, double(0)),
    ...repeatBelow(
      earlier,
      end,
      set(value, addDoubles(loadDouble(get(earlier)), loadDouble(get(later)))),
      set(squares, addDoubles(get(squares), multiplyDoubles(get(value), get(value)))),
      set(shared, addDoubles(get(shared), multiplyDoubles(get(value), asked))),
      advance(earlier, 8),
      advance(later, 8),
      advance(question, 4),
    ),
    ...storeDouble(get(out), get(squares)),
    ...storeDouble(get(out), get(shared), 8),
  ];
}
