import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { makeFolder, replaceFileSync } from "../files.ts";
import { realFolder } from "../notes/workspace.ts";
import { withFileLock } from "../stores/lock.ts";

/**
 * Whether the user trusts the notes of a workspace. A cloned repository may contain a `memory/` written by strangers,
 * so hooks give an agent nothing from a workspace until its user has trusted it: with `init`, with `longhand trust`,
 * or by naming it in the configuration. The record is in the state folder, where nothing inside a workspace can write.
 */
export function isTrustedWorkspace({
  workspaceDir,
  trust,
}: Pick<Settings, "workspaceDir" | "trust">): boolean {
  const dir = realFolder(workspaceDir);
  if (trust.named.some((named) => realFolder(named) === dir)) return true;
  try {
    return readRecord(recordPath(trust)).some((trusted) => trusted.dir === dir && isStill(trusted));
  } catch {
    // An unreadable record trusts nothing; `longhand trust` reports what is wrong with it.
    return false;
  }
}

interface TrustedWorkspace {
  /** Real path, so that all names of a folder are one. */
  readonly dir: string;
  /** When it was trusted, ISO 8601. */
  readonly since: string;
  /** When the folder was created, if the file system records it: another folder at this path is not trusted. */
  readonly born?: string;
}

type TrustLocation = Settings["trust"];

/** True if it was not trusted before. Folders above and below it are separate workspaces. */
export async function trustWorkspace(
  trust: TrustLocation,
  workspaceDir: string,
  now: Date,
): Promise<boolean> {
  const dir = realFolder(workspaceDir);
  const born = birthOf(dir);
  return await changeRecord(trust, (known) =>
    known.some((trusted) => trusted.dir === dir && isStill(trusted))
      ? null
      : [
          ...known.filter((trusted) => trusted.dir !== dir),
          { dir, since: now.toISOString(), ...(born !== null && { born }) },
        ],
  );
}

/** True if it was trusted before. A folder that no longer exists is removed by its recorded path. */
export async function distrustWorkspace(trust: TrustLocation, workspaceDir: string): Promise<boolean> {
  const dir = realFolder(workspaceDir);
  return await changeRecord(trust, (known) =>
    known.some((trusted) => trusted.dir === dir) ? known.filter((trusted) => trusted.dir !== dir) : null,
  );
}

/** The trusted workspaces, oldest first, and whether each folder is still the one that was trusted. */
export function listTrusted(trust: TrustLocation): (TrustedWorkspace & { readonly isThere: boolean })[] {
  return readRecord(recordPath(trust)).map((trusted) => ({ ...trusted, isThere: isStill(trusted) }));
}

function recordPath({ recordDir }: TrustLocation): string {
  return join(recordDir, "trusted-workspaces.json");
}

/** Null leaves the record unchanged. */
async function changeRecord(
  trust: TrustLocation,
  change: (known: TrustedWorkspace[]) => TrustedWorkspace[] | null,
): Promise<boolean> {
  const file = recordPath(trust);
  return await withFileLock(join(trust.recordDir, "locks", "trust.lock"), {}, () => {
    const changed = change(readRecord(file));
    if (changed !== null) writeRecord(file, trust.recordDir, changed);
    return changed !== null;
  });
}

function readRecord(file: string): TrustedWorkspace[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw unusable(file, `the system says ${systemErrorCode(error) ?? String(error)}`, error);
  }
  try {
    const { version, workspaces } = JSON.parse(text) as { version: unknown; workspaces: unknown };
    if (version === 1 && Array.isArray(workspaces) && workspaces.every(isRecorded)) return workspaces;
  } catch (error) {
    throw unusable(file, "it is not JSON", error);
  }
  throw unusable(file, "it is not a list of workspaces of this version of longhand");
}

function isRecorded(value: unknown): value is TrustedWorkspace {
  const { dir, since, born = "" } = (value ?? {}) as Record<string, unknown>;
  return typeof dir === "string" && typeof since === "string" && typeof born === "string";
}

function writeRecord(file: string, folder: string, workspaces: readonly TrustedWorkspace[]): void {
  try {
    makeFolder(folder, 0o700);
    replaceFileSync(file, `${JSON.stringify({ version: 1, workspaces }, null, 2)}\n`);
  } catch (error) {
    throw unusable(file, `the system says ${systemErrorCode(error) ?? String(error)}`, error);
  }
}

function isStill({ dir, born }: TrustedWorkspace): boolean {
  try {
    return statSync(dir).isDirectory() && (born === undefined || birthOf(dir) === born);
  } catch {
    return false;
  }
}

/** Null if the file system does not record it. */
function birthOf(dir: string): string | null {
  const { birthtimeNs } = statSync(dir, { bigint: true });
  return birthtimeNs > 0n && recordsBirth(dir) ? String(birthtimeNs) : null;
}

/**
 * Where no birth is recorded, the last change is reported instead. A folder that was created and filled at once may have
 * equal times all the same, but not all folders above it.
 */
function recordsBirth(dir: string): boolean {
  const { birthtimeNs, ctimeNs, dev } = statSync(dir, { bigint: true });
  if (birthtimeNs !== ctimeNs) return true;
  const parent = dirname(dir);
  return parent !== dir && statSync(parent, { bigint: true }).dev === dev && recordsBirth(parent);
}

function unusable(file: string, reason: string, cause?: unknown): LonghandError {
  return new LonghandError(
    "trust-unusable",
    `The list of trusted workspaces ${file} could not be used: ${reason}.`,
    { hint: "Repair the file, or remove it and trust your workspaces again with: longhand trust", cause },
  );
}
