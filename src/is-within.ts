import path, { type PlatformPath } from "node:path";

/**
 * True for a folder itself and for everything below it. Both are absolute, and without links if links count. Between
 * two drives or shares of Windows the way is an absolute path.
 */
export function isWithin(place: string, folder: string, system: PlatformPath = path): boolean {
  const way = system.relative(folder, place);
  return way !== ".." && !way.startsWith(`..${system.sep}`) && !system.isAbsolute(way);
}
