# Runs in the virtual machine of scripts/network-shares.sh: the kernel's NFS server, and two mounts with a cache each.
set -e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mkdir -p /mnt/disk /mnt/home /mnt/one /mnt/two
mount /dev/vda /mnt/disk
mkdir /mnt/disk/share
for module in "${modules[@]}"; do modprobe -d "$kernel" "$module"; done
mount -t tmpfs tmpfs /var/lib/nfs
mkdir -p /var/lib/nfs/rpc_pipefs /var/lib/nfs/v4recovery
touch /var/lib/nfs/etab /var/lib/nfs/rmtab
mount -t nfsd nfsd /proc/fs/nfsd
# To the server both mounts are one client, which is not told about its own changes to files delegated to it.
echo 0 >/proc/sys/fs/leases-enable
# Nobody held a lock before the server started.
echo 10 >/proc/fs/nfsd/nfsv4leasetime
echo 10 >/proc/fs/nfsd/nfsv4gracetime
exportfs -o rw,no_root_squash,fsid=0,insecure,no_subtree_check 127.0.0.1:/mnt/disk/share
rpc.nfsd -N 3 2
rpc.mountd -N 3
for place in one two; do
  mount -t nfs4 127.0.0.1:/ "/mnt/$place" -o vers=4.2,nosharecache
done
set +e
