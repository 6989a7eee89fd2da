import { closeSync, fstatSync, lstatSync, openSync, readSync, statSync } from "node:fs";
import path from "node:path";
import { realFolder } from "../notes/workspace.ts";
import { isFolder } from "../paths.ts";

/*
 * Git's files are read directly and git is never run: its configuration may name programs, and a folder may come from
 * strangers. Every read is bounded, and anything invalid counts as no repository.
 */

/** What makes two folders the same project. */
export interface Repository {
  /** The same in every clone and worktree: an address, a first commit, or the folder of the repository itself. */
  readonly key: string;
  /** A display name. */
  readonly name: string;
  /** The path from the top of the worktree to the folder; "" for the top itself. */
  readonly inside: string;
}

const maxDepth = 64;
const maxPointerBytes = 4096;
const maxConfigBytes = 256 * 1024;
/** The maximum depth of clones of local clones; deeper is a cycle. */
const maxHops = 4;

/** The repository that a folder belongs to; null if there is none. */
export function findRepository(folder: string): Repository | null {
  const start = realFolder(folder);
  let top = start;
  for (let depth = 0; depth < maxDepth; depth++) {
    const gitDir = gitDirOf(path.join(top, ".git"));
    if (gitDir !== null) {
      const { key, name } = identify(commonDirOf(gitDir), maxHops);
      return { key, name, inside: path.relative(top, start).split(path.sep).join("/") };
    }
    if (top === path.dirname(top)) return null;
    top = path.dirname(top);
  }
  return null;
}

function identify(commonDir: string, hops: number): Omit<Repository, "inside"> {
  const remote = readOrigin(readText(path.join(commonDir, "config"), maxConfigBytes) ?? "");
  const address = remote === null ? null : normaliseRemote(remote);
  if (address !== null)
    return { key: `remote ${address}`, name: address.slice(address.lastIndexOf("/") + 1) };
  const local = remote === null || hops === 0 ? null : localRepository(remote, commonDir);
  if (local !== null && local !== commonDir) return identify(local, hops - 1);
  const first = firstCommit(commonDir);
  const home = path.basename(commonDir) === ".git" ? path.dirname(commonDir) : commonDir;
  const name = path.basename(home).replace(/\.git$/, "");
  return { key: first === null ? `folder ${commonDir}` : `commit ${first}`, name };
}

/** `.git` itself, or the folder that it names if it is a file: in a worktree or a submodule. */
function gitDirOf(file: string): string | null {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return isGitDir(file) ? realFolder(file) : null;
    if (!stats?.isFile()) return null;
    const named = /^gitdir: ([^\n\r\0]+)\s*$/.exec(readText(file, maxPointerBytes) ?? "")?.[1]?.trim();
    const folder = named === undefined ? null : path.resolve(path.dirname(file), named);
    return folder !== null && isGitDir(folder) ? realFolder(folder) : null;
  } catch {
    // An unreadable folder counts as no repository.
    return null;
  }
}

/** Any folder may be named `.git`. */
function isGitDir(folder: string): boolean {
  return statSync(path.join(folder, "HEAD"), { throwIfNoEntry: false })?.isFile() === true;
}

/** Worktrees share the folder of their repository. */
function commonDirOf(gitDir: string): string {
  const named = readText(path.join(gitDir, "commondir"), maxPointerBytes)?.trim();
  if (!named || /[\n\r\0]/.test(named)) return gitDir;
  const folder = path.resolve(gitDir, named);
  return isFolder(folder) ? realFolder(folder) : gitDir;
}

/** The `url` of `[remote "origin"]`. Files that it includes are not read. */
function readOrigin(config: string): string | null {
  let isOrigin = false;
  let url: string | null = null;
  for (const line of config.split("\n")) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) isOrigin = /^remote\s+"origin"$/i.test(section.trim());
    const value = isOrigin ? /^\s*url\s*=\s*(.*?)\s*$/i.exec(line)?.[1] : undefined;
    if (value) url = value.replace(/^"(.*)"$/, "$1");
  }
  return url;
}

/**
 * An address without what differs between clones: scheme, user, password, default port, case and `.git`. Null for a
 * folder of this machine.
 */
export function normaliseRemote(remote: string): string | null {
  const byUrl = /^(?:ssh|https?|git|git\+ssh):\/\/(?:[^/@]*@)?([^/:]+)(?::(\d+))?\/+(.*)$/i.exec(remote);
  const byHost = byUrl === null ? /^(?:[^/@:]+@)?([^/:\\]{2,}):(?!\/\/)(.*)$/.exec(remote) : null;
  const [host, port, rest] = byUrl
    ? [byUrl[1]!, byUrl[2], byUrl[3]!]
    : byHost
      ? [byHost[1]!, undefined, byHost[2]!]
      : ["", undefined, ""];
  const name = rest
    .replace(/^\/+|[?#].*$/g, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "");
  if (host === "" || name === "") return null;
  const isUsual = port === undefined || ["22", "80", "443", "9418"].includes(port);
  return `${host}${isUsual ? "" : `:${port}`}/${name}`.toLowerCase();
}

/** A clone of a folder is the same project as that folder. */
function localRepository(remote: string, commonDir: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(remote) && !remote.startsWith("file://")) return null;
  const folder = path.resolve(path.dirname(commonDir), withoutScheme(remote));
  try {
    const gitDir = gitDirOf(path.join(folder, ".git")) ?? (isGitDir(folder) ? realFolder(folder) : null);
    return gitDir === null ? null : commonDirOf(gitDir);
  } catch {
    return null;
  }
}

/** The path of a file URL, which on Windows begins with a drive or a host; anything else is unchanged. */
export function withoutScheme(remote: string, platform: NodeJS.Platform = process.platform): string {
  return remote.replace(platform === "win32" ? /^file:(?:\/\/\/(?=[a-z]:))?/i : /^file:\/\//, "");
}

/** From the reflog of the repository in which it was created; a clone has no such line. */
function firstCommit(commonDir: string): string | null {
  const log = readText(path.join(commonDir, "logs", "HEAD"), maxPointerBytes, { isBeginning: true }) ?? "";
  return /^0{40,64} ([0-9a-f]{40,64}) [^\n]*\tcommit \(initial\)/.exec(log)?.[1] ?? null;
}

/** Null if the file is missing, not a regular file, or too large: reading a pipe could block forever. */
function readText(file: string, maxBytes: number, { isBeginning = false } = {}): string | null {
  let descriptor: number | undefined;
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
    descriptor = openSync(file, "r");
    const { size } = fstatSync(descriptor);
    if (size > maxBytes && !isBeginning) return null;
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
