import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { openHeldSync } from "../files.ts";
import { isSameFile } from "../paths.ts";
import { type Location, refusePath } from "./locate.ts";

export interface OpenNote {
  readonly fd: number;
  /** Taken from the descriptor. */
  readonly stats: BigIntStats;
}

/**
 * Opens a note for reading; null when it does not exist. The caller closes the descriptor.
 *
 * Checking a path before opening it is not enough: a folder can be swapped for a symlink in between. So the descriptor
 * is verified after opening.
 */
export function openNote(location: Location, verify: Verify = verifyOpened): OpenNote | null {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const seen = lookAt(location);
    if (seen === null) return null;
    // Opening a FIFO would unblock its writer.
    if (!seen.isFile()) throw refuseKind(location);
    const fd = openFile(join(location.root, location.relative), location);
    if (fd === null) continue;
    try {
      const stats = fstatSync(fd, { bigint: true });
      if (!stats.isFile()) throw refuseKind(location);
      if (verify(fd, stats, location)) return { fd, stats };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    closeSync(fd);
  }
  throw new LonghandError(
    "note-unreadable",
    `${location.path} cannot be read: its path kept changing meanwhile.`,
    { hint: "Try again, with the path exactly as search shows it.", retryable: true },
  );
}

/** True when the descriptor refers to the file at the location. */
export type Verify = (fd: number, stats: BigIntStats, location: Location) => boolean;

export const verifyOpened: Verify = (fd, stats, location) =>
  process.platform === "linux" ? verifyByDescriptor(fd, stats, location) : verifyByWalk(fd, stats, location);

/** The kernel knows the path of every open file, so this has no race. */
export const verifyByDescriptor: Verify = (fd, stats, location) => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === join(location.root, location.relative);
  } catch (error) {
    // A container without /proc.
    if (systemErrorCode(error) === "ENOENT") return verifyByWalk(fd, stats, location);
    throw error;
  }
};

/**
 * For other systems: the path, free of symlinks, must still lead to the same device and inode. A folder can be swapped
 * for a symlink between two steps of a walk, and back before the next one, so several walks have to agree: an attacker
 * would have to hit a gap of microseconds in each of them.
 */
export function verifyByWalk(
  _fd: number,
  stats: BigIntStats,
  location: Location,
  look: Look = lookAtPart,
): boolean {
  for (let walk = 0; walk < walks; walk++) {
    if (!isSameFile(lookAt(location, look), stats)) return false;
  }
  return true;
}

/** Checks each part of the path in turn and refuses symlinks; null when a part does not exist. */
export function lookAt({ root, relative, path }: Location, look: Look = lookAtPart): BigIntStats | null {
  let current = root;
  let stats: BigIntStats | undefined;
  for (const part of relative === "" ? [""] : relative.split("/")) {
    current = join(current, part);
    stats = look(current, path);
    if (stats === undefined) return null;
    if (stats.isSymbolicLink())
      throw refusePath(path, "it is reached through a symlink, and symlinks are not followed");
  }
  return stats ?? null;
}

export function refuseKind(location: Location): LonghandError {
  return new LonghandError("note-unreadable", `${location.path} cannot be read: it is not a regular file.`, {
    hint: "Rename or move it; only regular files are notes.",
  });
}

export function refuseReading(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new LonghandError("note-unreadable", `${path} cannot be read: the system says ${code}.`, {
    hint: readingHints[code] ?? "Try again; if it keeps failing, check the disk.",
    retryable: readingHints[code] !== denied,
    cause: error,
  });
}

const denied = "Give yourself the right to read it.";
const readingHints: Readonly<Record<string, string>> = {
  EACCES: denied,
  EPERM: denied,
  EBUSY: "Another program has it open. Close it there, and try again.",
};

const maxAttempts = 8;

const walks = 3;

/** The status of one part of a path, links not followed; undefined when it does not exist. */
type Look = (file: string, path: string) => BigIntStats | undefined;

/** Not among Node's constants: macOS then refuses a symlink in any part of the path, which leaves no race. */
const O_NOFOLLOW_ANY = 0x20000000;

/** Opens what is at a path and never what a symlink there leads to. */
export const noFollow = process.platform === "darwin" ? O_NOFOLLOW_ANY : (constants.O_NOFOLLOW ?? 0);

export function lookAtPart(file: string, path: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw refuseReading(path, error);
  }
}

function openFile(file: string, location: Location): number | null {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  try {
    return openHeldSync(file, O_RDONLY | noFollow | O_NONBLOCK | O_NOCTTY);
  } catch (error) {
    // Gone or swapped since the check: try again.
    if (isAbsence(error) || systemErrorCode(error) === "ELOOP") return null;
    throw refuseReading(location.path, error);
  }
}

/** A part over 255 bytes cannot exist either. */
function isAbsence(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}
