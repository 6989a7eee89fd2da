import { compileGlob } from "./glob.ts";

export interface PathFilter {
  readonly pathGlob?: string;
  readonly paths?: readonly string[];
}

/** Whether a path passes a filter; null where the filter says nothing about paths. */
export function compilePaths({ pathGlob, paths }: PathFilter): ((path: string) => boolean) | null {
  if (pathGlob === undefined && paths === undefined) return null;
  const matches = pathGlob === undefined ? () => true : compileGlob(pathGlob);
  const listed = paths === undefined ? null : new Set(paths);
  return (path) => (listed === null || listed.has(path)) && matches(path);
}
