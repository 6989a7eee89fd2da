import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { LonghandError, unlessRefused } from "../errors.ts";
import { realPath } from "../paths.ts";
import {
  extraLocations,
  type NoteLocation,
  nameBelow,
  ownLocations,
  resolveWorkspace,
  type Workspace,
} from "./note-locations.ts";
import { findPathProblem, foldName, isHiddenPart } from "./note-path.ts";

/** The location of a note, whether it exists or not. */
export interface Location {
  /** As hits show it. */
  readonly path: string;
  /** Real path of the folder that the note must not leave. */
  readonly root: string;
  /** Below the root, `/` between parts. */
  readonly relative: string;
  readonly isWritable: boolean;
}

/** Finds the one file that a path means, spelt as a listing spells it. Throws `path-outside-memory` for any other path. */
export function locateNote(workspace: Workspace, path: string): Location {
  return locate(workspace, path, ownLocations(workspace), (location, below) =>
    below === "" ? below : listedName(join(location.root, location.start), below),
  );
}

/** The same for a path from a listing; `locations` are the workspace's own. */
export function locateListed(
  workspace: Workspace,
  path: string,
  locations: readonly NoteLocation[],
): Location {
  return locate(workspace, path, locations, asGiven);
}

/** How a path below a location is spelt. */
type Spelling = (location: NoteLocation, below: string) => string;

const asGiven: Spelling = (_location, below) => below;

function locate(
  workspace: Workspace,
  path: string,
  locations: readonly NoteLocation[],
  spelling: Spelling,
): Location {
  const problem = findPathProblem(path);
  if (problem !== null) throw refusePath(path, problem);
  // A whole workspace matches every path, so locations with a name go first.
  const isNamedExtra = path.startsWith("extra/") && workspace.extraPaths.length > 0;
  const first = isNamedExtra ? [...locations, ...extraLocations(workspace)] : locations;
  const found = findLocation(first, path, spelling);
  if (found?.isWritable) return found;
  const extra = found ?? findLocation(extraLocations(workspace), path, spelling);
  if (extra === null) throw refuseAbsent(workspace, path);
  // MEMORY.md must not become readable under a second name: that name would not be private.
  const name = nameBelow(resolveWorkspace(workspace.workspaceDir), join(extra.root, extra.relative));
  if (name !== null && (workspace.include === "all" || isOwnName(name)))
    throw refusePath(path, `that file is the workspace's own ${name}`);
  return extra;
}

/**
 * Finds a path in some locations; null when it is in none of them. A path `extra/<n>/…` always means the n-th of
 * `extraPaths`, also when the workspace has a folder called `extra`: locations without a name of their own come last.
 */
export function findLocation(
  locations: readonly NoteLocation[],
  path: string,
  spelling: Spelling = asGiven,
): Location | null {
  for (const location of [...locations.filter(hasName), ...locations.filter((each) => !hasName(each))]) {
    const asked = pathBelow(location, path);
    if (asked === null || asked.split("/").some(isHiddenPart)) continue;
    const below = spelling(location, asked);
    // A short name such as GIT~1 may stand for a hidden one.
    if (below !== asked && below.split("/").some(isHiddenPart)) continue;
    const relative = joinParts(location.start, below);
    const shown = below === asked ? path : joinParts(location.shown, below);
    return { path: shown, root: location.root, relative, isWritable: location.isWritable };
  }
  return null;
}

export function joinParts(first: string, second: string): string {
  return first === "" || second === "" ? first + second : `${first}/${second}`;
}

export function refusePath(
  path: string,
  why: string,
  {
    hint = "Give a path as search shows it. Notes are MEMORY.md, memory/**/*.md, and what extraPaths or `longhand adopt` adds.",
  }: { readonly hint?: string } = {},
): LonghandError {
  const shown = JSON.stringify(String(path).slice(0, 200));
  return new LonghandError("path-outside-memory", `${shown} does not name a note of this memory: ${why}.`, {
    hint,
  });
}

function hasName(location: NoteLocation): boolean {
  return location.shown !== "";
}

/** The part of a path below the name of the location: "" for the location itself, null for another location. */
function pathBelow(location: NoteLocation, path: string): string | null {
  if (location.reason === "excluded") return null;
  if (path === location.shown) return location.kind === "folder" ? null : "";
  if (location.kind === "file" || (location.kind === "absent" && location.shown.endsWith(".md"))) return null;
  if (location.shown === "") return path;
  return path.startsWith(`${location.shown}/`) ? path.slice(location.shown.length + 1) : null;
}

/** In any letter case: on some file systems that is the same file. */
function isOwnName(name: string): boolean {
  const folded = foldName(name);
  return folded === "MEMORY.MD" || folded.startsWith("MEMORY/");
}

function refuseAbsent({ workspaceDir, include }: Workspace, path: string): LonghandError {
  if (path.split("/").some(isHiddenPart))
    return refusePath(path, "hidden files and node_modules are never read");
  if (path === "memory.md") return refusePath(path, "it is read only while there is no MEMORY.md");
  if (include === "all") return refusePath(path, "that path is outside this memory");
  if (!isFile(join(workspaceDir, path))) return refusePath(path, "it is neither MEMORY.md nor below memory/");
  const hint =
    "Notes are MEMORY.md and memory/**/*.md; `longhand adopt` makes every Markdown file of the folder one.";
  return refusePath(path, "that file is outside this memory", { hint });
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // A path that cannot be inspected is not worth a hint.
    return false;
  }
}

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

/** A file that cannot be inspected is refused when it is opened. */
function listedPart(folder: string, part: string): string {
  return unlessRefused(
    () => findListed(folder, part),
    () => part,
  );
}

function findListed(folder: string, part: string): string {
  const file = join(folder, part);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return part;
  // Most Linux file systems are case-sensitive, which one call shows. Inodes are not compared: FUSE may give each
  // spelling its own.
  if (lstatSync(join(folder, swapCase(part)), { throwIfNoEntry: false }) === undefined) return part;
  const names = readdirSync(folder);
  if (names.includes(part)) return part;
  const folded = foldName(part);
  const alike = names.filter((name) => foldName(name) === folded);
  if (alike.length === 1) return alike[0]!;
  // A short name such as NOTES~1.MD; a link is left to the guard, which refuses it.
  return found.isSymbolicLink() ? part : basename(realPath(file));
}

function swapCase(text: string): string {
  return Array.from(text, (letter) => {
    const upper = letter.toUpperCase();
    return upper === letter ? letter.toLowerCase() : upper;
  }).join("");
}
