import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LonghandError, systemErrorCode, throwIfAborted } from "../../errors.ts";
import { renameFile } from "../../files.ts";
import { sha256 } from "../../text/hash.ts";
import { localModelUnusable } from "./local-model-error.ts";
import { type ModelFile, readModelFile } from "./model-file.ts";
import { locateModel } from "./model-location.ts";
import { describeFile, downloadFailed, isPassing, openBody, type RemoteFile } from "./remote-file.ts";

export interface InstallOptions extends Omit<DownloadOptions, "check"> {
  /** What `local.modelPath` may be, or an https address. */
  readonly model: string;
  readonly modelCacheDir: string;
  /** A file to copy instead of fetching. Absolute. */
  readonly from?: string | undefined;
}

export interface InstalledModel {
  readonly path: string;
  readonly sizeBytes: number;
  /** A complete file existed, and nothing was done. */
  readonly alreadyThere: boolean;
}

/** Installs a model by copying or fetching it. The caller must not run two at once. */
export async function installModel(options: InstallOptions): Promise<InstalledModel> {
  const { model, modelCacheDir, from } = options;
  const { file, url } = locateModel(model, modelCacheDir);
  const present = await readIfUsable(file);
  if (from !== undefined) return await copyModel(from, file, { present, isOwn: url === null });
  if (present !== null) return describe(present, true);
  if (url === null) {
    // Throws with what is wrong; there is no address to fetch it from.
    return describe(await readModelFile(file), true);
  }
  await download(url, file, {
    ...options,
    async check(partial) {
      await readModelFile(partial).catch((error: LonghandError) => {
        const why = error.message.replace(/^.*cannot be used: /, "").replace(/\.$/, "");
        throw downloadFailed(url, { why: `what arrived is not a model, because ${why}`, error });
      });
    },
  });
  return describe(await readModelFile(file), false);
}

async function copyModel(
  from: string,
  file: string,
  { present, isOwn }: { present: ModelFile | null; isOwn: boolean },
): Promise<InstalledModel> {
  const given = await readModelFile(from);
  if (present?.fingerprint === given.fingerprint) return describe(present, true);
  if (isOwn && present !== null) {
    throw localModelUnusable(from, `${file} is there already and is another model`, {
      hint: `Set local.modelPath to ${from}, or delete the other file first.`,
    });
  }
  const copy = `${file}.copy.partial`;
  try {
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await fs.copyFile(from, copy, fs.constants.COPYFILE_FICLONE);
    await fs.chmod(copy, 0o644);
    await using handle = await fs.open(copy, "r+");
    await handle.sync();
    await renameFile(copy, file);
  } catch (error) {
    await fs.rm(copy, { force: true });
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw localModelUnusable(from, `copying it to ${file} failed with ${code}`, {
      hint: "Make room or correct the rights; local.modelCacheDir names another folder.",
      cause: error,
    });
  }
  return describe(await readModelFile(file), false);
}

async function readIfUsable(file: string): Promise<ModelFile | null> {
  try {
    return await readModelFile(file);
  } catch (error) {
    if (error instanceof LonghandError) return null;
    throw error;
  }
}

function describe({ path: file, sizeBytes }: ModelFile, alreadyThere: boolean): InstalledModel {
  return { path: file, sizeBytes, alreadyThere };
}

interface DownloadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?:
    | ((state: { readonly receivedBytes: number; readonly sizeBytes: number }) => void)
    | undefined;
  /** How often a broken download is resumed, and the delay before the first time. */
  readonly retries?: number;
  readonly retryDelayMs?: number;
  /** The maximum time without data. */
  readonly idleMs?: number;
  /** Checks the complete file before it is renamed; throws if it is not the requested one. */
  readonly check: (file: string) => Promise<void>;
}

/**
 * Downloads a file. Until it is complete and checked, it has another name in the same folder, and the next call
 * resumes it after a lost connection, a full disk or a crash. Under its own name the file is always complete.
 */
