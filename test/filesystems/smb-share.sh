# Runs in the virtual machine of scripts/network-shares.sh: a Samba server, and two mounts with a connection each.
set -e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mkdir -p /mnt/disk /mnt/home /mnt/one /mnt/two /run/samba
mount /dev/vda /mnt/disk
mkdir /mnt/disk/share
for module in "${modules[@]}"; do modprobe -d "$kernel" "$module"; done
for folder in private lock state cache pid ncalrpc log; do mkdir "/run/samba/$folder"; done
cat >/run/smb.conf <<'CONF'
[global]
interfaces = lo
bind interfaces only = yes
disable netbios = yes
smb ports = 445
private dir = /run/samba/private
lock directory = /run/samba/lock
state directory = /run/samba/state
cache directory = /run/samba/cache
pid directory = /run/samba/pid
ncalrpc dir = /run/samba/ncalrpc
log file = /run/samba/log/%m
load printers = no
[share]
path = /mnt/disk/share
read only = no
CONF
printf 'secret\nsecret\n' | smbpasswd -c /run/smb.conf -a -s root
smbd -s /run/smb.conf -D
until (echo >/dev/tcp/127.0.0.1/445) 2>/dev/null; do sleep 1; done
for place in one two; do
  mount -t cifs //127.0.0.1/share "/mnt/$place" -o user=root,password=secret,nosharesock
done
set +e
