import { statfsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { systemErrorCode } from "./errors.ts";
import { realPath } from "./paths.ts";

/**
 * - `local`: every change by any process is reported to a watch before the call that made it returns.
 * - `remote`: another machine may change files without an event, and processes cannot share memory through a file.
 * - `unknown`: watches are only hints, and not relied on.
 */
export type FileSystemKind = "local" | "remote" | "unknown";

/** The kind of file system that a folder is on, as far as the system reports it. */
export function fileSystemKind(folder: string): FileSystemKind {
  try {
    if (process.platform === "linux") return kindOfType(statfsSync(folder).type);
    if (process.platform === "win32") return kindOfRealPath(realPath(folder));
    if (process.platform === "darwin") return kindOnMac(folder);
    return "unknown";
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return "unknown";
  }
}

/** On Linux, by the magic number of the file system. */
export function kindOfType(type: number): FileSystemKind {
  if (localTypes.has(type)) return "local";
  return remoteTypes.has(type) ? "remote" : "unknown";
}

/** On Windows a drive that is mapped to a share has the share's name as its real path. */
export function kindOfRealPath(path: string): FileSystemKind {
  return /^\\\\(?![?.]\\)/.test(path) || /^\\\\[?.]\\UNC\\/i.test(path) ? "remote" : "unknown";
}

/** macOS assigns its type numbers at boot, so the list of mounts is read, but not for the user's own disk. */
function kindOnMac(folder: string): FileSystemKind {
  const real = realPath(folder);
  if (statSync(real).dev === statSync(homedir()).dev) return "unknown";
  // Loaded lazily: every command loads this file, and few run on a Mac with notes on another disk.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("/sbin/mount", { encoding: "utf8", timeout: 5000 });
  return kindByMounts(stdout ?? "", real);
}

/** Reads lines such as `//ann@nas/notes on /Volumes/notes (smbfs, nodev, nosuid, mounted by ann)`. */
export function kindByMounts(mounts: string, path: string): FileSystemKind {
  const found = Array.from(mounts.matchAll(/ on (.+) \((\w+)[,)]/g), ([, place = "", type = ""]) => ({
    place,
    type,
  }))
    .filter(({ place }) => path === place || path.startsWith(place.endsWith("/") ? place : `${place}/`))
    .sort((one, other) => other.place.length - one.place.length)[0];
  return found !== undefined && remoteNames.test(found.type) ? "remote" : "unknown";
}

const remoteNames = /^(?:smbfs|nfs|afpfs|webdav|ftp|cifs|\w*fuse\w*)$/;

const localTypes: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0x794c7630, // overlay
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
]);

const remoteTypes: ReadonlySet<number> = new Set([
  0x6969, // nfs
  0xff534d42, // cifs
  0xfe534d42, // smb2
  0x517b, // smb
  0x01021997, // 9p, such as the drives of Windows under WSL
  0x65735546, // fuse, and the shared folders of virtual machines
  0x00c36400, // ceph
  0x5346414f, // afs
  0x786f4256, // folders shared by VirtualBox
]);
