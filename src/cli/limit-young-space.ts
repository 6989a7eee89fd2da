/**
 * Keeps V8 from enlarging its space for young objects. While notes are indexed, much of it survives a collection, so it
 * would grow in every thread until it takes more memory than all that is needed. V8 prints a complaint about a flag that
 * it does not know, so only versions of Node that were tried get it.
 */
export function limitYoungSpace(): void {
  if (!/^2[24]\./.test(process.versions.node)) return;
  process.getBuiltinModule("node:v8").setFlagsFromString("--semi-space-growth-factor=1");
}
