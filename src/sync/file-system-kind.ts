import { statfsSync } from "node:fs";

/**
 * - `local`: every change by any process is told to a watch before the call that made it returns.
 * - `remote`: what another machine changes is told to nobody.
 * - `unknown`: watches are hints, which is all that they are taken for.
 */
export type FileSystemKind = "local" | "remote" | "unknown";

/** Linux says by a number what kind of file system a folder lies on; elsewhere there is no such certainty. */
export function fileSystemKind(folder: string): FileSystemKind {
  if (process.platform !== "linux") return "unknown";
  const { type } = statfsSync(folder);
  if (localTypes.has(type)) return "local";
  return remoteTypes.has(type) ? "remote" : "unknown";
}

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
  0x01021997, // 9p
  0x65735546, // fuse, and the shared folders of virtual machines
  0x00c36400, // ceph
  0x5346414f, // afs
  0x786f4256, // folders shared by VirtualBox
]);
