import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join, win32 } from "node:path";
import { homeOf } from "../config/expand-path.ts";
import { locateHosts } from "../config/host-locations.ts";
import type { Settings } from "../config/settings.ts";
import { LonghandError } from "../errors.ts";
import { fileSystemKind } from "../file-system-kind.ts";
import { isWithin, realPath } from "../paths.ts";
import { findLoose, stateFilesOf } from "../upkeep/state-files.ts";
import { type Check, type CheckGroup, type DoctorContext, fail, pass, whyUnwritable } from "./check.ts";

export const checkEnvironment: CheckGroup = ({ node, status, proxy }) => {
  const { version, sqlite, problem } = node;
  const runtime =
    problem === null
      ? pass("node", `Node ${version} on ${process.platform}`)
      : fail("node", problem, "Install a Node that is new enough.");
  const isKnown = status !== undefined && !(status instanceof LonghandError) && !status.unavailable;
  const fts = isKnown ? status.fts : undefined;
  const database =
    fts === undefined || fts.available
      ? pass("sqlite", `SQLite ${sqlite}${fts ? " with full-text search" : ""}`)
      : fail("sqlite", `SQLite ${sqlite}: ${fts.error}`, "Use a Node that was built with its own SQLite.");
  return [runtime, database, ...(proxy === undefined ? [] : [checkProxy(proxy)])];
};

function checkProxy({ variables, isUsed }: NonNullable<DoctorContext["proxy"]>): Check {
  const names = variables.join(", ");
  return isUsed
    ? pass("proxy", `${names}: embedding services and downloads are reached through it`)
    : fail(
        "proxy",
        `${names} is set, but this Node does not use it: services are contacted directly`,
        "Set NODE_USE_ENV_PROXY=1 for the process that runs longhand, or use Node 24.15 or newer.",
      );
}

export const checkConfiguration: CheckGroup = ({ settings }) => {
  if (settings instanceof LonghandError) return [fail("config", settings.message, settings.hint)];
  const { configPath, disabled, unsupportedSettings } = settings;
  const where = configPath ?? "no file; every setting has its default";
  const unused = unsupportedSettings.map(({ key, reason }) => `${key} (${reason})`).join(", ");
  if (!disabled) return [pass("config", unused === "" ? where : `${where}; not used: ${unused}`)];
  // A choice, not a fault; it disables everything else that doctor could check.
  const fix = 'To use it, set memorySearch.enabled to true and plugins.slots.memory to "memory-core".';
  return [pass("config", `${where}: memory is disabled`, fix)];
};

/** The state folder, and the files of the index in it. */
export const checkState: CheckGroup = ({ settings }) => {
  if (settings instanceof LonghandError) return [];
  const { stateDir, memorySearch } = settings;
  return [
    checkWritable(stateDir),
    checkProfile(stateDir, homeOf()) ??
      checkPrivacy(memorySearch.store.path, stateDir) ??
      checkKeys(settings) ??
      pass("privacy", "only you can read the index, the tokens and the keys in the configuration"),
  ];
};

function checkWritable(folder: string): Check {
  const name = "state folder";
  const there = nearestExisting(folder);
  const isShared = fileSystemKind(there) === "remote";
  const slower = isShared ? "; it is on a network or shared file system, where the index is slower" : "";
  const detail = (there === folder ? folder : `${folder} is created when needed`) + slower;
  const why = whyUnwritable(there);
  if (why !== null) {
    const fix = `Make ${there} writable, or name another folder with --state-dir or LONGHAND_STATE_DIR.`;
    return fail(name, `${there} cannot be written to (${why})`, fix);
  }
  const service = cloudServiceOf(realPath(there));
  if (service !== null) {
    const fix = "Choose a folder that no service synchronizes, with --state-dir or LONGHAND_STATE_DIR.";
    return fail(name, `${folder} is in ${service}, which may damage an index while it copies the files`, fix);
  }
  if (statSync(there).isDirectory()) return pass(name, detail);
  return fail(name, `${there} is not a folder`, "Move it away, or name another folder with --state-dir.");
}

