/** The number of histogram bins for values between −1 and 1. */
const stepCount = 4096;

/**
 * Indexes of the highest values, highest first and ties in order. −Infinity is not a value. `allowed` excludes those
 * where it is 0. Two simple loops, because most searches are the first of their process, where code is slow: the first
 * builds a histogram, the second collects the values that can be among the highest.
 */
export function selectHighest(values: Float32Array, limit: number, allowed: Uint8Array | null): number[] {
  if (limit < 1) return [];
  const counts = new Uint32Array(stepCount);
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (value > Number.NEGATIVE_INFINITY && allowed?.[index] !== 0) counts[stepOf(value)]!++;
  }
  let lowest = stepCount;
  for (let count = 0; lowest > 0 && count < limit; ) count += counts[--lowest]!;
  // One comparison instead of the bin; a little lower, because one too many does no harm.
  const least = lowest === 0 ? -Number.MAX_VALUE : (2 * lowest) / stepCount - 1 - 1e-6;
  const highest: number[] = [];
  for (let index = 0; index < values.length; index++) {
    if (values[index]! >= least && allowed?.[index] !== 0) highest.push(index);
  }
  return highest.sort((a, b) => values[b]! - values[a]! || a - b).slice(0, limit);
}

function stepOf(value: number): number {
  return Math.min(stepCount - 1, Math.max(0, ((value + 1) * stepCount) >> 1));
}

const sampleSize = 4096;

/**
 * The median, of an even sample if there are many values; −Infinity is not a value. 0 if there is none. Only values
 * near the middle are sorted.
 */
export function findMedian(values: Float32Array): number {
  const stride = Math.max(1, Math.floor(values.length / sampleSize));
  const counts = new Uint32Array(stepCount);
  let total = 0;
  for (let index = 0; index < values.length; index += stride) {
    if (values[index]! === Number.NEGATIVE_INFINITY) continue;
    counts[stepOf(values[index]!)]!++;
    total++;
  }
  if (total === 0) return 0;
  const [lower, upper] = [(total - 1) >> 1, total >> 1];
  let [first, before] = [0, 0];
  while (before + counts[first]! <= lower) before += counts[first++]!;
  let [last, until] = [first, before + counts[first]!];
  while (until <= upper) until += counts[++last]!;
  const middle: number[] = [];
  for (let index = 0; index < values.length; index += stride) {
    const value = values[index]!;
    if (value === Number.NEGATIVE_INFINITY) continue;
    const step = stepOf(value);
    if (step >= first && step <= last) middle.push(value);
  }
  middle.sort((a, b) => a - b);
  return (middle[lower - before]! + middle[upper - before]!) / 2;
}
