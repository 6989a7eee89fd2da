import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin, listNames } from "../paths.ts";

/** A file or folder of ours that other users can open. */
interface LooseFile {
  readonly path: string;
  readonly mode: number;
  /** The mode it should have. */
  readonly wanted: number;
}

/**
 * Those of them that other users can open. Missing files, links, and files that are not ours to change are left out.
 */
export function findLoose(paths: readonly string[]): LooseFile[] {
  if (process.platform === "win32") return [];
  return paths.flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isSymbolicLink() || stats.uid !== process.geteuid?.()) return [];
    const mode = stats.mode & 0o777;
    const wanted = stats.isDirectory() ? 0o700 : 0o600;
    return (mode & 0o077) === 0 ? [] : [{ path, mode, wanted }];
  });
}

/**
 * The index, the files that longhand creates beside it, and its folder if it is part of the state folder. Any other
 * folder was chosen with `store.path` and may belong to another program or be shared on purpose.
 */
export function stateFilesOf(dbPath: string, stateDir: string): string[] {
  const folder = dirname(dbPath);
  const name = basename(dbPath);
  const made = listNames(folder).filter(
    (other) => other.startsWith(name) && madeSuffix.test(other.slice(name.length)),
  );
  return [...(isWithin(folder, stateDir) ? [folder] : []), ...made.map((other) => join(folder, other))];
}

/** Suffixes of the index's name in the names of related files. */
const madeSuffix = /^(?:\.corrupt-\d+)?(?:-wal|-shm|-journal)?$|^\.lock(?:\..*)?$|^\.verify-/;

/** Damaged indexes that were quarantined, and databases of other programs that earlier versions moved. Newest last. */
export function findQuarantined(dbPath: string): string[] {
  const pattern = /\.(?:corrupt|foreign)-(\d+)$/;
  const numberOf = (name: string): number => Number(pattern.exec(name)?.[1]);
  return listNames(dirname(dbPath))
    .filter((name) => isOurs(dbPath)(name) && pattern.test(name))
    .sort((a, b) => numberOf(a) - numberOf(b))
    .map((name) => join(dirname(dbPath), name));
}

interface LeftoverOptions {
  readonly now: Date;
  /** How many damaged ones are kept. */
  readonly keptDamaged: number;
}

/** Leftovers of crashed work: temporary indexes, and more damaged ones than are kept. */
export function findLeftovers(dbPath: string, { now, keptDamaged }: LeftoverOptions): string[] {
  const folder = dirname(dbPath);
  const damaged = findQuarantined(dbPath).filter((path) => path.includes(".corrupt-"));
  const temporary = listNames(folder)
    .filter((name) => name.startsWith(temporaryPrefix(dbPath)))
    .map((name) => join(folder, name))
    .filter((path) => isOlderThan(path, now, temporaryMs));
  const surplus = damaged.slice(0, Math.max(0, damaged.length - keptDamaged));
  return [...temporary, ...surplus.flatMap((path) => [path, ...sidecarsOf(path)])];
}

/** The folder name of a temporary index, beside the index that it is compared with. */
export function temporaryPrefix(dbPath: string): string {
  return `${basename(dbPath)}.verify-`;
}

/** A temporary index in use is younger than this. */
const temporaryMs = 6 * 3_600_000;

function isOurs(dbPath: string): (name: string) => boolean {
  const name = basename(dbPath);
  return (other) => other === name || other.startsWith(`${name}-`) || other.startsWith(`${name}.`);
}

function sidecarsOf(path: string): string[] {
  return listNames(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}-`))
    .map((name) => join(dirname(path), name));
}

function isOlderThan(path: string, now: Date, ageMs: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && now.getTime() - stats.mtimeMs > ageMs;
}
