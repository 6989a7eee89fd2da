import { type BigIntStats, constants } from "node:fs";
import { lstat, mkdir, open, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LonghandError, messageOf, systemErrorCode } from "../../errors.ts";
import { renameFile } from "../../files.ts";
import type { Fields } from "../../text/fields.ts";
import { patchJson } from "../../text/json-patch.ts";
import { parseJson, parseJson5 } from "../../text/parse-json.ts";

export type Json5Text =
  | { readonly kind: "absent" }
  /** `isPlain`: strict JSON, so rewriting it loses no comments. */
  | {
      readonly kind: "read";
      readonly value: Fields | readonly unknown[];
      readonly text: string;
      readonly isPlain: boolean;
    }
  | { readonly kind: "damaged"; readonly text: string; readonly reason: string };

/** Reads a file that people may have edited. A file that does not parse is `damaged`, for the caller to handle. */
export async function readJson5File(path: string): Promise<Json5Text> {
  const bytes = await readBytes(path);
  if (bytes === null) return { kind: "absent" };
  const text = bytes.toString("utf8");
  // Longhand writes strict JSON, which parses many times faster.
  const plain = parseJson(text);
  try {
    const value = plain ?? (await parseJson5(text));
    if (typeof value !== "object" || value === null) {
      return { kind: "damaged", text, reason: "it holds no object" };
    }
    return { kind: "read", value: value as Fields, text, isPlain: plain !== undefined };
  } catch (error) {
    return { kind: "damaged", text, reason: messageOf(error) };
  }
}

/** Someone without the lock saved the file meanwhile: read it again and repeat the change. */
export class ChangedMeanwhile extends Error {}

/**
 * Replaces a file atomically; when this resolves, the new text is on disk. The caller holds the lock, so the temporary
 * file has a fixed name, and a leftover of a crash is overwritten by the next change. People may edit the file without
 * the lock: it must still be as it was read (null for absent), and afterwards the name must lead to the new file;
 * otherwise this rejects with `ChangedMeanwhile`.
 */
export async function replaceFile(path: string, text: string, seen: string | null): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.tmp`);
  try {
    await makeFolder(folder);
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
    const file = await open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
    let made: BigIntStats;
    try {
      await file.writeFile(text);
      await file.sync();
      made = await file.stat({ bigint: true });
    } finally {
      await file.close();
    }
    if (((await readBytes(path))?.toString("utf8") ?? null) !== seen) throw new ChangedMeanwhile();
    await renameFile(temporary, path);
    await syncFolder(folder);
    const there = await lstat(path, { bigint: true }).catch(() => null);
    if (there?.ino !== made.ino || there.dev !== made.dev) throw new ChangedMeanwhile();
  } catch (error) {
    throw refuseWriting(path, error);
  }
}

/** Syncs the parent of each new folder. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Renames a damaged file, and returns its new path. */
export async function quarantineFile(path: string, now: Date): Promise<string> {
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
  for (let number = 0; ; number++) {
    const target = `${path}.damaged-${stamp}${number === 0 ? "" : `-${number}`}`;
    if ((await stat(target).catch(() => null)) !== null) continue;
    try {
      await renameFile(path, target);
      await syncFolder(dirname(path));
      return target;
    } catch (error) {
      throw refuseWriting(path, error);
    }
  }
}

/** The text for `after`: keeps what people wrote by hand, else uses the given format. */
export function rewrite(
  current: Json5Text & { kind: "read" },
  after: Fields,
  format: (value: Fields) => string,
): string {
  if (current.isPlain || Array.isArray(current.value)) return format(after);
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
  return patchJson(current.text, plain(current.value), plain(after));
}

async function readBytes(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new LonghandError("session-unusable", `${path} cannot be read: ${code}.`, {
      hint: "Check its permissions, and that it is a regular file.",
      cause: error,
    });
  }
}

/** Makes the new name durable. Some systems cannot do this for folders, and need not. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  if (handle === null) return;
  try {
    await handle.sync();
  } catch (error) {
    if (!["EINVAL", "EPERM", "EISDIR", "EBADF"].includes(systemErrorCode(error) ?? "")) throw error;
  } finally {
    await handle.close();
  }
}

function refuseWriting(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new LonghandError("session-unusable", `${path} cannot be written: ${code}. It is unchanged.`, {
    hint: "Check the permissions of its folder and the free disk space.",
    retryable: code === "ENOSPC" || code === "EDQUOT",
    cause: error,
  });
}
