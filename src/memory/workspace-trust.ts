import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { LonghandError, systemErrorCode } from "../errors.ts";
import { makeFolder } from "../notes/make-folder.ts";
import { realFolder } from "../notes/workspace.ts";
import { renameFileSync } from "../rename-file.ts";
import { withFileLock } from "../stores/lock.ts";

/**
 * Whether the user stands behind the notes of a workspace. A cloned repository may bring a `memory/` of strangers, so
 * hooks give an agent nothing of a workspace until its user has trusted it: by `init`, by `longhand trust`, or by naming
 * it in the configuration. The record is a file of the state folder, and nothing inside a workspace can write it.
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
    // Nothing can be believed of a record that cannot be read; `longhand trust` says what is wrong with it.
    return false;
  }
}

export interface TrustedWorkspace {
  /** Without symbolic links, so that all names of a folder are one. */
  readonly dir: string;
  /** When it was trusted, ISO 8601. */
  readonly since: string;
  /** When the folder was made, where the file system knows: another folder at this path is not trusted. */
  readonly born?: string;
}

type TrustPlace = Settings["trust"];

/** True when it was not trusted before. Folders below it, and above, are workspaces of their own. */
export async function trustWorkspace(trust: TrustPlace, workspaceDir: string, now: Date): Promise<boolean> {
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

/** True when it was trusted before. One that is gone is removed by the path that it had. */
export async function distrustWorkspace(trust: TrustPlace, workspaceDir: string): Promise<boolean> {
  const dir = realFolder(workspaceDir);
  return await changeRecord(trust, (known) =>
    known.some((trusted) => trusted.dir === dir) ? known.filter((trusted) => trusted.dir !== dir) : null,
  );
}

/** What was recorded, the oldest first, and whether the folder that was trusted still stands there. */
export function listTrusted(trust: TrustPlace): (TrustedWorkspace & { readonly isThere: boolean })[] {
  return readRecord(recordPath(trust)).map((trusted) => ({ ...trusted, isThere: isStill(trusted) }));
}

function recordPath({ recordDir }: TrustPlace): string {
  return join(recordDir, "trusted-workspaces.json");
}

/** Null leaves the record as it is. */
async function changeRecord(
  trust: TrustPlace,
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
  const draft = `${file}.${process.pid}.tmp`;
  try {
    makeFolder(folder, 0o700);
    rmSync(draft, { force: true });
    const fd = openSync(draft, "wx", 0o600);
    try {
      writeSync(fd, `${JSON.stringify({ version: 1, workspaces }, null, 2)}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameFileSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
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

/** Null where the file system does not know: then it gives the time of the last change instead. */
function birthOf(dir: string): string | null {
  const { birthtimeNs, ctimeNs } = statSync(dir, { bigint: true });
  return birthtimeNs > 0n && birthtimeNs !== ctimeNs ? String(birthtimeNs) : null;
}

function unusable(file: string, reason: string, cause?: unknown): LonghandError {
  return new LonghandError(
    "trust-unusable",
    `The list of trusted workspaces ${file} could not be used: ${reason}.`,
    {
      hint: "Repair the file, or remove it and trust your workspaces again with: longhand trust",
      cause,
    },
  );
}
