"""A folder of a cloud service. A note with `(not downloaded: 5 ETIMEDOUT)` near its beginning is a placeholder: to read it
takes that many seconds and fails with that error, or succeeds where none is named. Placeholders, and folders called `Cloud`,
are listed as links, as Windows lists them. `cloud.py BELOW MOUNT`."""

import errno
import os
import re
import stat
import sys
import time

from folding import FUSE, FuseOSError, Operations


class Cloud(Operations):
    def __init__(self, below):
        self.below = below

    def find(self, path):
        return os.path.join(self.below, path.lstrip("/"))

    def action(self, fd):
        return re.search(r"\(not downloaded: (\d+) ?(\w*)\)", os.pread(fd, 200, 0).decode(errors="replace"))

    def getattr(self, path, fh=None):
        stats = os.fstat(fh) if fh else os.lstat(self.find(path))
        keys = "st_atime st_ctime st_gid st_ino st_mode st_mtime st_nlink st_size st_uid st_blocks".split()
        values = {key: getattr(stats, key) for key in keys}
        if path.endswith(".md"):
            fd = os.open(self.find(path), os.O_RDONLY)
            if self.action(fd):
                values["st_blocks"] = 0
            os.close(fd)
        return values

    def readdir(self, path, fh):
        return [".", "..", *(self.entry(path, name) for name in os.listdir(self.find(path)))]

    def entry(self, folder, name):
        path = os.path.join(folder, name)
        stats = self.getattr(path)
        is_placeholder = name.endswith(".md") and stats["st_blocks"] == 0
        shown = {"st_mode": stat.S_IFLNK, "st_ino": stats["st_ino"]}
        return (name, shown, 0) if is_placeholder or name == "Cloud" else name

    def create(self, path, mode, fi=None):
        return os.open(self.find(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def open(self, path, flags):
        return os.open(self.find(path), flags & ~os.O_APPEND & ~os.O_NOFOLLOW)

    def read(self, path, size, offset, fh):
        action = self.action(fh)
        if action:
            time.sleep(int(action[1]))
            if action[2]:
                raise FuseOSError(getattr(errno, action[2]))
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(fh if fh else self.find(path), length)

    def rename(self, old, new):
        os.rename(self.find(old), self.find(new))

    def mkdir(self, path, mode):
        os.mkdir(self.find(path), mode)

    def rmdir(self, path):
        os.rmdir(self.find(path))

    def unlink(self, path):
        os.unlink(self.find(path))

    def chmod(self, path, mode):
        os.chmod(self.find(path), mode)

    def utimens(self, path, times=None):
        os.utime(self.find(path), times)

    def fsync(self, path, datasync, fh):
        os.fsync(fh)

    def release(self, path, fh):
        os.close(fh)


if __name__ == "__main__":
    FUSE(Cloud(sys.argv[1]), sys.argv[2], foreground=True, use_ino=True, attr_timeout=0, direct_io=True)
