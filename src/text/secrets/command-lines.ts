import { once } from "../once.ts";
import { matchAt, type Scan } from "./scan.ts";
import { isPath, isPlaceholder, isReference } from "./values.ts";

/** A command that takes a secret as an argument: its words, and what is between them and the secret. */
type CommandRow = readonly [triggers: string, between: string];

const some = "[^\\n]{0,200}?";
const rows: readonly CommandRow[] = [
  ["sshpass", "(?:[ \\t]+-[ve]\\b){0,3}[ \\t]+-p[ \\t]*"],
  [
    "mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mariabackup|xtrabackup",
    `\\b${some}[ \\t]-p(?=\\S)(?!=?-)`,
  ],
  [
    "curl|wget|xh|http",
    `\\b${some}[ \\t](?:-u|--user|--proxy-user|-U|-a|--auth)[= ]?[ \\t]{0,3}["']?[^\\s:"'/]{1,64}:`,
  ],
  ["redis-cli|valkey-cli|keydb-cli", `\\b${some}[ \\t](?:-a|--pass|AUTH)[ \\t]{1,3}(?!-)`],
  [
    "docker login|podman login|registry login|az login|oc login|cf login|skopeo login|crane auth login|nerdctl login|buildah login",
    `${some}[ \\t]-p[ =]?`,
  ],
  ["-passin|-passout|-pass", `[ \\t]{1,3}["']?pass:`],
  [
    "mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|influx|cqlsh|clickhouse-client|arangosh",
    `\\b${some}[ \\t](?:-p|--password|-password)[ =]?(?=\\S)(?!-)`,
  ],
  [
    "smbclient|rpcclient|smbmap|crackmapexec|netexec|mount.cifs",
    `\\b${some}(?:-U|user=)[ \\t]{0,2}["']?[\\w.\\\\/-]{1,64}%`,
  ],
  ["ldapsearch|ldapmodify|ldapadd|ldapdelete|ldapwhoami|ldappasswd", `\\b${some}[ \\t]-w[ \\t]{1,3}`],
  ["7z|7za|7zr|rar|unrar", `\\b[^\\n]{0,80}?[ \\t]-p(?=\\S)`],
  ["zip|unzip|zipcloak|fcrackzip", `\\b[^\\n]{0,80}?[ \\t]-P[ \\t]{0,3}(?=\\S)`],
  ["plink|pscp|psftp|putty|kitty|winscp", `\\b${some}[ \\t]-pw[ \\t]{1,3}`],
  ["sqlcmd|bcp|isql|tsql|sqsh", `\\b${some}[ \\t]-P(?!assword)[ \\t]{0,3}(?=\\S)`],
  ["convertto-securestring", "[ \\t]{1,3}(?:-String[ \\t]{1,3})?(?=[\"'])"],
  [
    "-storepass|-keypass|-srcstorepass|-deststorepass|-destkeypass|-storepassword|-new",
    "(?:word)?[ \\t]{1,3}(?=\\S*\\d)",
  ],
  ["xfreerdp|wlfreerdp|freerdp|mstsc", `\\b${some}[ \\t]/p:`],
  ["rdesktop|evil-winrm|winrs|xrdp", `\\b${some}[ \\t]-p[ \\t]{0,3}`],
  ["net user", "[ \\t]{1,3}[\\w.\\\\-]{1,64}[ \\t]{1,3}(?![/*])"],
  ["net use", `[ \\t][^\\n]{0,120}?/user:\\S{1,64}[ \\t]{1,3}`],
  ["vault login", "[ \\t]{1,3}(?:-\\S{1,40}[ \\t]{1,3}){0,3}(?:token=)?(?!-)"],
  ["htpasswd", "[ \\t]{1,3}-\\w{0,4}b\\w{0,4}[ \\t]{1,3}(?:\\S{1,120}[ \\t]{1,3}){1,2}(?=\\S+[ \\t]*$)"],
  ["lftp", `\\b${some}[ \\t]-u[ \\t]{0,3}["']?[^\\s,"']{1,64},`],
  ["rclone obscure", "[ \\t]{1,3}"],
  ["wpa_passphrase", "[ \\t]{1,3}(?:\"[^\"\\n]{1,64}\"|'[^'\\n]{1,64}'|\\S{1,64})[ \\t]{1,3}"],
  ["secret set|secrets set", `[ \\t]{1,3}[\\w.-]{1,64}[ \\t]{1,3}(?:--body|-b|--value)[ =]{1,3}`],
  ["identified by|identified with", `[ \\t]{1,3}(?:\\w{1,40}[ \\t]{1,3}(?:by|as)[ \\t]{1,3})?(?=["'])`],
  [
    "with password|user password|set password|alter password|encrypted password",
    "[ \\t]{0,3}=?[ \\t]{0,3}(?:to[ \\t]{1,3})?(?=')",
  ],
  ["password 0 |password 7 |secret 0 |secret 5 |secret 8 |secret 9 |key 7 |key-string 7 ", ""],
  ["snmpwalk|snmpget|snmpbulkwalk", `\\b${some}[ \\t]-[AX][ \\t]{0,3}`],
  [
    "wandb login|snyk auth|huggingface-cli login|hf auth login|doppler login|cloudflared service install|infracost auth|ngrok authtoken|add-authtoken|copilot login",
    "[ \\t]{1,3}(?:--?\\w{1,12}[ \\t=]{1,3})?(?=[\\w.-]{20,})",
  ],
  ["openssl enc|openssl aes", `${some}[ \\t]-k[ \\t]{1,3}`],
  ["ssh-keygen", `\\b${some}[ \\t]-[NP][ \\t]{0,3}(?=["'\\w])`],
  ["password(", "(?<=PASSWORD\\()(?=')"],
  ["snmp-server community", "[ \\t]{1,3}"],
  [
    "mysqli_connect|mysql_connect|new mysqli|mysqli_real_connect|new pdo|oci_connect|.getconnection",
    `\\([^\\n]{0,160}?["'],[ \\t]{0,3}["'][\\w.@-]{0,64}["'],[ \\t]{0,3}(?=["'])`,
  ],
  ["rootpw", "(?:[ \\t]{1,3}--\\w{1,12}){0,3}[ \\t]{1,3}(?!-)"],
  ["requirepass|masterauth|primaryauth", "[ \\t]{1,3}(?!<)"],
  ["useradd|usermod|adduser", `\\b${some}[ \\t]-p[ \\t]{1,3}`],
  ["ipmitool|racadm", `\\b${some}[ \\t]-[Pp][ \\t]{1,3}`],
  ["impacket-|secretsdump|psexec|wmiexec", `${some}[ \\t]["']?[\\w./\\\\-]{1,80}:(?=\\S+@)`],
  ["twine upload", `${some}[ \\t]-p[ \\t]{1,3}`],
  ["cryptsetup|veracrypt", `\\b${some}[ \\t](?:-p|--password|/p)[ =]{1,3}`],
  ["nordvpn login|openfortivpn|vpnc|openconnect", `\\b${some}[ \\t](?:--token|-p)[ =]{1,3}`],
  ["rabbitmqctl add_user|rabbitmqctl change_password|kadmin", "[ \\t]{1,3}[\\w.@-]{1,64}[ \\t]{1,3}"],
];

