import { createDraw, makePassword, type SecretSample } from "./secret-samples.ts";

const small = "abcdefghijklmnopqrstuvwxyz";
const capital = small.toUpperCase();
const digit = "0123456789";
const hex = "0123456789abcdef";
const alnum = small + capital + digit;

type Draw = ReturnType<typeof createDraw>;
type Paste = (draw: Draw) => [text: string, ...secrets: string[]];

const withPassword =
  (write: (it: string) => string): Paste =>
  (draw) => {
    const it = makePassword(draw);
    return [write(it), it];
  };
const withKey =
  (length: number, write: (it: string) => string, alphabet = alnum): Paste =>
  (draw) => {
    const it = `${draw(capital, 1)}${draw(digit, 1)}${draw(alphabet, length - 2)}`;
    return [write(it), it];
  };
const withHex =
  (length: number, write: (it: string) => string): Paste =>
  (draw) => {
    const it = `${draw("abcdef", 1)}${draw(digit, 1)}${draw(hex, length - 2)}`;
    return [write(it), it];
  };

/** How people paste secrets into notes and conversations; written after the rules were, without looking at them. */
const pastes: readonly Paste[] = [
  withPassword((it) => `hey, staging creds: admin / ${it}`),
  withPassword((it) => `User: deploy, Password: ${it}`),
  withPassword((it) => `username=admin password=${it} host=10.0.0.5`),
  withPassword((it) => `wifi: OfficeGuest / ${it}`),
  withPassword((it) => `WiFi pw: ${it}`),
  withPassword((it) => `WIFI:T:WPA;S:OfficeGuest;P:${it.replaceAll(/[;:,\\]/g, "")};;`),
  withPassword((it) => `temp password ${it} - change on first login`),
  withPassword((it) => `the new root pw is ${it}, old one no longer works`),
  withPassword((it) => `Try logging in with admin@example.com and ${it} as password`),
  withPassword((it) => `PW = ${it}`),
  withPassword((it) => `Password → ${it}`),
  withPassword((it) => `Password - ${it}`),
  withPassword((it) => `password\t${it}`),
  withPassword((it) => `- user: bob\n- password: ${it}`),
  withPassword((it) => `  "db": { "user": "app", "pass": "${it}" }`),
  withPassword((it) => `{user: 'app', passwd: '${it}'}`),
  withPassword((it) => `db_pass: ${it} # rotate me`),
  withPassword((it) => `dbPassword=${it}`),
  withPassword((it) => `$db_password = "${it}";`),
  withPassword((it) => `define('DB_PASSWORD', '${it}');`),
  withPassword((it) => `$cfg['Servers'][$i]['password'] = '${it}';`),
  withPassword((it) => `:password => "${it}",`),
  withPassword((it) => `password => '${it}'`),
  withPassword((it) => `String password = "${it}";`),
  withPassword((it) => `var password string = "${it}"`),
  withPassword((it) => `let db_password: &str = "${it}";`),
  withPassword((it) => `PASSWORD="${it}" ./deploy.sh`),
  withPassword((it) => `MYSQL_PWD=${it} mysqldump app > dump.sql`),
  withPassword((it) => `ENV ADMIN_PASSWORD ${it}`),
  withPassword((it) => `ARG DB_PASS=${it}`),
  withPassword((it) => `--from-literal=password='${it}'`),
  withPassword((it) => `-Dspring.datasource.password=${it}`),
  withPassword((it) => `ansible_become_pass=${it}`),
  withPassword((it) => `ansible_ssh_pass: "${it}"`),
  withPassword((it) => `<property name="password" value="${it}"/>`),
  withPassword((it) => `<Password>${it}</Password>`),
  withPassword((it) => `net use Z: \\\\srv\\share /user:ops ${it}`),
  withPassword((it) => `xfreerdp /u:ops /p:${it} /v:10.0.0.4`),
  withPassword((it) => `ftp://ops:${it.replaceAll(/[@/#?]/g, "")}@files.example.test/in`),
  withPassword((it) => `smtp: mail.example.test:587 user noreply pass ${it}`),
  withPassword((it) => `htpasswd -bc .htpasswd ops ${it}`),
  withPassword((it) => `echo "ops:${it}" | chpasswd`),
  withPassword((it) => `ALTER USER app WITH PASSWORD '${it}';`),
  withPassword((it) => `CREATE ROLE app LOGIN PASSWORD '${it}'`),
  withPassword((it) => `SET PASSWORD FOR 'app'@'%' = PASSWORD('${it}');`),
  withPassword((it) => `mongo --username app --password ${it} --authenticationDatabase admin`),
  withPassword((it) => `requirepass ${it}`),
  withPassword((it) => `Zugangsdaten: admin / ${it}`),
  withPassword((it) => `Benutzer: admin, Passwort: ${it}`),
  withPassword((it) => `Das WLAN-Passwort ist ${it}`),
  withPassword((it) => `Neues Kennwort für den Server: ${it}`),
  withPassword((it) => `identifiant : admin, mot de passe : ${it}`),
  withPassword((it) => `Le mdp du wifi c'est ${it}`),
  withPassword((it) => `usuario: admin contraseña: ${it}`),
  withPassword((it) => `La contraseña del servidor es «${it}»`),
  withPassword((it) => `utente admin, password ${it}`),
  withPassword((it) => `usuário: admin / senha: ${it}`),
  withPassword((it) => `gebruiker admin wachtwoord ${it}`),
  withPassword((it) => `login: admin hasło: ${it}`),
  withPassword((it) => `логин: admin пароль: ${it}`),
  withPassword((it) => `Пароль для входа: ${it}`),
  withPassword((it) => `kullanıcı: admin şifre: ${it}`),
  withPassword((it) => `ユーザー: admin パスワード: ${it}`),
  withPassword((it) => `账号：admin 密码：${it}`),
  withPassword((it) => `아이디 admin 비밀번호 ${it}`),
  withPassword((it) => `User: what's the password?\nAssistant: The password is ${it}.`),
  withPassword((it) => `ok it's \`${it}\` (that's the admin password)`),
  withPassword((it) => `Password is: "${it}"`),
  withPassword((it) => `passphrase for the key: ${it}`),
  withPassword((it) => `Keystore password: ${it}`),
  withPassword((it) => `keystore.password=${it}`),
  withPassword((it) => `storePassword=${it}`),
  withPassword((it) => `gpg --batch --passphrase ${it} -d file.gpg`),
  withPassword((it) => `unzip -P ${it} backup.zip`),
  withPassword((it) => `7z x -p${it} backup.7z`),
  withPassword((it) => `| prod | ops | ${it} |\n`.replace(/^/, "| env | user | password |\n|---|---|---|\n")),
  withPassword((it) => `**User:** ops\n**Pass:** ${it}`),
  withPassword((it) => `> Password: ${it}`),
  withPassword((it) => `1. Password: ${it}`),
  withPassword((it) => `Admin password (rotated): ${it}`),
  withPassword((it) => `Password for ops@example.test: ${it}`),
  withPassword((it) => `root's password: ${it}`),
  withPassword((it) => `sudo password = ${it}`),
  withPassword((it) => `BASIC_AUTH=ops:${it}`),
  withPassword((it) => `http_proxy=http://ops:${it.replaceAll(/[@/#?]/g, "")}@proxy.example.test:3128`),
  withPassword(
    (it) => `DATABASE_URL="postgresql://app:${it.replaceAll(/[@"]/g, "")}@db:5432/app?schema=public"`,
  ),
  withKey(12, (it) => `smb://ops:${it}@nas.example.test/share`),
  withKey(32, (it) => `here's my key ${it} don't share it`),
  withKey(40, (it) => `OPENAI_KEY=${it}`),
  withKey(32, (it) => `openai key - ${it}`),
  withKey(32, (it) => `"apikey":"${it}"`),
  withKey(32, (it) => `x-api-key:${it}`),
  withKey(32, (it) => `headers = {"X-API-KEY": "${it}"}`),
  withKey(36, (it) => `headers: { 'Authorization': 'Token ${it}' }`),
  withKey(36, (it) => `Authorization: token ${it}`),
  withKey(36, (it) => `Authorization: ApiKey ${it}`),
  withKey(36, (it) => `client = Client(api_key="${it}")`),
  withKey(36, (it) => `Client.new(access_token: '${it}')`),
  withKey(36, (it) => `stripe.api_key = "${it}"`),
  withKey(36, (it) => `setToken("${it}")`),
  withKey(36, (it) => `export const API_TOKEN = '${it}'`),
  withKey(36, (it) => `val apiKey = "${it}"`),
  withKey(36, (it) => `private static final String SECRET = "${it}";`),
  withKey(40, (it) => `[default]\naws_access_key_id = x\naws_secret_access_key = ${it}`),
  withKey(40, (it) => `Secret key:\n${it}`),
  withKey(32, (it) => `client_id=web\nclient_secret=${it}`),
  withKey(32, (it) => `Client Secret\t${it}`),
  withKey(32, (it) => `App secret → ${it}`),
  withKey(32, (it) => `refresh_token=${it}`),
  withKey(32, (it) => `id_token: ${it}`),
  withKey(44, (it) => `JWT_SIGNING_KEY="${it}="`),
  withKey(44, (it) => `ENCRYPTION_KEY=base64:${it}=`),
  withKey(44, (it) => `APP_KEY=base64:${it}=`),
  withKey(50, (it) => `SECRET_KEY = 'django-insecure-${it}'`),
  withKey(64, (it) => `session_secret: ${it}`),
  withHex(64, (it) => `secret_key_base: ${it}`),
  withHex(32, (it) => `DD_API_KEY=${it}`),
  withHex(40, (it) => `wandb login ${it}`),
  withHex(64, (it) => `private key: 0x${it}`),
  withHex(64, (it) => `PRIVATE_KEY=${it}`),
  withHex(32, (it) => `AZURE_OPENAI_API_KEY=${it}`),
  withHex(32, (it) => `"subscription-key": "${it}"`),
  withHex(32, (it) => `?api_key=${it}&format=json`),
  withHex(32, (it) => `https://api.example.test/v1?appid=1&apikey=${it}`),
  withKey(43, (it) => `sig=${it}%3D&sv=2024-01-01`),
  withHex(64, (it) => `https://example.test/a.zip?X-Amz-Signature=${it}`),
  withKey(32, (it) => `Cookie: sessionid=${it}; csrftoken=x`),
  withKey(32, (it) => `Set-Cookie: auth=${it}; HttpOnly; Path=/`),
  withKey(32, (it) => `curl -b 'session=${it}' https://example.test`),
  withKey(32, (it) => `curl --cookie "sid=${it}" https://example.test`),
  withKey(24, (it) => `vault login ${it}`),
  withKey(32, (it) => `heroku config:set SECRET_TOKEN=${it}`),
  withKey(32, (it) => `fly secrets set API_KEY=${it}`),
  withKey(32, (it) => `gh secret set DEPLOY_KEY --body "${it}"`),
  withKey(32, (it) => `npm config set //registry.example.test/:_authToken ${it}`),
  withKey(32, (it) => `token: !!str ${it}`),
  withKey(32, (it) => `Token (prod): ${it}`),
  withKey(32, (it) => `Bot token: ${it}`),
  withKey(32, (it) => `Der API-Key lautet ${it}`),
  withKey(32, (it) => `Zugriffstoken: ${it}`),
  withKey(32, (it) => `la clé secrète est ${it}`),
  withKey(32, (it) => `jeton d'accès : ${it}`),
  withKey(32, (it) => `el token es ${it}`),
  withKey(32, (it) => `токен: ${it}`),
  withKey(32, (it) => `访问令牌: ${it}`),
  withKey(32, (it) => `トークン: ${it}`),
  withKey(32, (it) => `API 키: ${it}`),
  withKey(32, (it) => `TOTP secret: ${it.toUpperCase()}`),
  withKey(
    25,
    (it) => `License key: ${it.slice(0, 5)}-${it.slice(5, 10)}-${it.slice(10, 15)}-${it.slice(15, 20)}`,
  ),
  withKey(32, (it) => `webhook secret is ${it}`),
  withKey(32, (it) => `signing secret: "${it}"`),
  withKey(28, (it) => `PresharedKey = ${it}=`),
  withKey(32, (it) => `\`\`\`\nAPI_KEY=${it}\n\`\`\``),
  withKey(32, (it) => `tool said: {"access_token":"${it}","token_type":"bearer"}`),
  withKey(32, (it) => `{\\"token\\":\\"${it}\\"}`),
  withKey(32, (it) => `<string name="api_key">${it}</string>`),
  withKey(32, (it) => `<key>apiToken</key>\n<string>${it}</string>`),
  withKey(32, (it) => `  - API_TOKEN=${it}`),
  withKey(32, (it) => `environment:\n  API_TOKEN: ${it}`),
  withKey(32, (it) => `api_token                 = "${it}"`),
  withKey(32, (it) => `"Token": {"value": "${it}"}`),
];

