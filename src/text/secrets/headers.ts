import { endAt, matchAt, type Scan } from "./scan.ts";
import { isPlaceholder, isRandom, isReference } from "./values.ts";

const separator = /["'`*]{0,3}[ \t]{0,3}[:=,]{1,2}[ \t]{0,3}\\?["'`*]{0,3}/y;
const scheme =
  /(?:bearer|basic|token|digest|apikey|api-key|negotiate|key|bot|ssws|splunk|genie?key|aws4-hmac-sha256|sharedkey|oauth|jwt)(?=[ \t=])[ \t=]{1,3}(?:token=|credential=)?["']?/iy;
const credential = /[^\s"'`,;<>\\]{6,256}/y;
const rest = /[^\s"'`,;<>\\]{0,16384}/y;

/** `Authorization: Bearer …`, `Proxy-Authorization: Basic …` */
export function findAuthorization(scan: Scan, end: number): void {
  const at = endAt(separator, scan.text, end);
  if (at === -1) return;
  const afterScheme = endAt(scheme, scan.text, at);
  if (afterScheme === -1) takeCredential(scan, at, 16);
  else takeCredential(scan, afterScheme, 6);
}

/** `bearer …` anywhere. */
export function findBearer(scan: Scan, end: number): void {
  const match = /^[ \t]{1,3}["'`]?/.exec(scan.text.slice(end, end + 6));
  if (match !== null) takeCredential(scan, end + match[0].length, 16);
}

/** `Basic …` anywhere, if it encodes a user and a password. */
export function findBasic(scan: Scan, end: number): void {
  const match = /^[ \t]{1,3}["'`]?([A-Za-z0-9+/]{12,400}={0,2})(?![\w+/-])/.exec(
    scan.text.slice(end, end + 408),
  );
  if (match === null) return;
  const decoded = Buffer.from(match[1]!, "base64").toString("latin1");
  if (!/^[\w.@+-]{1,64}:[\x21-\x7e]{4,}$/.test(decoded)) return;
  const start = end + match[0].length - match[1]!.length;
  scan.add("authorization", start, start + match[1]!.length);
}

function takeCredential(scan: Scan, at: number, minLength: number): void {
  const head = matchAt(credential, scan.text, at)?.[0];
  const value = head?.replace(/[.)\]}]+$/, "");
  if (value === undefined || value.length < 6 || isPlaceholder(value) || isReference(value)) return;
  if (/^[({[$]|^https?:|\(/.test(value)) return;
  if (minLength > 6 ? !isRandom(value, minLength) : !/\d|[A-Z].*[a-z].*[A-Z]/.test(value) || value.length < 8)
    return;
  const isCut = head!.length === 256;
  scan.add("authorization", at, isCut ? endAt(rest, scan.text, at) : at + value.length);
}

const cookies = /["']?[ \t]{0,2}[:=][ \t]{0,2}["']?([\w.$-]{1,64}=[^\r\n"'\\]{6,512})/y;
const cookieFlag = /[ \t=]{1,3}["']?([\w.$-]{1,64}=[^\r\n"'\\]{6,512})/y;
const moreCookies = /[^\r\n"'\\]{0,16384}/y;

/** `Cookie: sid=…; theme=dark`, to the end of the line. */
export function findCookie(scan: Scan, end: number): void {
  for (const pattern of [cookies, cookieFlag]) {
    const match = matchAt(pattern, scan.text, end);
    if (match === null) continue;
    const pairs = match[1]!;
    const hasSecret = pairs
      .slice(0, 4096)
      .split(";")
      .some((part) => {
        const value = part.slice(part.indexOf("=") + 1).trim();
        return !isPlaceholder(value) && !isReference(value) && !value.startsWith("<") && isRandom(value, 10);
      });
    if (!hasSecret) return;
    const stop = end + match[0].length;
    scan.add("cookie", stop - pairs.length, endAt(moreCookies, scan.text, stop));
    return;
  }
}
