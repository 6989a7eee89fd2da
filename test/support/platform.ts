import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/*
 * Values for `skip`: false, or the reason, which every run prints, so that no test is skipped silently.
 */

export const isWindows = process.platform === "win32";

export function skipOnWindows(reason: string): string | false {
  return isWindows && reason;
}

/** Environment variables of the home folder. Windows programs also need the system folder and its shell. */
export function homeVariables(home: string): Record<string, string> {
  const { SystemRoot = "", ComSpec = "" } = process.env;
  return isWindows ? { HOME: home, USERPROFILE: home, SystemRoot, ComSpec } : { HOME: home };
}

/** Writes a program of that name into a folder of the PATH: a script for the system's shell. */
export function writeProgram(folder: string, name: string, { sh, cmd }: { sh: string; cmd: string }): void {
  const file = join(folder, isWindows ? `${name}.cmd` : name);
  const script = isWindows ? `@echo off\r\n${cmd}\r\n` : `#!/bin/sh\n${sh}\n`;
  writeFileSync(file, script, { mode: 0o755 });
}

/** Wine cannot create symbolic links, some file systems have none, and on Windows they need a privilege. */
export const skipWithoutLinks: string | false = inScratch((folder) => {
  try {
    symlinkSync(join(folder, "target"), join(folder, "link"));
    return lstatSync(join(folder, "link")).isSymbolicLink() ? false : "links are shown as what they lead to";
  } catch {
    return "no symbolic links can be made";
  }
});

export const skipWithoutHardLinks: string | false = inScratch((folder) => {
  writeFileSync(join(folder, "one"), "");
  try {
    linkSync(join(folder, "one"), join(folder, "other"));
    return false;
  } catch {
    return "the file system has no hard links";
  }
});

export const skipWithoutPipes: string | false = inScratch((folder) => {
  if (isWindows) return "Windows has no named pipes in folders";
  const { status } = spawnSync("mkfifo", [join(folder, "pipe")], { stdio: "ignore" });
  return status === 0 ? false : "no named pipes can be made";
});

export const skipWithoutModes: string | false =
  skipOnWindows("Windows has no modes") ||
  inScratch((folder) => {
    writeFileSync(join(folder, "file"), "", { mode: 0o600 });
    return (lstatSync(join(folder, "file")).mode & 0o777) === 0o600 ? false : "the file system has no modes";
  });

/** Another program cannot save a note by renaming over it while longhand has it open. */
export const skipReplacingOpenFiles: string | false = inScratch((folder) => {
  writeFileSync(join(folder, "open"), "");
  writeFileSync(join(folder, "new"), "");
  const fd = openSync(join(folder, "open"), "a+");
  try {
    renameSync(join(folder, "new"), join(folder, "open"));
    return false;
  } catch {
    return "a file that is open cannot be replaced";
  } finally {
    closeSync(fd);
  }
});

/** Windows refuses it, and FUSE keeps the file under another name. */
export const skipDeletingOpenFiles: string | false = inScratch((folder) => {
  // On Windows, files that Node opened can be deleted, and those that SQLite opened cannot.
  if (isWindows) return "a file that is open cannot be deleted";
  const fd = openSync(join(folder, "open"), "w");
  try {
    rmSync(join(folder, "open"));
    return readdirSync(folder).length > 0 && "a file that is open cannot be deleted";
  } catch {
    return "a file that is open cannot be deleted";
  } finally {
    closeSync(fd);
  }
});

/** Colons, backslashes and trailing spaces; with a colon, Windows would write to an alternate data stream. */
export const skipWithoutOddNames: string | false =
  skipOnWindows("such names cannot be made") ||
  inScratch((folder) => {
    try {
      writeFileSync(join(folder, "a:b"), "");
      return false;
    } catch {
      return "such names cannot be made";
    }
  });

/** The file system of scripts/filesystems.sh that the tests run on, all of them FUSE; null on any other. */
export const fuseKind: string | null = process.env["LONGHAND_TEST_ON_FUSE"] || null;

/** `memory.md` and `MEMORY.md` are one file in the temporary folder of the tests. */
export const ignoresCase: boolean = inScratch((folder) => {
  writeFileSync(join(folder, "name"), "");
  return existsSync(join(folder, "NAME"));
});

export const skipWhereCaseIsIgnored: string | false = ignoresCase && "the file system ignores letter case";

/** Packages with native code are installed for the system of the checkout; under Wine those are for Linux. */
function skipWithout(nativePackage: string, name: string): string | false {
  const isThere = existsSync(join(import.meta.dirname, "../../node_modules", nativePackage));
  return isWindows && !isThere && `${name} is not installed for Windows here`;
}

export const skipWithoutLance = skipWithout("@lancedb/lancedb-win32-x64-msvc", "LanceDB");
export const skipWithoutLlama = skipWithout("@node-llama-cpp/win-x64", "node-llama-cpp");

function inScratch<T>(look: (folder: string) => T): T {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "longhand-probe-")));
  try {
    return look(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
