/**
 * Indexes of the highest values, highest first and equal ones in their order. −Infinity is no value. `allowed` leaves
 * out those where it is 0.
 */
export function selectHighest(values: Float32Array, limit: number, allowed: Uint8Array | null): number[] {
  const isCandidate = (index: number): boolean =>
    values[index]! > Number.NEGATIVE_INFINITY && allowed?.[index] !== 0;
  if (limit < 1) return [];
  // For a large share of all, putting each in its place would cost more than sorting.
  if (limit * 16 > values.length) {
    const indexes = Array.from(values.keys()).filter(isCandidate);
    return indexes.sort((a, b) => values[b]! - values[a]! || a - b).slice(0, limit);
  }
  const highest: number[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (value <= floor || !isCandidate(index)) continue;
    let place = highest.length;
    while (place > 0 && values[highest[place - 1]!]! < value) place--;
    highest.splice(place, 0, index);
    if (highest.length > limit) highest.pop();
    if (highest.length === limit) floor = values[highest[limit - 1]!]!;
  }
  return highest;
}

const sampleSize = 4096;

/** The median, of a sample spread evenly over many values; −Infinity is no value. 0 when there is none. */
export function findMedian(values: Float32Array): number {
  const step = Math.max(1, Math.floor(values.length / sampleSize));
  const sample = values
    .filter((value, index) => index % step === 0 && value > Number.NEGATIVE_INFINITY)
    .sort();
  if (sample.length === 0) return 0;
  const middle = sample.length >> 1;
  return sample.length % 2 === 1 ? sample[middle]! : (sample[middle - 1]! + sample[middle]!) / 2;
}
