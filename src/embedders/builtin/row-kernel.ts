import {
  add,
  addPairs,
  advance,
  assemble,
  type Code,
  countDown,
  get,
  i32,
  instantiate,
  load,
  loadBytes,
  loadDoubleRepeated,
  loadVector,
  multiplyPairs,
  number,
  repeatBelow,
  set,
  storeVector,
  v128,
  vector,
  type WasmMemory,
} from "../../wasm-code.ts";

/**
 * Adds rows of bytes to a sum of doubles, in WebAssembly: half of what a first index with the builtin model takes would
 * be this loop in JavaScript. The numbers are added in the same order, so the sum is the same to the last bit.
 *
 * All parameters are memory addresses and counts; `width` is the number of bytes per row, a multiple of eight. A list
 * has an entry of 16 bytes per row: its address, and from the ninth byte on its weight as a double.
 */
interface RowKernel {
  readonly memory: WasmMemory;
  readonly addRows: (list: number, count: number, sum: number, width: number) => number;
}

export const rowEntryBytes = 16;

export function compileRowKernel(bytes: Uint8Array): RowKernel {
  return instantiate(bytes, ["addRows"]);
}

export function assembleRowKernel(): Uint8Array {
  return assemble([
    {
      parameters: 4,
      locals: [
        [3, i32],
        [7, v128],
      ],
      body: [...addRows(), ...number(0)],
    },
  ]);
}

/** Four 32-bit integers from the first or the second half of eight 16-bit ones. */
const widenFirst = (integers: Code): Code => vector(0xa7, integers);
const widenSecond = (integers: Code): Code => vector(0xa8, integers);
/** Two doubles from the first two integers. */
const toDoubles = (integers: Code): Code => vector(0xfe, integers);
const secondHalf = (integers: Code): Code => [
  ...[...integers, ...integers, 0xfd, 0x0d],
  ...Array.from({ length: 16 }, (_, byte) => 8 + (byte % 8)),
];

/** Eight columns at a time, whose sums stay in registers. */
function addRows(): Code {
  const [list, count, sum, width, column, entry, left, weight, values, four, ...sums] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
  ] as const;
  const addTo = (at: 0 | 1 | 2 | 3, integers: Code): Code =>
    set(sums[at], addPairs(get(sums[at]), multiplyPairs(get(weight), toDoubles(integers))));
  return [
    ...set(column, number(0)),
    ...repeatBelow(
      column,
      width,
      ...sums.map((each, at) => set(each, loadVector(get(sum), 16 * at))),
      set(entry, get(list)),
      set(left, get(count)),
      countDown(
        left,
        set(weight, loadDoubleRepeated(get(entry), 8)),
        set(values, loadBytes(add(load(get(entry)), get(column)))),
        set(four, widenFirst(get(values))),
        addTo(0, get(four)),
        addTo(1, secondHalf(get(four))),
        set(four, widenSecond(get(values))),
        addTo(2, get(four)),
        addTo(3, secondHalf(get(four))),
        advance(entry, rowEntryBytes),
      ),
      ...sums.map((each, at) => storeVector(get(sum), get(each), 16 * at)),
      advance(sum, 64),
      advance(column, 8),
    ),
  ];
}
