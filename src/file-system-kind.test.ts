import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { fileSystemKind, kindByMounts, kindOfRealPath, kindOfType } from "./file-system-kind.ts";

test("a missing folder is of unknown kind", () => {
  assert.equal(fileSystemKind("/nowhere/at/all"), "unknown");
  assert.match(fileSystemKind(tmpdir()), /^(?:local|remote|unknown)$/);
});

test("Linux: by the number of the file system", () => {
  assert.equal(kindOfType(0xef53), "local");
  for (const type of [0x6969, 0xfe534d42, 0x65735546, 0x01021997]) assert.equal(kindOfType(type), "remote");
  assert.equal(kindOfType(0x4d44), "unknown");
});

test("Windows: a share is recognised by its real path, also behind a drive letter", () => {
  for (const path of ["\\\\nas\\notes\\ws", "\\\\?\\UNC\\nas\\notes", "\\\\wsl.localhost\\Debian\\home"])
    assert.equal(kindOfRealPath(path), "remote", path);
  for (const path of ["C:\\Users\\ann", "\\\\?\\C:\\Users\\ann", "\\\\.\\C:\\x", "d:\\"])
    assert.equal(kindOfRealPath(path), "unknown", path);
});

test("macOS: by the list of mounts, the longest mount point first", () => {
  const mounts = [
    "/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)",
    "/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse)",
    "//ann@nas._smb._tcp.local/notes on /Volumes/my notes (smbfs, nodev, nosuid, mounted by ann)",
    "/dev/disk5s1 on /Volumes/STICK (exfat, local, nodev, nosuid, noowners)",
    "server:/export on /Volumes/export (nfs)",
    "/dev/disk6 on /Volumes/export/local (apfs, local)",
  ].join("\n");
  const expected: Record<string, string> = {
    "/Users/ann/notes": "unknown",
    "/Volumes/my notes": "remote",
    "/Volumes/my notes/ws/memory": "remote",
    "/Volumes/my notes too": "unknown",
    "/Volumes/STICK/ws": "unknown",
    "/Volumes/export/ws": "remote",
    "/Volumes/export/local/ws": "unknown",
  };
  for (const [path, kind] of Object.entries(expected)) assert.equal(kindByMounts(mounts, path), kind, path);
});
