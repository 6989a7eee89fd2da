import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { systemErrorCode } from "../errors.ts";

/**
 * How the folders themselves spell a path below `folder`. Where a file system ignores letter case, normalises Unicode
 * or has short names besides the long ones, a note can be opened by several spellings. Exclude patterns, scopes and the
 * index know only the one that a listing shows. Parts that are not there stay as they are given.
 */
export function listedName(folder: string, below: string): string {
  const parts: string[] = [];
  for (const part of below.split("/")) {
    const parent = join(folder, ...parts);
    parts.push(listedPart(parent, part));
  }
  return parts.join("/");
}

/** Equal for all names that some file system takes for the same. */
export function foldName(name: string): string {
  return name.normalize("NFC").toUpperCase().normalize("NFC");
}

function listedPart(folder: string, part: string): string {
  const file = join(folder, part);
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) return part;
    // Most file systems of Linux know one spelling, which a single look shows. Numbers of files are not compared: FUSE
    // may give each spelling its own.
    if (lstatSync(join(folder, swapCase(part)), { throwIfNoEntry: false }) === undefined) return part;
    const names = readdirSync(folder);
    if (names.includes(part)) return part;
    const folded = foldName(part);
    const alike = names.filter((name) => foldName(name) === folded);
    if (alike.length === 1) return alike[0]!;
    // A short name such as NOTES~1.MD; a link is left to the guard, which refuses it.
    return found.isSymbolicLink() ? part : basename(realpathSync.native(file));
  } catch (error) {
    // What may not be looked at will be refused when it is opened.
    if (systemErrorCode(error) === undefined) throw error;
    return part;
  }
}

function swapCase(text: string): string {
  return Array.from(text, (letter) => {
    const upper = letter.toUpperCase();
    return upper === letter ? letter.toLowerCase() : upper;
  }).join("");
}
