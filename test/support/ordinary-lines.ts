import { createDraw } from "./secret-samples.ts";

const hex = "0123456789abcdef";
const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Lines as they stand in notes, code, logs and documentation, with nothing secret in them. */
const written = String.raw`
The password is stored in the vault.
password: see 1Password
token limit is 4096
the secret is to listen
The secret of good tests is determinism.
Password: minimum of 12 characters
Passwords must have at least 8 characters, one digit and one symbol.
- **Token:** rotate every 90 days
- **Password:** stored hashed with argon2id
- **Secret:** see vault under team/prod
Reset your password under Settings → Security.
Forgot your password? Click here.
If the token expired, request a new one with the refresh token.
max_tokens: 4096
max_tokens=1024, temperature=0.7
total_tokens: 128000
"usage": {"prompt_tokens": 120, "completion_tokens": 48, "total_tokens": 168}
tokens per second: 42.7
token_count = len(tokens)
const token = await readToken(request);
const token = req.headers.authorization?.split(" ")[1];
let password = prompt("Password: ");
const { password, ...rest } = user;
function login(user: string, password: string): Promise<Token> {
password: z.string().min(8).max(128),
password: Yup.string().required("Password is required"),
if (!password) throw new Error("password is required");
if (token === null) return res.status(401).json({ error: "missing token" });
if (password !== confirmPassword) setError("Passwords do not match");
apiKey: process.env.OPENAI_API_KEY,
api_key=os.environ["OPENAI_API_KEY"]
api_key = os.getenv("GEMINI_API_KEY")
client = OpenAI(api_key=settings.openai_api_key)
token = self._token_provider.get_token(scope)
secret = config.get("secret")
secret_key = SecretStr(...)
password = getpass.getpass()
password=password, token=token
token: token,
headers: { Authorization: "Bearer " + token },
headers["Authorization"] = f"Bearer {token}"
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer YOUR_API_KEY
Authorization: Basic <base64(user:password)>
curl -H "Authorization: Bearer $API_KEY" https://api.example.com/v1/models
curl -u "$USER:$PASS" https://example.com
curl -u user:password https://example.com
export OPENAI_API_KEY=sk-...
export OPENAI_API_KEY="your-api-key"
export API_KEY=<your-api-key>
OPENAI_API_KEY=your_api_key_here
ANTHROPIC_API_KEY=sk-ant-xxxxxxxxxxxxxxxx
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
DB_PASSWORD=changeme
POSTGRES_PASSWORD: ${"$"}{POSTGRES_PASSWORD}
password: ${"$"}{{ secrets.DB_PASSWORD }}
password: "{{ vault_db_password }}"
password: !vault |
token: ${"$"}{{ secrets.GITHUB_TOKEN }}
SECRET_KEY = env("DJANGO_SECRET_KEY")
secretName: db-credentials
secretKeyRef: { name: db, key: password }
      - name: db-password
        key: password
imagePullSecrets:
  name: regcred
apiVersion: v1
kind: Secret
type: Opaque
  namespace: cert-manager
tokenReviewAuthenticator: true
automountServiceAccountToken: false
serviceAccountName: build-robot
privateKeySecretRef:
  name: letsencrypt-prod
CREATE TABLE users (id serial primary key, email text, password varchar(255) not null);
ALTER TABLE sessions ADD COLUMN refresh_token text;
SELECT id FROM users WHERE token = $1 AND expires_at > now();
UPDATE users SET password = crypt($1, gen_salt('bf')) WHERE id = 42;
INSERT INTO api_keys (name, prefix, created_at) VALUES ('ci', 'lh_', now());
GRANT SELECT ON api_keys TO reader;
PRIMARY KEY (tenant_id, user_id)
FOREIGN KEY (user_id) REFERENCES users (id)
primary_key=user_id
partition key: tenant#42
sort key: created_at
cache key: user:42:profile
key: node-modules-${"$"}{{ hashFiles('package-lock.json') }}
key: value
Idempotency-Key: 3f2c1b9e-0d6e-4a53-9d0c-6a2fd2f0a111
public_key = "ssh-ed25519"
ssh-keygen -t ed25519 -C "ops@example.com"
The SSH key fingerprint is SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU
gpg --recv-keys 9FCEB02D0AE598E9
Release GPG key: F3EF5F62A87FC27A22E643F714CE4FF5015AA242
2026-03-01T10:00:00Z INFO auth: password accepted for user 42
2026-03-01 10:00:01,123 WARN token expired for session, refreshing
[auth] token=expired user=42
level=info msg="token refreshed" user_id=42 ttl=3600
sshd[1234]: Failed password for root from 10.0.0.7 port 51515 ssh2
sshd[1234]: Accepted publickey for deploy from 10.0.0.8 port 40000 ssh2: ED25519 SHA256:abc
nginx: 10.0.0.1 - - [01/Mar/2026:10:00:00 +0000] "GET /login HTTP/1.1" 200 512
GET /api/token?grant_type=refresh_token HTTP/1.1
POST /oauth/token with grant_type=authorization_code
token_endpoint=https://auth.example.com/oauth/token
"token_type": "bearer", "expires_in": 3600
scope=openid profile email
response_type=code&client_id=web
redirect_uri=https%3A%2F%2Fexample.com%2Fcallback
https://example.com/path?user=a@b.example
https://medium.com/@someone/how-tokens-work-4f1c2d3e4b5a
http://localhost:8080/@fs/app/src/main.ts
https://unpkg.com/@babel/core@7.24.0/lib/index.js
postgres://user:password@localhost:5432/db
postgres://localhost:5432/app
mongodb://localhost:27017/test
redis://localhost:6379/0
git@github.com:acme/app.git
ssh://git@example.com/a.git
mailto:ops@example.com
jdbc:postgresql://db.internal:5432/app
s3://bucket/key/with/parts
arn:aws:secretsmanager:eu-west-1:123456789012:secret:app/db-Ab12Cd
arn:aws:iam::123456789012:role/deploy
projects/my-project/secrets/db-password/versions/latest
vault kv get secret/app/db
vault read -field=password secret/db
op read op://team/db/password
kubectl get secret db-credentials -o yaml
kubectl create secret generic db --from-env-file=.env
docker login ghcr.io -u ops --password-stdin
aws sts get-session-token --duration-seconds 3600
gh auth token
gh secret list
mysql -u root -p app
psql -U postgres -h localhost
redis-cli ping
sshpass is not installed
openssl rand -base64 32
openssl genrsa -out key.pem 4096
ssh -i ~/.ssh/id_ed25519 ops@example.com
--token-file /run/secrets/token
--password-file=/run/secrets/db_password
password_file: /run/secrets/db_password
PWD=/home/ops/project
pwd=/srv/app1
KEY_PATH=~/.config/app/key.pem
TOKEN_PATH=./tokens/dev.json
pass the options to the constructor
pass a callback to \`forEach\`
tests pass on Node 22 and 24
All 42 tests pass.
pass 1 of 3: tokenize
This pass walks the tree twice.
pin the version to 4.2.1
pin: 24.04
Pin the dashboard to the sidebar.
The key takeaway is that caching is hard.
Key: the map from id to row
Press any key to continue.
The key is to measure first.
Keys are compared byte by byte.
key=value pairs separated by commas
API key authentication is supported since v2.3.
API keys: create, list, revoke
API key | created | last used
Create an API key in the dashboard and set it as OPENAI_API_KEY.
The API key is read from the environment.
Store the client secret in your password manager.
Never commit secrets. Use a vault.
Secrets are masked as [redacted:kind] before indexing.
secret scanning found 0 alerts
The token is sent in the X-Api-Key header.
A token has three parts separated by dots: header.payload.signature
eyJhbGciOi... is how a JWT begins
JWT: eyJhbGciOiJIUzI1NiJ9...
[CLS] token at position 0
<|endoftext|> is a special token
pad_token="<pad>", eos_token="</s>"
eos_token_id: 50256
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
tokenizer: cl100k_base
token embeddings have 1536 dimensions
The lexer yields one token at a time.
Unexpected token } in JSON at position 42
SyntaxError: Unexpected token '<', "<!DOCTYPE "... is not valid JSON
next_page_token: "CAUQAA"
nextPageToken=abc
continuation token expired
"cursor": "eyJpZCI6NDJ9"
csrf token mismatch
sessionStorage.setItem("token", token)
document.cookie = "theme=dark"
Set-Cookie: theme=dark; Path=/
Cookie: lang=en
cookies are deleted on logout
auth: none
auth: required
authMethod: oauth2
authentication: basic
authorization: rbac
Authorization: only admins may do that.
credentials: include
credentials: "same-origin"
Credentials are rotated monthly.
fetch(url, { credentials: "omit" })
login: function (user) {
login / logout flow
user/password login is disabled
username and password are required
Username: ops
user: ops
name: password
type: password
<input type="password" name="password" placeholder="Password">
<label for="password">Password</label>
<PasswordField label="Password" />
<Trans>Forgot password?</Trans>
"password": "Password",
"password": "Passwort",
"password": "Mot de passe",
"forgotPassword": "Forgot your password?",
"passwordPlaceholder": "Enter your password",
password_confirmation: "must match"
passwordless login with passkeys
password-protected PDF
password manager: Bitwarden
The password field accepts 64 characters.
The password is "required" here.
The default password is changed on first login.
password hash: argon2id
passwordHash: string;
password_reset_token_expires_at
password strength: weak, medium, strong
secretsmanager:GetSecretValue
s3:GetObject, kms:Decrypt
"Action": "secretsmanager:GetSecretValue",
"Resource": "*"
kms key rotation is enabled
encryption key rotation every 365 days
signing key: rotated by cert-manager
private key never leaves the device
Private keys are stored in the HSM.
public key infrastructure
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
-----END CERTIFICATE-----
seed: 42
seed=1234
random seed 7
np.random.seed(0)
salt and pepper
code: E1001
error code: ECONNREFUSED
exit code 137
verification code is sent by e-mail
signature: (a: number, b: number) => number
signature mismatch
session timeout: 30 minutes
session_id is a UUID
sid: string
sig := <-signals
git commit -S signs with your key
feat(auth): add token refresh (#123)
fix: do not log the password (#4567)
chore: bump jsonwebtoken from 9.0.0 to 9.0.2
- Fixed a bug where the token was not refreshed after 401 ([#812](https://github.com/acme/app/pull/812))
## Authentication
### API keys
1. Create a token
| Name | Type | Default |
| token | string | none |
| password | string | required |
| API key | header | X-Api-Key |
| secret | env var | APP_SECRET |
| Variable | Description |
| DB_PASSWORD | Password of the database |
Das Passwort liegt im Tresor.
Die Passwörter werden mit Argon2 gehasht.
Das Passwort muss mindestens 12 Zeichen haben.
Bitte das Passwort nicht im Klartext speichern.
Passwort vergessen? Hier klicken.
Passwort: siehe Tresor
Der Schlüssel zum Erfolg ist Übung.
Der API-Schlüssel wird aus der Umgebung gelesen.
Zugangsdaten stehen im Passwortmanager.
Token läuft nach 60 Minuten ab.
Das Geheimnis ist gute Vorbereitung.
Le mot de passe est stocké dans le coffre.
Le mot de passe doit contenir 12 caractères.
Mot de passe oublié ?
La clé est dans le tiroir.
Le jeton expire après une heure.
La clé API est lue depuis l'environnement.
La contraseña debe tener 8 caracteres.
¿Olvidaste tu contraseña?
La clave del éxito es la constancia.
El token caduca a los 30 minutos.
La password deve avere almeno 8 caratteri.
La chiave primaria è un intero.
A senha deve ter pelo menos 8 caracteres.
Esqueceu a senha?
A chave primária é o id.
Het wachtwoord moet minstens 8 tekens hebben.
Wachtwoord vergeten?
Hasło musi mieć co najmniej 8 znaków.
Klucz główny to id.
Пароль хранится в сейфе.
Забыли пароль?
Ключ к успеху — практика.
Şifre en az 8 karakter olmalı.
Şifrenizi mi unuttunuz?
パスワードは8文字以上にしてください。
パスワードを忘れた場合
キーを押してください
密码必须至少8个字符。
忘记密码？
密码在保险箱里。
密钥轮换策略：90天
비밀번호는 8자 이상이어야 합니다.
비밀번호를 잊으셨나요?
كلمة المرور يجب أن تكون طويلة.
The meeting is at 10:30 in room 4B.
Version 2.4.1 was released on 2026-03-01.
Contact ops@example.com or +49 30 1234567.
IP 192.168.0.17, gateway 192.168.0.1, mask 255.255.255.0
fe80::1ff:fe23:4567:890a%eth0
MAC 00:1B:44:11:3A:B7
order 4111-22 shipped
invoice 2026-000123 over 1,299.00 EUR
IBAN DE89 3704 0044 0532 0130 00
phone 0151 2345 6789
build 20260301.4 took 12345678 ms
const SECRETS = new Set(["password", "token", "secret"]);
const sensitive = /password|token|secret|key/i;
redact: ["req.headers.authorization", "password"]
assert.equal(token.kind, "identifier");
expect(screen.getByLabelText("Password")).toBeVisible();
await page.fill('input[name="password"]', user.password);
await page.getByLabel("Password").fill(password);
@Column({ name: "password_hash" }) passwordHash: string;
private readonly apiKey: string;
public string ApiKey { get; set; }
type Secret struct { Name string; Value []byte }
val token: String? = null
let token: Option<String> = None;
fn token(&self) -> &str { &self.token }
def authenticate(self, token: str | None = None) -> User:
class TokenError(Exception):
raise InvalidToken("token has expired")
throw new UnauthorizedException("Invalid credentials");
import { createToken } from "./token.ts";
from app.auth import verify_token, hash_password
#include <openssl/evp.h>
keybind = "ctrl+k"
hotkey: cmd+shift+p
keyboard: us
monkey patching is a key technique
primaryKey: true,
keyof typeof config
Object.keys(tokens).length
for (const [key, value] of map) {
dict(key="name", value=3)
map[key] = value
keys = ["id", "name", "created_at"]
required: ["token", "user"]
enum: [password, token, none]
tags: [security, tokens, auth]
aliases: ["API key", "token"]
title: Rotating secrets
description: How to store a token
## 2026-03-01 Rotate the signing keys
- [ ] rotate the API key of the staging system
- [x] moved all passwords to the vault
TODO: remove the token from the URL
NOTE: the secret must be 32 bytes long
WARNING: password authentication is disabled
Error: secretOrPrivateKey must have a value
error: invalid password for user "ops"
fatal: could not read Password for 'https://github.com': terminal prompts disabled
Permission denied (publickey,password).
ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)
password authentication failed for user "postgres"
FATAL: password authentication failed
x-request-id: 4bf92f3577b34da6a3ce929d0e0e4736
traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
If-None-Match: W/"67ab43"
Content-Type: application/json
X-Api-Key: required
Accept: application/vnd.github+json
Strict-Transport-Security: max-age=31536000
`
  .split("\n")
  .filter((line) => line !== "");

