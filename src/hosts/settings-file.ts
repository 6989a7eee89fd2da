import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { makeFolder, removeFileSync, renameFileSync } from "../files.ts";
import type { HostPart } from "./host.ts";
import { refuseSettings } from "./json-settings.ts";

/** The text of a settings file; null if it does not exist. */
export function readSettings({ path, snippet }: Pick<HostPart, "path" | "snippet">): string | null {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
      throw refuseSettings(path, "it is no regular file", snippet);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (error instanceof LonghandError) throw error;
    if (code === undefined) throw refuseSettings(path, "it is not UTF-8 text", snippet);
    throw new LonghandError("host-config-unusable", `${path} cannot be read: the system says ${code}.`, {
      hint: "No file was changed. Grant access to the file and its folders, or print what belongs in it with --print.",
      cause: error,
    });
  }
}

/**
 * The host sees the old settings or the new ones, never a mix. A link keeps pointing to its target. Changes that the
 * host saved since the file was read (as `seen`, null for absent) are not overwritten.
 */
export function replaceFile(path: string, text: string, seen: string | null): void {
  try {
    const target = followLinks(path);
    makeFolder(dirname(target));
    const isThere = statSync(target, { throwIfNoEntry: false });
    const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    const fd = openSync(
      temporary,
      O_WRONLY | O_CREAT | O_EXCL,
      isThere === undefined ? 0o644 : isThere.mode & 0o777,
    );
    try {
      writeAll(fd, Buffer.from(text));
      fsyncSync(fd);
    } catch (error) {
      removeFileSync(temporary);
      throw error;
    } finally {
      closeSync(fd);
    }
    if (textOf(target) !== seen) {
      removeFileSync(temporary);
      throw changedMeanwhile(path);
    }
    renameFileSync(temporary, target);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** The target of a link, even if it does not exist yet: users may keep settings in a folder of their own. */
function followLinks(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (!isLink) return path;
  if (existsSync(path)) return realpathSync(path);
  return followLinks(resolve(realpathSync(dirname(path)), readlinkSync(path)));
}

export function deleteFile(path: string, seen: string | null): void {
  try {
    if (textOf(path) !== seen) throw changedMeanwhile(path);
    removeFileSync(followLinks(path));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Checked for every file before the first is written. */
export function refuseReadOnly(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o200;
  // Replacing the file would bypass its read-only flag.
  if ((mode & 0o222) === 0) {
    throw new LonghandError("host-config-unusable", `${path} cannot be written: it is read-only.`, {
      hint: "No file was changed. Make it writable, or print what belongs in it with --print.",
    });
  }
  refuseClosedFolder(path);
}

/** The new text is first written to a temporary file beside it. */
function refuseClosedFolder(path: string): void {
  try {
    let folder = dirname(followLinks(path));
    while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function changedMeanwhile(path: string): LonghandError {
  return new LonghandError(
    "host-config-unusable",
    `${path} was left alone: another program changed it meanwhile.`,
    { hint: "Run the same command again.", retryable: true },
  );
}

function unwritable(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new LonghandError("host-config-unusable", `${path} cannot be written: the system says ${code}.`, {
    hint: "It is unchanged. Check the permissions of its folder, or print what belongs in it with --print.",
    cause: error,
  });
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

function textOf(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false }) === undefined
    ? null
    : new TextDecoder("utf-8", { ignoreBOM: true }).decode(readFileSync(path));
}
