"""A file system that takes names for equal as HFS+ of macOS does: without regard to letter case and normal form. What it
lists is decomposed (NFD). Everything else is passed to a folder below it: `folding.py BELOW MOUNT`."""

import errno
import os
import sys
import unicodedata

try:
    from fusepy import FUSE, FuseOSError, Operations
except ImportError:
    from fuse import FUSE, FuseOSError, Operations


def fold(name):
    return unicodedata.normalize("NFD", name.casefold())


class Folding(Operations):
    def __init__(self, below):
        self.below = below

    def find(self, path):
        """The path below, each part spelt as it is there; what is missing is decomposed."""
        found = self.below
        for part in filter(None, path.split("/")):
            try:
                names = os.listdir(found)
            except OSError:
                names = []
            same = [name for name in names if fold(name) == fold(part)]
            found = os.path.join(found, same[0] if same else unicodedata.normalize("NFD", part))
        return found

    def getattr(self, path, fh=None):
        stats = os.fstat(fh) if fh else os.lstat(self.find(path))
        keys = "st_atime st_ctime st_gid st_ino st_mode st_mtime st_nlink st_size st_uid st_blocks".split()
        return {key: getattr(stats, key) for key in keys}

    def access(self, path, mode):
        if not os.access(self.find(path), mode):
            raise FuseOSError(errno.EACCES)

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self.find(path))]

    def create(self, path, mode, fi=None):
        return os.open(self.find(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def open(self, path, flags):
        # The kernel has worked out where an append goes.
        return os.open(self.find(path), flags & ~os.O_APPEND & ~os.O_NOFOLLOW)

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(fh if fh else self.find(path), length)

    def rename(self, old, new):
        source, target = self.find(old), self.find(new)
        if fold(os.path.basename(source)) == fold(os.path.basename(new)) and source == target:
            target = os.path.join(os.path.dirname(target), unicodedata.normalize("NFD", os.path.basename(new)))
        os.rename(source, target)

    def mkdir(self, path, mode):
        os.mkdir(self.find(path), mode)

    def rmdir(self, path):
        os.rmdir(self.find(path))

    def unlink(self, path):
        os.unlink(self.find(path))

    def link(self, target, source):
        os.link(self.find(source), self.find(target))

    def symlink(self, target, source):
        os.symlink(source, self.find(target))

    def readlink(self, path):
        return os.readlink(self.find(path))

    def chmod(self, path, mode):
        os.chmod(self.find(path), mode)

    def chown(self, path, uid, gid):
        os.chown(self.find(path), uid, gid)

    def utimens(self, path, times=None):
        os.utime(self.find(path), times, follow_symlinks=False)

    def flush(self, path, fh):
        return 0

    def fsync(self, path, datasync, fh):
        os.fsync(fh)

    def release(self, path, fh):
        os.close(fh)

    def statfs(self, path):
        stats = os.statvfs(self.below)
        keys = "f_bavail f_bfree f_blocks f_bsize f_favail f_ffree f_files f_flag f_frsize f_namemax".split()
        return {key: getattr(stats, key) for key in keys}


if __name__ == "__main__":
    FUSE(Folding(sys.argv[1]), sys.argv[2], foreground=True, nothreads=True, use_ino=True, default_permissions=True, allow_other=True)