/** Lines whose every instance is different: hashes, ids, versions, logs, configuration, code. */
const patterns: readonly ((draw: ReturnType<typeof createDraw>) => string)[] = [
  (draw) => `commit ${draw(hex, 40)}`,
  (draw) => `${draw(hex, 7)} fix: refresh the token before it expires`,
  (draw) => `index ${draw(hex, 7)}..${draw(hex, 7)} 100644`,
  (draw) => `id: ${uuid(draw)}`,
  (draw) => `"requestId": "${uuid(draw)}",`,
  (draw) => `user_id=${uuid(draw)} status=200 took=${draw("123456789", 3)}ms`,
  (draw) => `sha256:${draw(hex, 64)}`,
  (draw) => `${draw(hex, 64)}  longhand-0.2.0.tgz`,
  (draw) => `"integrity": "sha512-${draw(`${alnum}+/`, 86)}==",`,
  (draw) => `integrity sha512-${draw(`${alnum}+/`, 86)}==`,
  (draw) => `image: registry.example.com/app@sha256:${draw(hex, 64)}`,
  (draw) => `![pic](data:image/png;base64,${draw(`${alnum}+/`, 120)}=)`,
  (draw) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${draw(`${alnum}+/`, 43)} ops@example.com`,
  (draw) => `md5 ${draw(hex, 32)} backup.tar.gz`,
  (draw) => `"etag": "${draw(hex, 32)}"`,
  (draw) => `trace_id=${draw(hex, 32)} span_id=${draw(hex, 16)}`,
  (draw) => `at /srv/app/node_modules/pkg/dist/index-${draw(hex, 8)}.js:${draw("123456789", 3)}:17`,
  (draw) => `src/auth/token-${draw.pick(["store", "cache", "reader"])}.ts:${draw("123456789", 2)}`,
  (draw) => `assets/app.${draw(hex, 8)}.css`,
  (draw) => `k8s pod api-${draw(hex, 9)}-${draw("bcdfghjklmnpqrstvwxz2456789", 5)} restarted`,
  (draw) =>
    `node_modules/.pnpm/pkg@${draw("123456789", 1)}.${draw("123456789", 2)}.0_${draw(hex, 8)}/node_modules/pkg`,
  (draw) => `tx 0x${draw(hex, 64)} confirmed`,
  (draw) => `address 0x${draw(hex, 40)}`,
  (draw) => `Merge pull request #${draw("123456789", 4)} from acme/token-refresh`,
  (draw) =>
    `2026-03-${draw("12", 1)}${draw("0123456789", 1)}T10:0${draw("0123456789", 1)}:00.${draw("0123456789", 3)}Z INFO token refreshed for user ${draw("123456789", 4)}`,
  (draw) =>
    `10.0.${draw("123456789", 1)}.${draw("123456789", 2)} - GET /v1/tokens/${draw("123456789", 6)} 200`,
  (draw) => `total_tokens: ${draw("123456789", 5)}, cached_tokens: ${draw("123456789", 4)}`,
  (draw) => `max_tokens = ${draw("123456789", 4)}  # limit of the model`,
  (draw) => `cache-key: build-${draw.pick(["linux", "macos"])}-${draw(hex, 12)}`,
  (draw) => `key: ${draw.pick(["users", "orders", "items"])}/${draw("123456789", 5)}/profile.json`,
  (draw) => `s3://backups/2026/03/${uuid(draw)}.parquet`,
  (draw) => `pip hash --hash=sha256:${draw(hex, 64)}`,
  (draw) => `docker.io/library/node:${draw("12", 2)}-alpine@sha256:${draw(hex, 64)}`,
  (draw) => `resource "aws_instance" "web_${draw("123456789", 2)}" { ami = "ami-${draw(hex, 17)}" }`,
  (draw) => `vpc-${draw(hex, 17)} subnet-${draw(hex, 17)}`,
  (draw) => `arn:aws:kms:eu-west-1:${draw("123456789", 12)}:key/${uuid(draw)}`,
  (draw) => `const id = "${draw(alnum, 21)}";`,
  (draw) => `nanoid: ${draw(alnum, 21)}`,
  (draw) => `https://www.youtube.com/watch?v=${draw(alnum, 11)}`,
  (draw) => `https://docs.google.com/document/d/${draw(alnum, 44)}/edit`,
  (draw) => `https://github.com/acme/app/commit/${draw(hex, 40)}`,
  (draw) => `https://example.com/reset?step=${draw("123456789", 1)}&lang=en`,
  (draw) => `https://cdn.example.com/${draw(hex, 32)}/main.js?v=${draw(hex, 8)}`,
  (draw) =>
    `passwords rotated on 2026-0${draw("123456789", 1)}-1${draw("123456789", 1)}, next in ${draw("123456789", 2)} days`,
  (draw) => `the API key with id ${draw("123456789", 5)} was revoked`,
  (draw) => `token ${draw("123456789", 3)} of ${draw("123456789", 4)} processed`,
  (draw) =>
    `Passwort geändert am 1${draw("0123456789", 1)}.03.2026, nächste Änderung in ${draw("123456789", 2)} Tagen`,
  (draw) => `mot de passe modifié le 1${draw("0123456789", 1)}/03/2026`,
  (draw) => `order ${draw("123456789", 10)} paid, invoice ${draw("123456789", 8)}`,
  (draw) => `tracking 1Z${draw("0123456789ABCDEFGHJK", 16)}`,
  (draw) => `ISBN 978-3-${draw("123456789", 5)}-${draw("123456789", 3)}-${draw("123456789", 1)}`,
  (draw) =>
    `version = "${draw("123456789", 1)}.${draw("123456789", 2)}.${draw("123456789", 1)}-beta.${draw("123456789", 1)}"`,
  (draw) => `SELECT * FROM tokens WHERE user_id = ${draw("123456789", 5)} LIMIT ${draw("123456789", 2)};`,
  (draw) => `{"level":"info","ts":17${draw("123456789", 8)},"msg":"login ok","user":${draw("123456789", 4)}}`,
  (draw) => `assert token.startswith("lh_") and len(token) == ${draw("123456789", 2)}`,
  (draw) =>
    `| ${draw.pick(["token", "secret", "key", "password"])}_${draw.pick(["id", "name", "type", "ttl"])} | ${draw.pick(["string", "number", "uuid"])} | ${draw("123456789", 2)} |`,
  (draw) =>
    `${draw.pick(["token", "secret", "apiKey", "password"])}: ${draw.pick(["string", "string | null", "Option<String>", "str", "SecretStr", "undefined"])}`,
  (draw) =>
    `const ${draw.pick(["token", "secret", "apiKey", "password"])} = ${draw.pick(["useToken()", "props.value", "await getSecret(name)", "config.auth.key", "null", "ctx.state.user.token"])};`,
  (draw) =>
    `${draw.pick(["TOKEN", "SECRET", "API_KEY", "DB_PASSWORD"])}=${draw.pick(["$VALUE", ["$", "{SOME_VALUE}"].join(""), "<value>", "%VALUE%", "xxx", "***", "your-value-here", "changeme"])}`,
  (draw) =>
    `${draw.pick(["The", "A", "Your"])} ${draw.pick(["token", "password", "secret", "API key"])} ${draw.pick(["is required", "was rotated yesterday", "expires in 30 days", "must be kept safe", "is read from the keychain", "is never logged", "can be revoked at any time"])}.`,
];

function uuid(draw: ReturnType<typeof createDraw>): string {
  return [8, 4, 4, 4, 12].map((length) => draw(hex, length)).join("-");
}

/** More than fifteen hundred lines; the same numbers give the same lines. */
export function makeOrdinaryLines(random: () => number, rounds = 20): string[] {
  const draw = createDraw(random);
  const made = Array.from({ length: rounds }, () => patterns.map((pattern) => pattern(draw))).flat();
  return [...written, ...made];
}
