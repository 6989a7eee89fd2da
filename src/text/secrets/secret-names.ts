import type { Scan } from "./scan.ts";
import { isRandom, isScattered } from "./values.ts";
/**
 * What the word for a secret tells of its value: a `password` may be any word that a person chose, a `secret` was made
 * by a machine, a `weak` name is used for so much else that only its value can tell. A `phrase` is a row of words, a
 * `query` a weak name in the query of an address, a `pair` is a user and a password.
 */
export type NameLevel = "password" | "secret" | "weak" | "phrase" | "query" | "pair";

export interface SecretName {
  readonly word: string;
  readonly level: NameLevel;
  /** Short words are names only where no other letter touches them. */
  readonly isWhole: boolean;
}

const passwords = {
  en: "password passwd passwrd passphrase pass-phrase passcode pwd psk pass pw pin pin-code wifi-key wi-fi-key wlan-key network-security-key",
  de: "passwort kennwort losungswort geheimzahl zugangscode pass-wort passwörter wlan-schlüssel netzwerkschlüssel wlan-code",
  fr: "mot-de-passe mdp code-secret motdepasse",
  es: "contraseña contrasena contrasenya clave clave-de-acceso palabra-clave",
  it: "parola-d'ordine parola-chiave codice-segreto",
  pt: "senha palavra-passe palavra-chave palavra-de-passe",
  nl: "wachtwoord toegangscode pincode",
  pl: "hasło haslo hasła hasłem",
  ru: "пароль пароля паролем кодовое-слово",
  uk: "кодове-слово",
  tr: "şifre sifre şifresi şifreniz şifrem parola parolası parolanız parolam",
  cs: "heslo",
  hu: "jelszó jelszava",
  ro: "parolă parola",
  sv: "lösenord lösenordet losenord",
  da: "adgangskode adgangskoden kodeord kodeordet",
  no: "passord passordet",
  fi: "salasana",
  el: "κωδικός-πρόσβασης κωδικός συνθηματικό",
  bg: "парола лозинка",
  he: "סיסמה סיסמא סיסמת",
  ar: "كلمة-المرور كلمة-السر كلمة-مرور الرقم-السري",
  hi: "पासवर्ड",
  th: "รหัสผ่าน",
  vi: "mật-khẩu",
  id: "kata-sandi sandi",
  ja: "パスワード 暗証番号 合言葉 パスフレーズ",
  zh: "密码 口令 密碼 通行码",
  ko: "비밀번호 암호 비번 패스워드",
};

const secrets = {
  en: "secret token apikey credential creds auth-salt nonce-salt nonce-key logged-in-key logged-in-salt",
  de: "geheimnis schlüssel zugangsschlüssel zugangsdaten",
  fr: "clé-api clé-d'api clé-secrète clé-d'accès clé-privée clef-api clé-de jeton-d'accès jeton",
  es: "clave-api clave-de-api clave-secreta clave-privada secreto credenciales",
  it: "chiave-api chiave-segreta chiave-privata chiave-di-accesso segreto credenziali gettone",
  pt: "chave-api chave-da-api chave-de-api chave-secreta chave-privada chave-de-acesso segredo credenciais",
  nl: "api-sleutel sleutel toegangssleutel geheim inloggegevens",
  pl: "klucz sekret dane-logowania",
  ru: "ключ токен секрет учётные-данные",
  tr: "anahtarı anahtar gizli-anahtar",
  cs: "klíč",
  sv: "nyckel hemlighet",
  ar: "مفتاح رمز",
  ja: "キー トークン シークレット 秘密鍵 アクセスキー",
  zh: "密钥 秘钥 令牌 私钥 金鑰 凭证 密鑰",
  ko: "키 토큰 시크릿 비밀키",
};

const weak =
  "key pat auth session sid sig signature code seed login wifi wlan phpsessid jsessionid sessionid sessid";
const phrases =
  "mnemonic seed-phrase recovery-phrase secret-phrase seed-words recovery-words backup-phrase wallet-phrase recovery-codes backup-codes recovery-code backup-code metamask-words wallet-words ledger-words secret-words 12-words 24-words";