/** The service that synchronises a folder between machines, recognised by the usual folder names. */
export function cloudServiceOf(folder: string): string | null {
  const parts = folder.split(/[\\/]/);
  if (parts.includes("Mobile Documents") || parts.includes("iCloudDrive")) return "iCloud Drive";
  const provider = parts[parts.indexOf("CloudStorage") + 1];
  if (parts.includes("CloudStorage") && provider) return provider.replace(/-.*/, "");
  return parts.find((part) => /^(?:OneDrive(?: - .+)?|Dropbox|Google Drive)$/.test(part)) ?? null;
}

function checkPrivacy(dbPath: string, stateDir: string): Check | null {
  const loose = findLoose(stateFilesOf(dbPath, stateDir));
  const [first] = loose;
  if (first === undefined) return null;
  const more = loose.length > 1 ? ` and ${loose.length - 1} more` : "";
  const mode = first.mode.toString(8);
  return fail(
    "privacy",
    `other users may open ${first.path} (mode ${mode})${more}`,
    "Run `longhand status --fix`, which closes the files of the index to others.",
  );
}

/** Tokens, a configuration that contains a key, and a state folder in which others could create files. */
function checkKeys({ stateDir, configPath, origins }: Settings): Check | null {
  const holdsKey = [...origins].some(
    ([key, origin]) =>
      origin.from === "file" && origin.variables.length === 0 && /apiKey|headers|store\.url/.test(key),
  );
  const tokens = join(stateDir, "http-tokens");
  const names = existsSync(tokens) ? readdirSync(tokens) : [];
  const files = findLoose([
    join(stateDir, "http-token"),
    ...names.map((name) => join(tokens, name)),
    ...(configPath !== null && holdsKey ? [configPath] : []),
  ]);
  // That others can list the folder does no harm by itself.
  const writable = findLoose([stateDir]).filter(({ mode }) => (mode & 0o022) !== 0);
  const [first] = [...files, ...writable];
  if (first === undefined) return null;
  const what = first.path === stateDir ? "may put files into" : "may read";
  return fail(
    "privacy",
    `other users ${what} ${first.path} (mode ${first.mode.toString(8)})`,
    `Run: chmod ${first.wanted.toString(8)} '${first.path}'`,
  );
}

/**
 * On Windows files have no modes: the user's profile is restricted to the user, and any other folder has to be
 * restricted explicitly.
 */
export function checkProfile(
  stateDir: string,
  home: string,
  { platform = process.platform, listAccess = runIcacls }: Partial<WindowsAccess> = {},
): Check | null {
  if (platform !== "win32") return null;
  if (isWithin(stateDir, home, win32) || isClosed(listAccess(stateDir), userInfo().username)) return null;
  return fail(
    "privacy",
    `${stateDir} is outside your user folder, so other users of this machine may be able to read it`,
    `Run: icacls "${stateDir}" /inheritance:r /grant:r "${userInfo().username}:(OI)(CI)F"`,
  );
}

interface WindowsAccess {
  readonly platform: NodeJS.Platform;
  /**
   * The output of `icacls` for a folder: one line for each account with permissions, the first after the folder's path.
   */
  readonly listAccess: (folder: string) => string;
}

/** Whether only the user has permissions, apart from the system itself, which also has them in the user's profile. */
function isClosed(listing: string, user: string): boolean {
  const names = Array.from(listing.matchAll(/^(.*):(?:\([^()]*\))+\s*$/gm), ([, account = ""]) =>
    account.replace(/^.*\\/, "").trim().toLowerCase(),
  );
  return (
    names.includes(user.toLowerCase()) && names.every((name) => [user.toLowerCase(), "system"].includes(name))
  );
}

function runIcacls(folder: string): string {
  const [icacls] = locateHosts().findProgram("icacls");
  if (icacls === undefined) return "";
  return spawnSync(icacls, [folder], { encoding: "utf8", timeout: 5000, windowsHide: true }).stdout ?? "";
}

function nearestExisting(folder: string): string {
  const isThere = statSync(folder, { throwIfNoEntry: false }) !== undefined;
  return isThere || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}