async function download(url: string, file: string, options: DownloadOptions): Promise<void> {
  const { retries = 4, retryDelayMs = 1000, signal } = options;
  try {
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    let hasArrived = false;
    const onProgress: DownloadOptions["onProgress"] = (state) => {
      hasArrived = true;
      options.onProgress?.(state);
    };
    for (let attempt = 0; ; attempt++) {
      try {
        await fetchOnce(url, file, { ...options, onProgress });
        return;
      } catch (error) {
        throwIfAborted(signal);
        if (attempt >= retries || !isPassing(error, { hasArrived })) throw error;
        await sleep(retryDelayMs * 2 ** attempt, undefined, signal ? { signal } : {});
      }
    }
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof LonghandError) throw error;
    throw downloadFailed(url, { error, file });
  }
}

async function fetchOnce(url: string, file: string, options: DownloadOptions): Promise<void> {
  const { check, signal } = options;
  const remote = await describeFile(url, options);
  const partial = partialPath(file, remote);
  await receive(partial, remote, options);
  try {
    await compareHash(partial, remote, signal);
    await check(partial);
  } catch (error) {
    // It is complete and wrong, so resuming it would not help.
    if (error instanceof LonghandError && error.code !== "aborted") await fs.rm(partial, { force: true });
    throw error;
  }
  await renameFile(partial, file);
  await syncFolder(path.dirname(file));
  await removeOldPartials(file);
}

/** The name contains the server's name for this version, so that parts of two versions are never joined. */
export function partialPath(file: string, { version }: Pick<RemoteFile, "version">): string {
  const tag = version === null ? "0" : sha256(version).slice(0, 12);
  return `${file}.${tag}.partial`;
}

async function receive(partial: string, remote: RemoteFile, options: DownloadOptions): Promise<void> {
  const { signal, onProgress } = options;
  await using handle = await fs.open(partial, remote.version === null ? "w" : "a");
  let receivedBytes = (await handle.stat()).size;
  if (receivedBytes > (remote.sizeBytes ?? Number.POSITIVE_INFINITY)) {
    await handle.truncate(0);
    receivedBytes = 0;
  }
  if (receivedBytes !== remote.sizeBytes) {
    await using body = await openBody(remote, receivedBytes, options);
    if (body.startBytes !== receivedBytes) await handle.truncate(0);
    receivedBytes = body.startBytes;
    onProgress?.({ receivedBytes, sizeBytes: body.sizeBytes });
    for await (const bytes of body.chunks) {
      throwIfAborted(signal);
      if (receivedBytes + bytes.length > body.sizeBytes) {
        await handle.truncate(0);
        throw downloadFailed(remote.url, {
          why: `the server sent more than the ${body.sizeBytes} bytes that it announced`,
        });
      }
      await writeAll(handle, bytes);
      receivedBytes += bytes.length;
      onProgress?.({ receivedBytes, sizeBytes: body.sizeBytes });
    }
    if (receivedBytes < body.sizeBytes) {
      const why = `the connection ended after ${receivedBytes} of ${body.sizeBytes} bytes`;
      throw downloadFailed(remote.url, { why, retryable: true });
    }
  }
  await handle.sync();
}

async function writeAll(handle: fs.FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

async function compareHash(
  partial: string,
  { url, sha256 }: RemoteFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (sha256 === null) return;
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(partial, { highWaterMark: 2 ** 20 })) {
    throwIfAborted(signal);
    hash.update(bytes);
  }
  const digest = hash.digest("hex");
  if (digest === sha256) return;
  const why = `what arrived has the SHA-256 ${digest} instead of ${sha256}, and was thrown away`;
  throw downloadFailed(url, { why });
}

/** The new name must survive a crash of the machine, if the system can guarantee that. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await fs.open(folder);
    await handle.sync();
  } catch (error) {
    if (!["EISDIR", "EPERM", "EINVAL", "ENOTSUP", "EACCES"].includes(systemErrorCode(error) ?? ""))
      throw error;
  }
}

async function removeOldPartials(file: string): Promise<void> {
  const start = `${path.basename(file)}.`;
  for (const name of await fs.readdir(path.dirname(file))) {
    if (name.startsWith(start) && /^[0-9a-f]+\.partial$/.test(name.slice(start.length))) {
      await fs.rm(path.join(path.dirname(file), name), { force: true });
    }
  }
}
