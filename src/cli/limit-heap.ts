/**
 * Keeps V8's heap close to what is needed. While notes are indexed, much survives a collection of young objects, so the
 * space for them would grow in every thread; and V8 lets old objects take a multiple of what was left by the last
 * collection. V8 prints a complaint about a flag that it does not know, so only versions of Node that were tried get them.
 */
export function limitHeap(): void {
  if (!/^2[24]\./.test(process.versions.node)) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=50");
}
