import { matchAt, type Scan } from "./scan.ts";
import { isPlaceholder, isReference, isStrongPassword } from "./values.ts";

const maxAddress = 2048;
const host =
  /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\]|\$?\{?[\w.]{1,60}\}?|[\w.-]{1,100}\([\w.:-]{1,100}\))(?::\d{1,5})?(?:[,/?#)\]}"'>;]|$)/i;

/** The user and password of a URL, up to the `@` before its host. Passwords may contain `/`, `#` or `?`. */
export function findUserinfo(scan: Scan, at: number): void {
  const { text } = scan;
  const whole = text.slice(at, Math.min(scan.runEnd(at), scan.lineEnd(at), at + maxAddress));
  const stop = whole.search(/["`<>]|'(?:[\s,;)]|$)/);
  const length = findUserinfoEnd(stop === -1 ? whole : whole.slice(0, stop));
  if (length > 0) scan.add("userinfo", at, at + length);
}

function findUserinfoEnd(address: string): number {
  const colon = address.indexOf(":");
  const slash = address.search(/[/?#]/);
  const firstAt = address.indexOf("@");
  if (firstAt === -1) return 0;
  if (colon === -1 || colon > firstAt || (slash !== -1 && slash < colon)) {
    // A token instead of the user.
    const isToken =
      (slash === -1 || firstAt < slash) &&
      /^[\w.~%-]{20,256}$/.test(address.slice(0, firstAt)) &&
      /\d/.test(address.slice(0, firstAt));
    return isToken ? firstAt : 0;
  }
  // `host:8080/@scope`: a port, not a password.
  const isPort = /^\d{1,5}(?:[/?#]|$)/.test(address.slice(colon + 1)) && slash !== -1 && slash < firstAt;
  if (isPort) return 0;
  let best = 0;
  for (let at = firstAt, tries = 0; at !== -1 && tries < 16; at = address.indexOf("@", at + 1), tries++) {
    // After the path an `@` belongs to it, unless there was no host before.
    if (best > 0 && /[/?#]/.test(address.slice(best, at))) break;
    if (host.test(address.slice(at + 1))) best = at;
  }
  if (best === 0) return 0;
  const [user, password] = [address.slice(0, colon), address.slice(colon + 1, best)];
  return isFilledIn(user, password) ? 0 : best;
}

/** `user:password@host` and the like are examples of the syntax. */
function isFilledIn(user: string, password: string): boolean {
  if (
    password === "" ||
    isReference(password) ||
    /^(?:\$\{?\w+\}?|%\w+%|<[^>]*>?|\{+[\w. ]+\}+|\[[\w ]+\]|\*+|x{3,}|\.{3}|…)$/i.test(password)
  )
    return true;
  if (password.startsWith("[redacted") || /^\$\{/.test(password)) return true;
  if (
    /^(?:pass|password|passwd|pwd|pw|secret|token|p|b|xyz|bar|baz|123|1234|somepassword|mypass|mypassword|passwort|motdepasse|contraseña|senha)$/i.test(
      password,
    )
  )
    return true;
  return isPlaceholder(password) && /^(?:user|username|usr|me|<|your|my|u)/i.test(user);
}

const accountValue = /[/:][ \t]?([^\s"'`,;|<>()]{6,64})/y;

/** `grafana admin:…`, `admin/…`: an administrator account followed by a password. */
export function findAccount(scan: Scan, end: number): void {
  const before = scan.text[end - 6] ?? " ";
  const value = matchAt(accountValue, scan.text, end)?.[1]?.replace(/[.:]+$/, "");
  if (value === undefined || value.includes("/") || !isStrongPassword(value)) return;
  const start = scan.text.indexOf(value, end);
  if (/[\s"'`(→:]/.test(before)) scan.add("assignment", start, start + value.length);
}

/** `root:secret@tcp(localhost:3306)/db` */
export function findDriverAddress(scan: Scan, at: number): void {
  const { text } = scan;
  const from = Math.max(scan.lineStart(at), at - 160);
  const match = /(?:^|["'`\s=])([\w.-]{1,64}):([^\s"'`]{1,128})$/.exec(text.slice(from, at));
  if (match === null || isFilledIn(match[1]!, match[2]!)) return;
  scan.add("userinfo", at - match[2]!.length, at);
}

const oracleLogin =
  /(?:[ \t]{1,3}(?:-\w{1,8}[ \t]{1,3}){0,3})?["']?([\w.$-]{1,64})\/"?([^\s"'`]{4,128})"?@(?=[\w/(])/y;

/** `jdbc:oracle:thin:scott/tiger@//host`, `sqlplus scott/tiger@orcl` */
export function findOracleLogin(scan: Scan, end: number): void {
  const match = matchAt(oracleLogin, scan.text, end);
  if (match === null || isFilledIn(match[1]!, match[2]!)) return;
  const start = end + match[0].lastIndexOf(match[2]!);
  scan.add("userinfo", start, start + match[2]!.length);
}