const value = "(?:\"([^\"\\n]{4,512})\"|'([^'\\n]{4,512})'|([^\\s\"'`|;)]{4,512}))";

/** Commands that read their input from an `echo` before them. */
const fedByEcho = [
  "chpasswd",
  "--password-stdin",
  "sudo -s",
  "--with-token",
  "--passphrase-fd",
  "passwd --stdin",
  "--stdin",
  "cryptsetup",
  "gpg --import",
];
const echoed =
  /(?:echo|printf)\s{1,3}(?:-[ne]{1,2}\s{1,3})?(?:["']?[\w.-]{1,32}:(?=\S{4})|["'])?([^"'|\n]{4,256}?)(?:\\n)?["']?\s{0,3}\|(?!.*\|.*\|)[^|]{0,120}$/;

interface Command {
  readonly word: string;
  find(scan: Scan, end: number): void;
}

export const secretCommands = once((): readonly Command[] => [
  ...rows.flatMap(([triggers, between]) => {
    const pattern = once(() => new RegExp(`${between}${value}`, "y"));
    return triggers
      .split("|")
      .map((word): Command => ({ word, find: (scan, end) => findArgument(scan, end, pattern()) }));
  }),
  ...fedByEcho.map((word): Command => ({ word, find: (scan, end) => findEchoed(scan, end - word.length) })),
]);

function findArgument(scan: Scan, end: number, pattern: RegExp): void {
  const match = matchAt(pattern, scan.text, end);
  if (match === null) return;
  const quoted = match[1] ?? match[2];
  let secret = quoted ?? match[3]!;
  const isBare = quoted === undefined;
  if (isBare) secret = secret.replace(/[,.:]+$/, "");
  const stop = end + match[0].length - (isBare ? match[3]!.length - secret.length : 1);
  if (secret.length < 4 || isPlaceholder(secret) || isReference(secret) || isPath(secret)) return;
  if (isBare && /^[-<[({=]|^\W+$|^(?:the|and|or|is|for|with|in|to|of|true|false|null)$/i.test(secret)) return;
  scan.add("argument", stop - secret.length, stop);
}

function findEchoed(scan: Scan, start: number): void {
  const from = Math.max(scan.lineStart(start), start - 400);
  const head = scan.text.slice(from, start);
  const match = head.includes("|") ? echoed.exec(head) : null;
  if (match === null || isPlaceholder(match[1]!) || isReference(match[1]!)) return;
  const secret = match[1]!.trim();
  const at = from + match.index + match[0].lastIndexOf(secret, match[0].lastIndexOf("|"));
  scan.add("argument", at, at + secret.length);
}
