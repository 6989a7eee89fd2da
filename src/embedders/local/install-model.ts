import fs from "node:fs/promises";
import path from "node:path";
import { LonghandError, systemErrorCode } from "../../errors.ts";
import { renameFile } from "../../rename-file.ts";
import { type DownloadOptions, download } from "./download.ts";
import { downloadFailed } from "./download-error.ts";
import { localModelUnusable } from "./local-model-error.ts";
import { type ModelFile, readModelFile } from "./model-file.ts";
import { locateModel } from "./model-place.ts";

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
  /** It was there, whole, and nothing was done. */
  readonly alreadyThere: boolean;
}

/** Puts a model in its place, by copying or fetching it. Two at once must be kept apart by the caller. */
export async function installModel(options: InstallOptions): Promise<InstalledModel> {
  const { model, modelCacheDir, from } = options;
  const { file, url } = locateModel(model, modelCacheDir);
  const present = await readIfUsable(file);
  if (from !== undefined) return await copyModel(from, file, { present, isOwn: url === null });
  if (present !== null) return describe(present, true);
  if (url === null) {
    // Says what is wrong with it, and there is nowhere to fetch it from.
    return describe(await readModelFile(file), true);
  }
  await download(url, file, {
    ...options,
    async check(partial) {
      await readModelFile(partial).catch((error: LonghandError) => {
        const why = error.message.replace(/^.*cannot be used: /, "").replace(/\.$/, "");
        throw downloadFailed(url, { why: `what arrived is no model, because ${why}`, error });
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
