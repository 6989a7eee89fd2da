import type { SourceModule } from "../support/source-modules.ts";

/** Tests of other folders take longer and look for other things. They make up for missing ones, up to this number. */
const minTests = 3;

/**
 * The tests that reach a module by what they import: first those in its folder or in one above it, and among them those
 * with the shortest way to it. `a.test.ts` reaches `a.ts`, whatever it imports, and `a.ts` reaches `a-child.ts`, which
 * it starts as a process.
 */
export function nearestTests(modules: readonly SourceModule[], path: string): string[] {
  const importers = new Map<string, string[]>();
  const add = (target: string, from: string): void => {
    importers.set(target, [...(importers.get(target) ?? []), from]);
  };
  for (const { path: from } of modules) {
    if (isTest(from)) add(from.replace(/\.test\.ts$/, ".ts"), from);
    else if (from.endsWith("-child.ts")) add(from, from.replace(/-child\.ts$/, ".ts"));
  }
  for (const { path: from, imports } of modules) {
    for (const { target, kind } of imports) if (kind !== "type") add(target, from);
  }
  const found: string[] = [];
  const seen = new Set([path]);
  let ring = [path];
  while (ring.length > 0) {
    ring = [...new Set(ring.flatMap((each) => importers.get(each) ?? []))].filter((each) => !seen.has(each));
    for (const each of ring) seen.add(each);
    found.push(...ring.filter(isTest));
  }
  const isNear = (test: string) => path.startsWith(test.slice(0, test.lastIndexOf("/") + 1));
  const near = found.filter(isNear);
  const far = found.filter((each) => !isNear(each));
  return [...near, ...far.slice(0, Math.max(0, minTests - near.length))];
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}
