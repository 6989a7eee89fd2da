import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { LonghandError, systemErrorCode } from "../errors.ts";
import type { HostFile, HostName, HostSetup } from "./host.ts";
import { refuseSettings } from "./json-settings.ts";

export interface ConnectedFile {
  readonly path: string;
  readonly purpose: HostFile["purpose"];
  readonly state: "created" | "changed" | "unchanged";
  readonly snippet: string;
}

export interface ConnectedHost {
  readonly host: HostName;
  readonly files: readonly ConnectedFile[];
  readonly steps: readonly string[];
}

/**
 * Puts what hosts need into their settings, and nothing else. All files are looked at before the first is written, so a
 * file that cannot be edited means that none is.
 */
export function connectHosts(setups: readonly HostSetup[]): ConnectedHost[] {
  const planned = setups.map((setup) => ({ ...setup, plans: setup.files.map(planFile) }));
  for (const { files, plans } of planned) {
    for (const [index, { before, after }] of plans.entries()) {
      if (after !== before) replaceFile(files[index]!.path, after, before);
    }
  }
  return planned.map(({ name, steps, files, plans }) => ({
    host: name,
    steps,
    files: files.map(({ path, purpose, snippet }, index) => {
      const { before, after } = plans[index]!;
      return {
        path,
        purpose,
        snippet,
        state: before === null ? "created" : before === after ? "unchanged" : "changed",
      };
    }),
  }));
}

export interface HostCheck {
  readonly host: HostName;
  readonly path: string;
  readonly purpose: HostFile["purpose"];
  /** `absent`: the file is not there, or longhand is not in it. */
  readonly state: "connected" | "absent" | "unusable";
  readonly detail: string;
  /** The host looks for a program called longhand. */
  readonly startsByName: boolean;
}

/** Looks whether longhand is in the settings of a host, and changes nothing. */
export function checkHost({ name, title, files }: HostSetup): HostCheck[] {
  return files.map((file) => {
    const { path, purpose } = file;
    const check = (state: HostCheck["state"], detail: string, text = ""): HostCheck => ({
      host: name,
      path,
      purpose,
      state,
      detail,
      startsByName: /command"?\s*[:=]\s*"longhand[ "]/.test(text),
    });
    try {
      const { before, after } = planFile(file);
      if (before === after) return check("connected", `${title} has the ${purpose} in ${path}`, after);
      return check("absent", `${title} has no ${purpose} of longhand in ${path}`);
    } catch (error) {
      if (!(error instanceof LonghandError)) throw error;
      return check("unusable", error.message);
    }
  });
}

function textOf(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false }) === undefined
    ? null
    : new TextDecoder("utf-8", { ignoreBOM: true }).decode(readFileSync(path));
}

function planFile(file: HostFile): { before: string | null; after: string } {
  const before = readText(file);
  try {
    return { before, after: file.edit(before) };
  } catch (error) {
    // Something of another kind stands where ours would go.
    if (error instanceof TypeError || error instanceof SyntaxError)
      throw refuseSettings(file.path, error.message, file.snippet);
    throw error;
  }
}

function readText({ path, snippet }: HostFile): string | null {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
      throw refuseSettings(path, "it is no regular file", snippet);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (error instanceof LonghandError) throw error;
    throw refuseSettings(
      path,
      code === undefined ? "it is not UTF-8 text" : `the system says ${code}`,
      snippet,
    );
  }
}

/**
 * The host sees the old settings or the new ones, never a part. A link keeps pointing at its file. What the host itself
 * saved since the file was read (as `seen`, null for absent) is not overwritten.
 */
export function replaceFile(path: string, text: string, seen: string | null): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const isThere = statSync(path, { throwIfNoEntry: false });
    const target = isThere === undefined ? path : realpathSync(path);
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
      rmSync(temporary, { force: true });
      throw error;
    } finally {
      closeSync(fd);
    }
    if (textOf(target) !== seen) {
      rmSync(temporary, { force: true });
      throw new LonghandError(
        "host-config-unusable",
        `${path} was left alone: another program changed it meanwhile.`,
        {
          hint: "Run the same command again.",
          retryable: true,
        },
      );
    }
    renameSync(temporary, target);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new LonghandError("host-config-unusable", `${path} cannot be written: the system says ${code}.`, {
      hint: "It is as it was before. Check the rights on its folder, or print what belongs into it with --print.",
      cause: error,
    });
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