/** Words of one name may be joined by a blank, a hyphen or an underscore, or stand together. */
export function listSecretNames(): SecretName[] {
  const names: SecretName[] = [];
  const add = (words: string, level: NameLevel): void => {
    for (const word of words.split(" ")) {
      const isWhole = word !== "token" && /^[\u0000-\u024f]+$/.test(word) && word.length <= 5;
      const spellings = word.includes("-")
        ? [" ", "-", "_", ""].map((glue) => word.replaceAll("-", glue))
        : [word];
      for (const spelling of new Set(spellings)) names.push({ word: spelling, level, isWhole });
    }
  };
  for (const words of Object.values(passwords)) add(words, "password");
  for (const words of Object.values(secrets)) add(words, "secret");
  add(phrases, "phrase");
  add(weak, "weak");
  const byWord = new Map<string, SecretName>();
  for (const name of names) if (!byWord.has(name.word)) byWord.set(name.word, name);
  return [...byWord.values()];
}

const behind = new Set(
  `count counts limit limits type types name names url uri file files path paths dir length len size expiry expires
  expiration expired expire exp ttl age id ids policy policies hash hashed hasher hashes hashing field fields input
  label hint hints placeholder form reset change changed strength manager provider providers service store storage
  ref refs arn endpoint endpoints version format prefix suffix usage budget price cost per rate window counter stream
  parser error errors failed failure required enabled disabled valid validator validation rotation rotate generator
  index column table schema class config callback handler func fn request response scope scopes issuer audience
  algorithm alg bits source env var variable variables missing invalid list map set pair pairs bucket exchange
  requests responses refresh check checks checker encoder encoder encoding decoder cache location mode method methods
  info metadata meta only less free based auth test tests at on in of for by from to is are was alias aliases owner
  created updated rotated used last next min max attempts attempt retries retry timeout interval protected protection
  lookup mgr realm variant variants regex pattern challenge vault agent server client page screen dialog view component module plugin plugins package lib library
  sha digest fingerprint helper helpers docs doc readme example examples template templates status state event events log logs logger level code`
    .split(/\s+/)
    .filter(Boolean),
);

/** `token_count`, `passwordFile`, `secretName`: what stands behind the word says that the value is something else. */
function isAboutSecret(suffix: string): boolean {
  return suffix !== "" && splitWords(suffix).some((word) => behind.has(word));
}

const before: Readonly<Record<string, ReadonlySet<string>>> = {
  token: new Set(
    "page next prev previous continuation continue sync cursor pad padding eos bos unk cls sep mask special max min num total prompt completion input output cached reasoning usage stop start end new per n of cancellation cancel abort lex syntax design first last current image text audio byte word sub million k".split(
      " ",
    ),
  ),
  key: new Set(
    "primary foreign public pub gpg pgp partition sort cache hash object row unique index idempotency lookup map dict dictionary translation i18n composite natural surrogate candidate shard sharding routing group grouping config registry hot arrow shortcut enter escape esc tab ctrl shift alt cmd meta function modifier home end delete data metric label json property prop attribute react list item query mutation store storage s3 field column message event topic kafka record header param parameter env environment setting feature flag low high major minor host known trusted dedupe dedup join order search state issue project jira epic ticket turn on off don mon tur whis hoc joc doc chec bro".split(
      " ",
    ),
  ),
};

/** The part before the word, when it makes an ordinary thing of it: `next_page_token`, `primary key`. */
function isOrdinaryBefore(word: string, prefix: string): boolean {
  return before[word]?.has(lastWord(prefix)) === true;
}

const keyOwners = new Set(
  "api access global genie secret private priv signing sign encryption encrypt decryption decrypt master account storage shared preshared auth authentication service deploy license licence product activation serial subscription admin app application client server consumer session security root webhook crypto aes hmac jwt wifi wpa wlan network wallet recovery write read ingest integration team personal user openai anthropic claude gemini google stripe azure aws sendgrid mailgun twilio github gitlab datadog sentry algolia firebase supabase cloudflare pinecone cohere mistral groq huggingface dev prod live test staging ssl tls cert bearer backup restricted instrumentation connection primary secondary rest maps vault unseal transfer bot clé chave clave chiave klucz".split(
    " ",
  ),
);

/** `api key`, `secret_access_key`, `WIFI_KEY`: a key that opens something. */
function isKeyOfSomething(prefix: string): boolean {
  return keyOwners.has(lastWord(prefix));
}

/** The last word or hump of a name: `page` of `nextPage` and of `next_page_`. */
function lastWord(prefix: string): string {
  let end = prefix.length;
  while (end > 0 && prefix.length - end < 2 && /[ _.-]/.test(prefix[end - 1]!)) end--;
  const kind = end === 0 ? undefined : kinds.find((each) => each.test(prefix[end - 1]!));
  if (kind === undefined) return "";
  let start = end;
  while (start > 0 && end - start < 20 && kind.test(prefix[start - 1]!)) start--;
  if (kind === kinds[0] && start > 0 && /[A-Z]/.test(prefix[start - 1]!)) start--;
  return prefix.slice(start, end).toLowerCase();
}