/** Ordinary lines that come close to secrets; written after the rules were. */
export const closeLines: readonly string[] = String.raw`
The password policy requires 12+ characters and 1 special character (!@#$%).
password: at least 8 characters, 1 uppercase, 1 number
Password must match /^(?=.*\d)(?=.*[a-z]).{8,}$/
set password to expire after 90d
passwords are hashed with PBKDF2-SHA256 (600,000 iterations)
Use bcrypt with cost 12 for the password column.
The token is valid for 15min and has 256 bits of entropy.
token = jwt.sign({ sub: user.id }, secret, { expiresIn: "15m" })
const secret = crypto.randomBytes(32).toString("hex");
const key = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
password = bcrypt.hashpw(password.encode("utf-8"), bcrypt.gensalt())
self.token = token or os.environ.get("APP_TOKEN")
api_key: str = Field(..., env="API_KEY")
apiKey: import.meta.env.VITE_API_KEY
apiKey: { type: "string", minLength: 32 },
"apiKey": { "type": "string", "description": "Key of the service" },
"secrets": ["db_password", "api_token_v2"],
secrets: inherit
secrets.GITHUB_TOKEN
with: { token: "${"$"}{{ secrets.PAT_TOKEN }}" }
GITHUB_TOKEN: ${"$"}{{ github.token }}
env: DB_PASSWORD from secret/db#password
password: ENC[AES256_GCM,data:abc,iv:def,tag:ghi,type:str]
password: $ANSIBLE_VAULT_PASSWORD
PASSWORD=$(pass show db/prod)
TOKEN=$(gh auth token)
export TOKEN=$(cat /run/secrets/token)
TOKEN="$(vault kv get -field=token secret/ci)"
API_KEY="${"$"}{API_KEY:?set API_KEY first}"
docker run -e POSTGRES_PASSWORD -e POSTGRES_USER postgres:16
mysql -h db -u app -p < schema.sql
ssh-add ~/.ssh/id_rsa_work2
git config credential.helper store
git config user.signingkey 3AA5C34371567BD2
credential.helper=osxkeychain
--api-key-env OPENAI_API_KEY
--token-endpoint https://auth.example.com/token
--key-file server-key.pem --cert-file server.pem
ssl_certificate_key /etc/nginx/ssl/example.com.key;
KeyError: 'api_key'
AuthenticationError: Incorrect API key provided: sk-...abcd. You can find your API key at https://platform.example.com.
401 Unauthorized: invalid_token, error_description="The access token expired"
error="invalid_token", error_description="The token expired at 2026-03-01T10:00:00Z"
InvalidKeyException: Illegal key size or default parameters
WRONGPASS invalid username-password pair or user is disabled.
ERR AUTH <password> called without any password configured
pg_hba.conf: host all all 0.0.0.0/0 scram-sha-256
PasswordAuthentication no
PermitRootLogin prohibit-password
AuthorizedKeysFile .ssh/authorized_keys2
KexAlgorithms curve25519-sha256,ecdh-sha2-nistp256
token bucket: 100 requests, refill 10/s
The token bucket holds 5000 tokens.
input tokens: 1523, output tokens: 388
context window: 200k tokens
temperature=0.2 top_p=0.95 max_new_tokens=512
special tokens: [PAD]=0 [UNK]=100 [CLS]=101
byte-pair token "Ġthe" has id 262
design tokens: color.primary.500 = #3b82f6
--color-key-500: #3b82f6;
keyframes fade-in 300ms
<kbd>Ctrl</kbd>+<kbd>K</kbd> key binding
key: "ArrowDown2"
data-key="row-42"
<Route key="settings/profile2" />
cacheKey = [user.id, page, 20].join(":")
redis key session:42:v3 expires in 3600s
partitionKey: "tenant#42#2026-03"
hash key user_id, range key created_at_2
"primaryKey": "order_id_2"
map key 'a1b2' not found
foreign key constraint "orders_user_id_fkey2" failed
unique key idx_users_email_2
S3 key: logs/2026/03/01/part-00001.parquet
object key photos/IMG_20260301_1030.jpg
public key: age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kmfn9r4gs0yz3zz
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 ops@example.com
Host key verification failed for SHA256:uNiVztksCsDhcc0u9e8BrrQrRHnhP6tYwpnYFDG7bLk
GPG key 4096R/ABCDEF12 created 2026-03-01
kid: 2026-03-signing-1
"kid": "rsa-2026-03-01", "alg": "RS256", "use": "sig"
jwks_uri: https://auth.example.com/.well-known/jwks.json
client_id=web-app-2
tenant: 72f988bf-86f1-41af-91ab-2d7cd011db47
subscription: 0b1f6471-1bf0-4dda-aec3-cb9272f09590
session 550e8400-e29b-41d4-a716-446655440000 closed after 31s
Session cookies use SameSite=Lax and expire after 30d.
Signature: v1/2 of the protocol
code: ERR_2FA_REQUIRED
verification code: 6 digits, valid for 10min
PIN code has 4 to 8 digits
pin 13 is the LED
GPIO pin: 17
The pin is 3.3V tolerant.
pass@1 improved from 42.1 to 47.9
first pass: 12.4s, second pass: 3.1s
pass: 42, fail: 0, skip: 3
tests: pass=120 fail=2
boarding pass LH2026 seat 14C
mountain pass 2,106 m
auth: LDAP (see wiki/Auth2)
auth-service-7d9f8b6c5d-x2x4z is running
oauth2-proxy v7.6.0
OAuth 2.0 client credentials grant (RFC 6749 section 4.4)
login as user1 and check the dashboard2 page
login: POST /v2/login
logins per day: 1200/1350/990
credentials expire in 3600 s
credentials: 'include', mode: 'cors'
creds are in 1Password (vault "Infra2")
secret santa 2026: draw names on 12/01
secret sauce v2
top secret: no, just internal2 docs
The secret to 10x throughput is batching.
client secret rotation: every 180d, see RUNBOOK-12
seed: 0x5DEECE66D
seeds = [1, 2, 3, 42]
Das Passwort wurde am 12.03.2026 um 10:30 Uhr geändert.
Passwort-Hash: Argon2id, 64 MiB, 3 Durchläufe
Der Token ist 24h gültig (siehe ADR-0012).
Schlüssel: Tenant-ID + Datum (z. B. t42-2026-03)
Zugangsdaten für Test2 gibt es beim Teamlead.
Le mot de passe expire après 90j, voir ADR-12.
La clé primaire est order_id2.
Jeton valable 15min.
La contraseña caduca cada 90d.
clave primaria: id_pedido2
La password scade ogni 90gg.
A senha expira em 90d.
chave estrangeira: pedido_id2
Het wachtwoord verloopt na 90d.
Hasło wygasa po 90d (patrz ADR-12).
Пароль меняется каждые 90 дней (ADR-12).
ключ: user_id2
Şifre 90 günde bir değişir (ADR-12).
パスワードの有効期限は90日です（ADR-12）。
キー: user_id2
密码有效期为90天（见ADR-12）。
主键: user_id2
비밀번호는 90일마다 변경합니다 (ADR-12).
`
  .split("\n")
  .filter((line) => line !== "");

export function makePastedSamples(random: () => number): SecretSample[] {
  const draw = createDraw(random);
  return pastes.map((paste) => {
    const [text, ...secrets] = paste(draw);
    const parts = secrets.flatMap((secret) => {
      if (text.includes(secret)) return [secret];
      if (text.includes(secret.toLowerCase())) return [secret.toLowerCase()];
      if (text.includes(secret.toUpperCase())) return [secret.toUpperCase()];
      return text.match(/[A-Za-z0-9!@#%^&*+?=.]{5,}/g)!.filter((run) => secret.includes(run));
    });
    return { group: "pasted", text, secrets: parts };
  });
}
