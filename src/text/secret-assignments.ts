/** A secret that is known by the name it is given, not by its own shape. */
export interface FoundValue {
  readonly kind: string;
  /** UTF-16 offsets of the value, without quotes. */
  readonly start: number;
  readonly end: number;
}

const names = [
  "api[_-]?key",
  "secret[_-]?access[_-]?key",
  "(?:access|secret|private|signing|encryption|master|account)[_-]?key",
  "client[_-]?secret",
  "secret",
  "token",
  "passw(?:or)?d",
  "passphrase",
  "pwd",
  "[_-]pass",
  "credentials?",
  "[_-]key",
].join("|");
const suffix = String.raw`(?:_(?:base|value|prod|dev|test|live|staging|v?\d{1,2}))?`;
const quote = "\\\\?[\"'`]";
const value = `(?:(${quote})([^"'\`\\r\\n\\\\]{4,512})(?=${quote})|([^\\s"'\`,;&<>(){}[\\]\\\\|]{4,512}))`;

/** Starts with a fixed word and repeats only so many times: linear. */
const assignment = new RegExp(
  `(${names})${suffix}(${quote})?(\\s{0,3})(?:=>|:=|[:=])(\\s{0,3})${value}`,
  "dgi",
);
/** `--api-key VALUE` */
const flag = new RegExp(`--[a-z-]{0,24}?(${names}) {1,3}${value}`, "dgi");
const header = new RegExp(
  `authorization(?:${quote})?\\s{0,3}[:=]\\s{0,3}(?:${quote})?((?:bearer|basic|token|digest|apikey|negotiate|key)\\s{1,3})?` +
    "([^\\s\"'`,;\\\\]{6,4096})",
  "dgi",
);
const bearer = /\bbearer\s{1,3}([A-Za-z0-9._~+/=-]{16,4096})/dgi;
const cookie = /\bcookie["']?\s{0,2}:\s{0,2}["']?([\w.-]{1,64}=[^\r\n"'\\]{6,4096})/dgi;
/** Everything from the user on, up to the last `@` before the path. */
const userinfo = /:\/\/([^\s/@:"'`<>?#\\]{0,256}:[^\s/"'`<>?#\\]{1,256}|[A-Za-z0-9_-]{20,256})@/dgi;

/** A part of whatever the expressions above find: most texts have none, and are looked through once instead of often. */
const anyName = /:\/\/|authorization|bearer|cookie|key|secret|token|pass|pwd|credential/i;

/** Values of headers, addresses and settings that are secret by their place. In order of their rules, not of the text. */
export function findNamedSecrets(text: string): FoundValue[] {
  const found: FoundValue[] = [];
  if (!anyName.test(text)) return found;
  const take = (kind: string, span: [number, number] | undefined): void => {
    if (span !== undefined && !text.startsWith(maskStart, span[0])) {
      found.push({ kind, start: span[0], end: span[1] });
    }
  };
  if (text.includes("://")) {
    for (const match of text.matchAll(userinfo)) take("userinfo", match.indices?.[1]);
  }
  for (const match of text.matchAll(header)) {
    if (isPlaceholder(match[2]!)) continue;
    if (match[1] !== undefined || isRandom(match[2]!, 16)) take("authorization", match.indices?.[2]);
  }
  for (const match of text.matchAll(bearer)) {
    if (isRandom(match[1]!, 16)) take("authorization", match.indices?.[1]);
  }
  for (const match of text.matchAll(cookie)) take("cookie", match.indices?.[1]);
  for (const match of eachMatch(text, assignment)) {
    const [, name = "", quoteOfName, before, after, , quoted, bare = ""] = match;
    const followedBy = text[match.index + match[0].length];
    const isTight = before === "" && after === "" && quoteOfName === undefined;
    const isSecret =
      quoted !== undefined
        ? isQuotedSecret(name, quoted)
        : isBareSecret(name, bare, { isTight, isCall: followedBy === "(" || followedBy === "[" });
    const span = match.indices?.[quoted === undefined ? 7 : 6];
    if (isSecret) take("assignment", span);
    // `secret: password=…`: what is no value may be the next name.
    else assignment.lastIndex = span?.[0] ?? assignment.lastIndex;
  }
  for (const match of text.matchAll(flag)) {
    const [, name = "", , quoted, bare = ""] = match;
    const isSecret =
      quoted !== undefined
        ? isQuotedSecret(name, quoted)
        : isBareSecret(name, bare, { isTight: false, isCall: false });
    if (isSecret) take("assignment", match.indices?.[quoted === undefined ? 4 : 3]);
  }
  return found;
}

const maskStart = "[redacted:";

/** Like `matchAll`, but the place to go on from may be set meanwhile. */
function* eachMatch(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) yield match;
}

function isQuotedSecret(name: string, text: string): boolean {
  if (isPlaceholder(text)) return false;
  if (isBareKey(name)) return isUpperCase(name) && isRandom(text, 16);
  if (/^(?:\/[a-z][\w-]*\/|arn:aws:)/.test(text)) return false;
  return isPassword(name) || (text.length >= 8 && !text.includes(" ") && !isNumber(text));
}

/** Without quotes it may be code or prose: `token = readToken()`, `password: see the safe`. */
function isBareSecret(
  name: string,
  text: string,
  { isTight, isCall }: { isTight: boolean; isCall: boolean },
): boolean {
  if (isPlaceholder(text) || isCall || /^[./~]|:\/\//.test(text)) return false;
  if (isBareKey(name)) return isTight && isUpperCase(name) && isRandom(text, 16);
  if (isNumber(text)) return isPassword(name) && isTight;
  if (/^[A-Za-z_$][\w$]{0,64}\??(?:\.[A-Za-z_$][\w$]{0,64}){1,8}$/.test(text) && !isRandom(text, 24))
    return false;
  if (!isTight) return isRandom(text, isPassword(name) ? 6 : 10);
  if (isUpperCase(name)) return text.length >= (isPassword(name) ? 4 : 6);
  return isRandom(text, 6) || (/^[a-z]{6,}$/i.test(text) && !text.toLowerCase().includes(name.toLowerCase()));
}

function isPassword(name: string): boolean {
  return /pass|pwd/i.test(name);
}

function isBareKey(name: string): boolean {
  return /^[_-]key$/i.test(name);
}

function isUpperCase(name: string): boolean {
  return name === name.toUpperCase();
}

function isNumber(text: string): boolean {
  return /^[\d.,_-]+$/.test(text);
}

/** Letters and digits, or capitals amid small letters: not a word, a name in code or a path. */
function isRandom(text: string, minLength: number): boolean {
  if (text.length < minLength || /^[\w./-]{1,200}\.[a-z]{1,5}(?::\d{1,6})?$/.test(text)) return false;
  return (
    (/\d/.test(text) && /[A-Za-z]/.test(text)) || (text.length >= 20 && /[a-z][A-Z]+[a-z]+[A-Z]/.test(text))
  );
}

function isPlaceholder(text: string): boolean {
  return (
    text.startsWith(maskStart) ||
    /^(?:[$%<]|\{\{|process\.env|import\.meta|os\.|env[.:[(]|your[-_ ]|x{3}|\*{3}|\.{3}|…)/i.test(text) ||
    // A key that is only hinted at: `sk-...`
    /^[\w-]{0,12}(?:\.{3}|…)[`'"]?$/.test(text) ||
    /^(?:null|undefined|none|true|false|string|number|boolean|required|optional|secret|password|token)[,;.)]?$/i.test(
      text,
    )
  );
}
