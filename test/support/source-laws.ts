import { linesMatching, type SourceModule } from "./source-modules.ts";

/** Returns a sentence for each violation. */
export type Law = (modules: readonly SourceModule[]) => string[];

export function ourImports(modules: readonly SourceModule[]) {
  return modules.flatMap(({ path: from, imports }) =>
    imports
      .filter(({ target }) => /\.(?:tsx?|js)$/.test(target))
      .map(({ target: to, kind, line }) => ({ from, to, kind, line })),
  );
}

/** The folder directly below `src`, or the file itself if it is directly in `src`. */
export function partOf(modulePath: string): string {
  return modulePath.split("/")[0] ?? modulePath;
}

export function anywhere(pattern: RegExp): Law {
  return outside([], pattern);
}

/** The lines of code that match a pattern, except in the given parts or files. */
export function outside(parts: readonly string[], pattern: RegExp): Law {
  return (modules) =>
    modules
      .filter((found) => !parts.includes(partOf(found.path)) && !parts.includes(found.path))
      .flatMap((found) => linesMatching(found, pattern).map((line) => `${found.path}:${line}`));
}

export function importersOutside(
  modules: readonly SourceModule[],
  parts: readonly string[],
  target: RegExp,
): string[] {
  return modules
    .filter(({ path: modulePath }) => !parts.includes(partOf(modulePath)))
    .flatMap(({ path: modulePath, imports }) =>
      imports.filter((found) => target.test(found.target)).map(({ line }) => `${modulePath}:${line}`),
    );
}

/** Depth-first along the imports that run at load time; a cycle is reported from where it was entered. */
export function findCircles(modules: readonly SourceModule[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to, kind } of ourImports(modules)) {
    if (kind === "value") targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (modulePath: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(modulePath);
    if (seenAt >= 0) circles.push([...trail.slice(seenAt), modulePath].join(" → "));
    if (seenAt >= 0 || done.has(modulePath)) return;
    for (const target of targets.get(modulePath) ?? []) visit(target, [...trail, modulePath]);
    done.add(modulePath);
  };
  for (const { path: modulePath } of modules) visit(modulePath, []);
  return circles;
}
