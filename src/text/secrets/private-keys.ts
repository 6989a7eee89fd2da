import type { Scan } from "./scan.ts";

const maxKey = 65_536;
/** A line of a key, with what may surround it: markup of quotes, lists and strings, and escaped line breaks. */
const bodyLine = /^[ \t>|*+"'`#/.,;\\-]{0,40}(?:[A-Za-z0-9+/=]|\\[nr]|[,"'+\s]){12,}[\\"'`,;+ \t]{0,8}$/;
const headerLine =
  /^[ \t>|*+"'`-]{0,40}(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset|Subject|Encryption|Key-Derivation|Public-Lines|Private-Lines|Private-MAC|Argon2-[A-Za-z]+):/;
const blankLine = /^[ \t>|*+"'`\\nr-]{0,40}$/;

/** From `-----BEGIN … PRIVATE KEY` to its end, or as far as lines look like the body of a key. */
export function findPrivateKey(scan: Scan, wordEnd: number): void {
  const { text } = scan;
  const start = wordEnd - "-----BEGIN".length;
  const head = /^-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?(?: ?-{4,5})?/.exec(
    text.slice(start, start + 100),
  )?.[0];
  if (head === undefined) return;
  // A body on one line, without line breaks, ends at its last character.
  scan.add("private-key", start, findEnd(scan, start + head.length, "-----END"));
}

/** `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----` */
export function findSsh2Key(scan: Scan, wordEnd: number): void {
  const start = wordEnd - "---- BEGIN SSH2".length;
  const head = /^---- BEGIN SSH2[A-Z0-9 ]{0,30}PRIVATE KEY ----/.exec(
    scan.text.slice(start, start + 80),
  )?.[0];
  if (head !== undefined) scan.add("private-key", start, findEnd(scan, start + head.length, "---- END"));
}

/** A PuTTY key ends with its MAC. */
export function findPuttyKey(scan: Scan, wordEnd: number): void {
  const { text } = scan;
  const mac = scan.next("Private-MAC:", wordEnd);
  const end =
    mac !== -1 && mac - wordEnd < maxKey
      ? mac + /^Private-MAC:[ \t]*[0-9a-f]*/i.exec(text.slice(mac, mac + 120))![0].length
      : findBodyEnd(scan, scan.lineEnd(wordEnd));
  scan.add("private-key", wordEnd - "PuTTY-User-Key-File-".length, end);
}

function findEnd(scan: Scan, from: number, mark: string): number {
  const { text } = scan;
  const end = scan.next(mark, from);
  const begin = scan.next("BEGIN", from);
  if (end !== -1 && end - from <= maxKey && (begin === -1 || begin > end)) {
    const close = /^(?:-----END|---- END)[A-Z0-9 ]{0,60}-{0,5}/.exec(text.slice(end, end + 100));
    return end + close![0].length;
  }
  const body = /^(?:\s|\\[rn])*(?:[A-Za-z0-9+/=]{16,}(?:\\[rn]|\s)*)*/;
  const lineEnd = scan.lineEnd(from);
  const onLine = from + body.exec(text.slice(from, Math.min(lineEnd, from + maxKey)))![0].length;
  return lineEnd - onLine > 8 ? onLine : findBodyEnd(scan, lineEnd);
}

function findBodyEnd(scan: Scan, lineEnd: number): number {
  const { text } = scan;
  let end = lineEnd;
  for (let at = text.indexOf("\n", lineEnd) + 1; at > 0 && at < text.length && at - lineEnd < maxKey; ) {
    const next = text.indexOf("\n", at);
    const stop = next === -1 ? text.length : next;
    const line = text.slice(at, Math.min(stop, at + 400)).replace(/\r$/, "");
    const isBody = bodyLine.test(line) && !/[a-z]{2,} [a-z]{2,} [a-z]/.test(line);
    if (isBody || headerLine.test(line)) end = text[stop - 1] === "\r" ? stop - 1 : stop;
    else if (!blankLine.test(line)) break;
    if (next === -1) break;
    at = next + 1;
  }
  return end;
}

const jwkPart = /"(?:d|p|q|dp|dq|qi|k)"\s{0,4}:\s{0,4}"([\w=+/-]{16,2048})"/g;

/** The private members of a JSON web key. */
export function findWebKey(scan: Scan, at: number): void {
  // Scanning the same object again finds nothing new.
  if (scan.text.slice(Math.max(0, at - 256), at - 5).includes('"kty"')) return;
  const from = Math.max(0, at - 4096);
  const part = scan.text.slice(from, at + 4096);
  const open = part.lastIndexOf("{", at - from);
  const close = part.indexOf("}", at - from);
  const object = part.slice(Math.max(0, open), close === -1 ? part.length : close);
  for (const match of object.matchAll(jwkPart)) {
    const start = from + Math.max(0, open) + match.index + match[0].length - 1 - match[1]!.length;
    scan.add("private-key", start, start + match[1]!.length);
  }
}
