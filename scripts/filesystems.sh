#!/usr/bin/env bash
# Runs tests on other file systems than that of the checkout, each in an image that is mounted for one run.
#
#   filesystems.sh exfat [FILE…]    no hard links, no modes, case-insensitive; detected as a network file system (FUSE)
#   filesystems.sh ntfs [FILE…]     NTFS as Linux mounts it, with the names that Windows allows
#   filesystems.sh folding [FILE…]  insensitive to case and normal form, stores names decomposed, like HFS+ of macOS
#   filesystems.sh cloud [FILE…]    placeholders of files that are not downloaded, as in iCloud Drive and OneDrive
#   filesystems.sh [all]            all of them
#
# Without names it runs the suites that use files most. Mounts are in a separate namespace and end with the command.
# Exits with 3 if nothing can be mounted: it needs root, /dev/fuse and the programs that the message names.
set -euo pipefail

tree=$(cd "$(dirname "$0")/.." && pwd)
kind=${1:-all}
[ $# -eq 0 ] || shift
suites=(
  "src/file-system-kind.test.ts" "src/notes/*.test.ts" "src/http/token.test.ts" "src/stores/lock.test.ts"
  "src/stores/work-lock-file.test.ts" "src/stores/sqlite/sqlite-store.test.ts" "src/stores/sqlite/processes.test.ts"
  "src/sessions/store/*.test.ts" "src/hosts/*.test.ts"
)

say() { printf '%s\n' "$*" >&2; }

need() {
  if [ "$(id -u)" -ne 0 ] || [ ! -e /dev/fuse ]; then say "Mounting an image needs root and /dev/fuse."; exit 3; fi
  local program
  for program in unshare "$@"; do
    if ! command -v "$program" >/dev/null; then say "$program is not installed."; exit 3; fi
  done
}

# Runs the tests with their temporary folders in the mounted file system.
run_in() {
  local kind=$1 mount_command=$2
  shift 2
  local files=("$@")
  [ $# -gt 0 ] || files=("${suites[@]}")
  unshare --mount --pid --fork --kill-child --mount-proc -- bash -euc '
    mount_command=$1 tree=$2 kind=$3
    shift 3
    mount --make-rprivate /
    mount -t tmpfs tmpfs /mnt
    mkdir /mnt/files
    export LONGHAND_TEST_ON_FUSE=$kind
    eval "$mount_command"
    cd "$tree"
    status=0
    TMPDIR=/mnt/files nice node --test --test-concurrency=1 --test-reporter=spec "$@" || status=$?
    cd /
    umount /mnt/files
    exit "$status"
  ' run "$mount_command" "$tree" "$kind" "${files[@]}"
}

# A file system of test/filesystems, which passes everything else on to a folder.
in_fuse() {
  local python
  need python3
  for python in python3 /usr/bin/python3 ""; do
    if [ -n "$python" ] && "$python" -c "import fusepy" 2>/dev/null; then break; fi
  done
  if [ -z "$python" ]; then say "The Python module fusepy is not installed: apt-get install python3-fusepy"; exit 3; fi
  run_in "${1%.py}" "python=$python program=$1"'
    mkdir /mnt/below; "$python" "$tree/test/filesystems/$program" /mnt/below /mnt/files &
    until mountpoint -q /mnt/files; do sleep 0.1; done' "${@:2}"
}

# A loop device is detached at once, so that it is freed with the mount, however that ends.
one() {
  say "=== $1"
  case $1 in
    exfat)
      need mkfs.exfat mount.exfat-fuse losetup
      run_in exfat 'truncate -s 512M /mnt/image; mkfs.exfat /mnt/image >/dev/null
        loop=$(losetup --find --show /mnt/image)
        mount.exfat-fuse "$loop" /mnt/files >/dev/null 2>&1; losetup -d "$loop"' "${@:2}"
      ;;
    ntfs)
      need mkntfs ntfs-3g losetup
      run_in ntfs 'truncate -s 512M /mnt/image; mkntfs -F -Q -q /mnt/image >/dev/null 2>&1
        loop=$(losetup --find --show /mnt/image)
        ntfs-3g -o windows_names "$loop" /mnt/files; losetup -d "$loop"' "${@:2}"
      ;;
    folding)
      [ $# -gt 1 ] || set -- folding "${suites[@]}" test/filesystems/spellings.test.ts
      in_fuse folding.py "${@:2}"
      ;;
    cloud)
      [ $# -gt 1 ] || set -- cloud test/filesystems/cloud.test.ts
      in_fuse cloud.py "${@:2}"
      ;;
    *)
      sed -n '2,11p' "$0" | sed 's/^# \{0,1\}//' >&2
      exit 2
      ;;
  esac
}

if [ "$kind" != all ]; then one "$kind" "$@"; exit; fi
failed=()
for each in exfat ntfs folding cloud; do
  status=0
  (one "$each" "$@") || status=$?
  if [ "$status" -eq 3 ]; then say "SKIPPED: $each"; elif [ "$status" -ne 0 ]; then failed+=("$each"); fi
done
[ "${#failed[@]}" -eq 0 ] || { say "failed: ${failed[*]}"; exit 1; }
