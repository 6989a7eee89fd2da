/**
 * Keeps V8's heap close to what is needed. During indexing, much survives young-generation collections, so the young
 * generation would grow in every thread; and V8 lets the old generation grow to a multiple of what the last collection
 * left. V8 prints a warning about unknown flags, so only tested versions of Node get them.
 */
export function limitHeap(): void {
  if (!/^2[24]\./.test(process.versions.node)) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=50");
}
