import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";
import { LonghandError, systemErrorCode, unlessRefused } from "../errors.ts";
import { type FileId, isSameFile, realPath } from "../paths.ts";
import type { SkipReason } from "../sources/source.ts";
import { findPathProblem } from "./note-path.ts";

export interface Workspace {
  readonly workspaceDir: string;
  /** Files or folders, absolute or relative to the workspace. */
  readonly extraPaths: readonly string[];
  readonly include?: NoteSelection | undefined;
}

/** Which Markdown files of a workspace are its notes: MEMORY.md and memory/ (the default), or all of them. */
export type NoteSelection = "memory" | "all";

/** A location where notes may be: a single file, everything below a folder, or something that does not exist now. */
export interface NoteLocation {
  readonly kind: "file" | "folder" | "absent";
  /** Real path of a folder that nothing below may leave. It may itself have been reached through a symlink. */
  readonly root: string;
  /** The file, or the folder to begin in, below the root; "" is the root itself. */
  readonly start: string;
  /** The prefix of the paths that users see; "" when those are relative to `start`. */
  readonly shown: string;
  /** Only the workspace's own notes are written to. */
  readonly isWritable: boolean;
  /** Where the location was looked for, through any symlinks, and the real path that was found there. */
  readonly configured: { readonly path: string; readonly real: string };
  /** Why the location is absent. */
  readonly reason?: SkipReason;
  /** What was configured. */
  readonly detail?: string;
}

/** The workspace's own locations: `memory.md` is the long-term note only while there is no `MEMORY.md`. */
export function ownLocations({
  workspaceDir,
  include = "memory",
}: Pick<Workspace, "workspaceDir" | "include">): NoteLocation[] {
  const root = resolveWorkspace(workspaceDir);
  const own = (kind: NoteLocation["kind"], name: string): NoteLocation => ({
    kind,
    root,
    start: name,
    shown: name,
    isWritable: true,
    configured: { path: workspaceDir, real: root },
  });
  return [
    own("file", "MEMORY.md"),
    ...locationsInstead(root, own("file", "memory.md")),
    own("folder", "memory"),
    ...(include === "all" ? [own("folder", "")] : []),
  ];
}

/** The locations of `extraPaths`, in their order. */
export function extraLocations({ workspaceDir, extraPaths }: Workspace): NoteLocation[] {
  if (extraPaths.length === 0) return [];
  const workspace = resolveWorkspace(workspaceDir);
  return extraPaths.map((configured, number) =>
    resolveExtra({ workspace, workspaceDir, number, configured }),
  );
}

/** The real path of the workspace folder. */
export function resolveWorkspace(workspaceDir: string): string {
  try {
    const root = realPath(workspaceDir);
    if (statSync(root).isDirectory()) return root;
    throw refuseWorkspace(workspaceDir, "it is not a folder");
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw refuseWorkspace(workspaceDir, describeAbsence(workspaceDir, code), error);
  }
}

/** The path of a file or folder relative to `folder`, or null when it is outside. Both are real paths. */
export function nameBelow(folder: string, inner: string): string | null {
  if (inner === folder) return "";
  // The separator keeps /workspace out of /work.
  if (!inner.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return null;
  return relative(folder, inner).split(sep).join("/");
}

/** A drive or share of Windows that is not there has no root; elsewhere a lost share keeps its folder but not its server. */
function describeAbsence(workspaceDir: string, code: string): string {
  const { root } = parse(resolve(workspaceDir));
  if (code === "ENOENT") return existsSync(root) ? "it does not exist" : `${root} is not connected`;
  return isDisconnected.test(code)
    ? `its share or disk is not connected (${code})`
    : `the system says ${code}`;
}

const isDisconnected = /^E(?:HOSTDOWN|HOSTUNREACH|NETUNREACH|NETDOWN|NOTCONN|STALE|TIMEDOUT|NODEV|NXIO)$/;

function refuseWorkspace(workspaceDir: string, why: string, cause?: unknown): LonghandError {
  return new LonghandError("workspace-missing", `The workspace ${workspaceDir} cannot be used: ${why}.`, {
    hint: "Create the folder, connect the disk or share that it is on, or name another one (--workspace, or `workspace` of openMemory).",
    cause,
  });
}

interface ExtraPath {
  /** Real path of the workspace. */
  readonly workspace: string;
  readonly workspaceDir: string;
  /** Position in `extraPaths`. */
  readonly number: number;
  readonly configured: string;
}

function resolveExtra({ workspace, workspaceDir, number, configured }: ExtraPath): NoteLocation {
  const absolute = resolve(workspaceDir, configured);
  const location = { isWritable: false, detail: `extraPaths[${number}] is ${configured}` };
  try {
    const real = realPath(absolute);
    const stats = statSync(real);
    const inside = nameBelow(workspace, real);
    const found = { ...location, configured: { path: absolute, real } };
    if (stats.isDirectory()) {
      return { ...found, kind: "folder", root: real, start: "", shown: nameFolder(inside, number) };
    }
    const shown = nameFile(inside, number, basename(absolute));
    const file = { ...found, root: dirname(real), start: basename(real), shown };
    if (!stats.isFile()) return { ...file, kind: "absent", reason: "not-a-file" };
    if (findPathProblem(shown) === null && real.endsWith(".md")) return { ...file, kind: "file" };
    return {
      ...file,
      kind: "absent",
      reason: "excluded",
      detail: `${location.detail}; only .md files are notes`,
    };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    const reason = code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unreadable";
    const inside = nameBelow(workspace, resolve(workspace, configured));
    const shown = absolute.endsWith(".md")
      ? nameFile(inside, number, basename(absolute))
      : nameFolder(inside, number);
    const nowhere = { path: absolute, real: absolute };
    return { ...location, configured: nowhere, kind: "absent", root: absolute, start: "", shown, reason };
  }
}

function nameFolder(inside: string | null, number: number): string {
  if (inside === "" || (inside !== null && isClearName(`${inside}/note.md`))) return inside;
  return `extra/${number}`;
}

function nameFile(inside: string | null, number: number, name: string): string {
  return inside !== null && isClearName(inside) ? inside : `extra/${number}/${name}`;
}

/** A name that the grammar lets through and that cannot be taken for `extra/<n>/…`. */
function isClearName(path: string): boolean {
  return findPathProblem(path) === null && !path.startsWith("extra/");
}

function locationsInstead(root: string, location: NoteLocation): NoteLocation[] {
  const longTerm = lookBriefly(join(root, "MEMORY.md"));
  if (longTerm === undefined) return [location];
  const other = lookBriefly(join(root, location.start));
  // On a case-insensitive file system both are one file.
  const isOther = other !== undefined && !isSameFile(other, longTerm) && isListed(root, location.start);
  return isOther
    ? [{ ...location, kind: "absent", reason: "excluded", detail: "MEMORY.md is read instead" }]
    : [];
}

/** Checks the folder's listing too, because FUSE may give a file another inode under each spelling of its name. */
function isListed(root: string, name: string): boolean {
  return unlessRefused(
    () => {
      const names = readdirSync(root);
      return names.includes(name) && names.includes("MEMORY.md");
    },
    () => true,
  );
}

function lookBriefly(file: string): FileId | undefined {
  return unlessRefused<FileId | undefined>(
    () => lstatSync(file, { bigint: true, throwIfNoEntry: false }),
    // A file that cannot be inspected may still exist; opening it reports more.
    () => ({ dev: 0n, ino: 0n }),
  );
}
