#!/usr/bin/env bash
# Notes on a network share that two machines write to, with the SMB and NFS clients of a Linux kernel.
#
#   network-shares.sh smb     a Samba server
#   network-shares.sh nfs     the NFS server of the kernel
#
# The server and both mounts are in a virtual machine without a network, which sees the files of this one read-only. It is
# emulated, so this takes minutes. The kernel is Debian's, cached in LONGHAND_SHARES_CACHE or in longhand/shares of the
# user's cache folder. Exits with 3 if that is unavailable. Needs root, apt-get and the programs that the message names.
set -euo pipefail

kind=${1:-}
case $kind in
  smb) programs=(smbd smbpasswd mount.cifs) modules=(cifs) ;;
  nfs) programs=(exportfs rpc.nfsd rpc.mountd mount.nfs4) modules=(nfsd nfsv4) ;;
  *) sed -n '2,9p' "$0" | sed 's/^# \{0,1\}//' >&2; exit 2 ;;
esac
tree=$(cd "$(dirname "$0")/.." && pwd)
cache=${LONGHAND_SHARES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/longhand/shares}
PATH=$PATH:/usr/sbin:/sbin
if [ "$(id -u)" -ne 0 ]; then echo "A virtual machine that reads these files needs root." >&2; exit 3; fi
for program in qemu-system-x86_64 busybox depmod cpio mkfs.ext4 apt-get "${programs[@]}"; do
  command -v "$program" >/dev/null || { echo "$program is not installed." >&2; exit 3; }
done
if ldd "$(command -v busybox)" >/dev/null 2>&1; then echo "busybox needs libraries: install busybox-static." >&2; exit 3; fi

mkdir -p "$cache"
if [ ! -e "$cache/kernel/boot" ]; then
  package=$(apt-cache depends linux-image-amd64 | awk '/Depends:/ { print $2; exit }')
  (cd "$cache" && apt-get download -qq "$package" && dpkg -x "$package"*.deb kernel && rm "$package"*.deb)
fi
release=$(basename "$cache"/kernel/lib/modules/*)
depmod -b "$cache/kernel" "$release"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/start/{bin,sbin,m,host,proc,sys,dev} "$work/out"
cp "$(command -v busybox)" "$work/start/bin/"
number=10
for file in $(for module in virtio_pci virtio_blk 9pnet_virtio 9p ext4; do
  modprobe -d "$cache/kernel" -S "$release" --show-depends "$module"
done | awk '/^insmod/ && !seen[$2]++ { print $2 }'); do
  cp "$file" "$work/start/m/$((number++)).ko"
done
# The kernel requests further modules itself.
printf '#!/bin/busybox sh\nexec chroot /host /usr/sbin/modprobe -d %q "$@"\n' "$cache/kernel" >"$work/start/sbin/modprobe"
cat >"$work/start/init" <<'SH'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for file in /m/*; do insmod "$file"; done
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=512000 host /host
for kind in proc sysfs devtmpfs; do mount -t $kind $kind /host/$(echo $kind | sed 's/fs$//; s/devtmp/dev/'); done
mount -t tmpfs tmpfs /host/mnt
mount -t tmpfs tmpfs /host/run
mkdir /host/mnt/out
mount -t 9p -o trans=virtio,version=9p2000.L out /host/mnt/out
ifconfig lo 127.0.0.1 up
chroot /host /bin/bash /mnt/out/run.sh
poweroff -f
SH
chmod +x "$work/start/init" "$work/start/sbin/modprobe"
(cd "$work/start" && find . | cpio -o -H newc --quiet | gzip) >"$work/start.gz"
truncate -s 512M "$work/disk"
mkfs.ext4 -q -F "$work/disk"

{
  printf 'tree=%q kernel=%q node=%q\n' "$tree" "$cache/kernel" "$(readlink -f "$(command -v node)")"
  printf 'modules=(%s)\n' "${modules[*]}"
  cat "$tree/test/filesystems/$kind-share.sh"
  cat <<'SH'
cd "$tree"
status=0
HOME=/mnt/home TMPDIR=/mnt/home "$node" --no-warnings test/filesystems/two-machines.ts /mnt/one /mnt/two /mnt/home 2>&1 || status=$?
echo "$status" >/mnt/out/status
SH
} >"$work/out/run.sh"
timeout "${LONGHAND_SHARES_LIMIT:-900}" qemu-system-x86_64 -accel tcg -cpu max -m 3G -nographic -no-reboot -nic none \
  -kernel "$cache/kernel/boot/vmlinuz-$release" -initrd "$work/start.gz" \
  -append 'console=ttyS0 quiet no_timer_check panic=-1' -drive "file=$work/disk,if=virtio,format=raw" \
  -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
  -virtfs "local,path=$work/out,mount_tag=out,security_model=none" </dev/null
[ "$(cat "$work/out/status" 2>/dev/null)" = 0 ]
