import type { SourceModule } from "../support/source-modules.ts";

/**
 * The tests in a module's folder, or in one above it, that reach it by what they import, those with the shortest way to
 * it first; `a.test.ts` reaches `a.ts`, whatever it imports. Tests of other folders take longer and look for other
 * things; they count where these folders have none.
 */
export function nearestTests(modules: readonly SourceModule[], path: string, most: number): string[] {
  const importers = new Map<string, string[]>();
  const add = (target: string, from: string): void => {
    importers.set(target, [...(importers.get(target) ?? []), from]);
  };
  for (const { path: from } of modules) if (isTest(from)) add(from.replace(/\.test\.ts$/, ".ts"), from);
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
  const near = found.filter((each) => path.startsWith(each.slice(0, each.lastIndexOf("/") + 1)));
  return (near.length > 0 ? near : found.slice(0, 3)).slice(0, most);
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}
