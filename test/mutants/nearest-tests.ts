import type { SourceModule } from "../support/source-modules.ts";

/**
 * The tests in a module's folder, or in one above it, that reach it by what they import, those with the shortest way to
 * it first. Tests of other folders take longer and look for other things; they count where these folders have none.
 */
export function nearestTests(modules: readonly SourceModule[], path: string, most: number): string[] {
  const importers = new Map<string, string[]>();
  for (const { path: from, imports } of modules) {
    for (const { target, kind } of imports) {
      if (kind !== "type") importers.set(target, [...(importers.get(target) ?? []), from]);
    }
  }
  const own = path.replace(/\.ts$/, ".test.ts");
  const found = new Set(modules.some((module) => module.path === own) ? [own] : []);
  const seen = new Set([path]);
  let ring = [path];
  while (ring.length > 0) {
    ring = [...new Set(ring.flatMap((each) => importers.get(each) ?? []))].filter((each) => !seen.has(each));
    for (const each of ring) {
      seen.add(each);
      if (each.endsWith(".test.ts")) found.add(each);
    }
  }
  const near = [...found].filter((each) => path.startsWith(each.slice(0, each.lastIndexOf("/") + 1)));
  return (near.length > 0 ? near : [...found].slice(0, 3)).slice(0, most);
}
