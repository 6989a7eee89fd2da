#!/usr/bin/env bash
# A real PostgreSQL with pgvector for tests and benchmarks, in its own folder, on 127.0.0.1 and a free port.
#
#   postgres-server.sh start [DIR]     prints the address; the first time, installs Debian's packages into DIR
#   postgres-server.sh restart [DIR]   like an upgrade or a failover: connections are cut, the port stays
#   postgres-server.sh psql DIR ARGS    PostgreSQL's own client, with its own arguments
#   postgres-server.sh stop [DIR]      the folder stays; delete it when it is no longer needed
#
# Needs root and debootstrap. Exits with 3 if these are missing, so that a caller can distinguish that from a failure.
set -euo pipefail

action=${1:-}
root=${2:-${TMPDIR:-/tmp}/longhand-postgres}
data=/var/lib/postgresql/longhand
bin=/usr/lib/postgresql/17/bin

say() { printf '%s\n' "$*" >&2; }
# Its output goes to a file: a server that inherits the caller's pipe would make a `$(...)` wait forever.
as_postgres() { chroot "$root" su postgres -c "$*" >>"$root/server.out" 2>&1 </dev/null; }

require() {
  if [ "$(id -u)" -ne 0 ]; then say "A server of its own needs root (for chroot)."; exit 3; fi
  if ! command -v debootstrap >/dev/null; then say "debootstrap is not installed: apt-get install debootstrap"; exit 3; fi
}

free_port() {
  local port
  for _ in $(seq 50); do
    port=$((20000 + RANDOM % 20000))
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then printf '%s' "$port"; return; fi
  done
  say "no free port found"; return 1
}

start() {
  require
  if [ ! -x "$root$bin/postgres" ]; then
    say "installing PostgreSQL 17 and pgvector into $root"
    mkdir -p "$root"
    debootstrap --variant=minbase --include=postgresql-17,postgresql-17-pgvector trixie "$root" >"$root.log" 2>&1 ||
      { tail -20 "$root.log" >&2; return 1; }
  fi
  : >>"$root/server.out"
  # Parallel index builds allocate shared memory there.
  mkdir -p -m 1777 "$root/dev/shm"
  if [ ! -d "$root$data" ]; then
    as_postgres "$bin/initdb -D $data --auth=trust --encoding=UTF8 --locale=C.UTF-8" || { tail -20 "$root/server.out" >&2; return 1; }
    cat >>"$root$data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = '512MB'
max_wal_size = '4GB'
max_connections = 300
CONF
  fi
  if ! as_postgres "$bin/pg_ctl -D $data status"; then
    free_port >"$root/port"
    as_postgres "$bin/pg_ctl -D $data -w -t 60 -l /tmp/postgres.log -o '-p $(cat "$root/port")' start" ||
      { tail -20 "$root/tmp/postgres.log" >&2; return 1; }
  fi
  printf 'postgresql://postgres@127.0.0.1:%s/postgres\n' "$(cat "$root/port")"
}

case $action in
  start) start ;;
  restart)
    require
    as_postgres "$bin/pg_ctl -D $data -w -t 60 -m fast -l /tmp/postgres.log -o '-p $(cat "$root/port")' restart"
    ;;
  psql)
    require
    shift 2
    exec chroot "$root" "$bin/psql" "$@"
    ;;
  stop)
    require
    as_postgres "$bin/pg_ctl -D $data -w -t 60 -m fast stop"
    ;;
  *)
    sed -n '2,9p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 2
    ;;
esac