const kinds = [/[a-zà-ÿ]/, /[A-Z]/, /\d/];

function splitWords(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
}

/** A word for a secret in a text, with the name around it: `DB_PASSWORD_2024`, `Secret access key`. */
export interface NameAt {
  readonly level: NameLevel;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const maxBefore = 64;
const maxBehind = 48;

/** The whole name around a word that was met, or null where the word means something else. */
export function readName(scan: Scan, name: SecretName, wordEnd: number): NameAt | null {
  const { text } = scan;
  const wordStart = wordEnd - name.word.length;
  const isLatin = name.word.charCodeAt(0) < 0x250;
  let start = wordStart;
  while (start > 0 && wordStart - start < maxBefore && isNamePart(text.charCodeAt(start - 1))) start--;
  let end = wordEnd;
  if (isLatin)
    while (end < text.length && end - wordEnd < maxBehind && isNamePart(text.charCodeAt(end))) end++;
  // A name does not end in a dot or hyphen: `the password.`
  while (end > wordEnd && /[.-]/.test(text[end - 1]!)) end--;
  const word = text.slice(wordStart, wordEnd);
  const [prefix, suffix] = [text.slice(start, wordStart), text.slice(wordEnd, end)];
  // Letters of chance spell words, too.
  if (end - start > 32 && isRandom(text.slice(start, end), 32) && isScattered(text.slice(start, end)))
    return null;
  if (isLatin && !isWordEnd(word, suffix)) return null;
  if (name.isWhole && !isWordStart(word, prefix)) return null;
  // Of other scripts there is no hump of a camel: a letter before it makes it another word.
  if (isLatin && /[\u00c0-\u024f]$/.test(text.slice(wordStart - 1, wordStart))) return null;
  const isPlural = /^s(?![a-z])/i.test(suffix);
  if (isAboutSecret(isPlural ? suffix.slice(1) : suffix)) return null;
  const head = text.slice(Math.max(scan.lineStart(wordStart), wordStart - 32), wordStart);
  if (
    isOrdinaryBefore(name.word, head) ||
    (/[\w:*-]/.test(text[wordStart - 1] ?? "") &&
      /arn:[\w:*-]{0,80}$/.test(text.slice(Math.max(0, wordStart - 100), wordStart)))
  )
    return null;
  if (
    /\.(?:[cm]?[jt]sx?|py|go|rs|md|json|ya?ml|java|rb|php|sh|txt|toml|html|css|vue|kt|cs|cpp|h)$/.test(
      text.slice(start, end),
    )
  )
    return null;
  let { level } = name;
  const isHeader = /^x-[a-z-]{1,40}$/i.test(text.slice(start, end));
  if (name.word === "key" && (isHeader || isKeyOfSomething(head))) level = "secret";
  if (
    name.word === "key" &&
    /(?:ssid|wi-?fi|wlan)\b[^\n]{0,60}$/i.test(text.slice(Math.max(scan.lineStart(start), start - 80), start))
  )
    level = "password";
  const isQuery = text[start - 1] === "?" || text[start - 1] === "&" || text.startsWith(";", start - 1);
  const isBasic = /auth$/i.test(word) && text[end] === "=";
  if (name.level === "weak" && isQuery && text[end] === "=") level = "query";
  else if (isBasic) level = "pair";
  if (name.word === "token" && isPlural && !/[A-Z]/.test(word)) level = "weak";
  return { level, start, end, text: text.slice(start, end) };
}

function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}

/** `tokens`, `token_2`, `tokenProd` and `TOKENPROD`, but not `tokenizer` and `passwordless`. */
function isWordEnd(word: string, suffix: string): boolean {
  const rest = suffix.replace(/^(?:s|S|es|en)(?![a-z])/, "");
  if (rest === "" || /^[^A-Za-z]/.test(rest)) return true;
  const isSmall = /[a-z]$/.test(word);
  return isSmall && /^[A-Z]/.test(rest);
}

function isWordStart(word: string, prefix: string): boolean {
  if (prefix === "" || !/[A-Za-z]$/.test(prefix)) return true;
  if (/^[A-Z]/.test(word) && /[a-z]$/.test(prefix)) return true;
  return /(?:user|db|my|admin|root|api|mail|smtp|ftp|sql|auth|access|account|login|my|new|old|sudo|vpn|ssh|wifi|redis|pg)$/i.test(
    prefix,
  );
}
