import { endAt, type FoundSecretAt, type Scan } from "./scan.ts";
import { isMixed, isScattered } from "./values.ts";

/** Runs of key characters that are longer than words. */
const minRun = 24;

/**
 * Finds secrets without a prefix or a name: tokens recognized by their parts, wallet keys, an AWS secret beside its id,
 * and known shapes in base64. Jumps from run to run by their ends, so that prose costs next to nothing.
 */
export function findRuns(scan: Scan, isSecretInside: (text: string) => boolean): void {
  const { text } = scan;
  let start = 0;
  while (start + minRun <= text.length) {
    let back = start + minRun - 1;
    while (back >= start && isRunCharacter(text.charCodeAt(back))) back--;
    if (back >= start) {
      start = back + 1;
      continue;
    }
    let end = start + minRun;
    while (end < text.length && isRunCharacter(text.charCodeAt(end))) end++;
    // An escaped line break, `\n`, ends in a letter.
    const isEscape = text[start - 1] === "\\" && /[nrt]/.test(text[start]!);
    checkRun(scan, isEscape ? start + 1 : start, end, isSecretInside);
    start = end + 1;
  }
}

function isRunCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 43 ||
    code === 47
  );
}

const discordRest = /\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/y;
const awsSecret = /^[A-Za-z0-9/+]{40}$/;
/** A Bitcoin key as wallets export it; its checksum is not verified, because a typo makes it no less secret. */
const walletKey = /^(?:5[HJK]|[KL]|9|c)[1-9A-HJ-NP-Za-km-z]{49,51}$/;
const maxDecoded = 32_768;

function checkRun(scan: Scan, start: number, end: number, isSecretInside: (text: string) => boolean): void {
  const found = recogniseRun(scan, start, end);
  if (found !== null) scan.add(found.kind, found.start, found.end);
  else if (end - start >= 28) checkEncoded(scan, start, end, isSecretInside);
}

function recogniseRun(scan: Scan, start: number, end: number): FoundSecretAt | null {
  const length = end - start;
  const run = scan.text.slice(start, Math.min(end, start + 160));
  if (length <= 30 && /^[MNO][\w-]{23,27}$/.test(run)) {
    const stop = endAt(discordRest, scan.text, end);
    if (stop !== -1) return { kind: "discord-token", start, end: stop };
  }
  if (length === 34 && /^(?:SK|AC)[0-9a-f]{32}$/.test(run)) return { kind: "twilio-key", start, end };
  if ((length === 51 || length === 52) && walletKey.test(run) && isMixed(run)) {
    return { kind: "wallet-key", start, end };
  }
  if (length <= maxMarked && isMarkedKey(run)) return { kind: "vendor-key", start, end };
  const isAws = length === 40 && awsSecret.test(run) && isMixed(run);
  return isAws && isNearAwsId(scan, start) ? { kind: "aws-secret", start, end } : null;
}

const maxMarked = 160;
const marked = /^[a-z][a-z0-9]{1,14}(?:[_-][a-z0-9]{1,12}){0,3}[_-](?=([A-Za-z0-9]{16,128})$)/;
const secretLabel =
  /(?:^|[_-])(?:live|prod|production|secret|sk|rk|pat|oat|key|apikey|api|token|tok|priv|private|access|service)(?=[_-])/;

/** Most vendors use the same form of prefix, including those in no table: `acme_live_…`, `acme_…`. */
function isMarkedKey(run: string): boolean {
  const match = marked.exec(run);
  if (match === null || !isScattered(match[1]!)) return false;
  const [label, body] = [match[0], match[1]!];
  if (/^[0-9a-f]+$/.test(body)) return body.length >= 32 && /_$/.test(label) && secretLabel.test(label);
  if (!isMixed(body)) return false;
  return secretLabel.test(label) ? body.length >= 20 : body.length >= 36 && /^[a-z0-9]{2,8}_$/.test(label);
}

/** An id and its secret are copied together, onto one line or two. */
function isNearAwsId(scan: Scan, start: number): boolean {
  const near = scan.text.slice(Math.max(0, start - 200), start + 200);
  return /(?:AKIA|ASIA)[A-Z0-9]{16}|redacted:aws-key/.test(near);
}

/** Base64 of a text that contains a known shape, a named value or a private key. */
function checkEncoded(
  scan: Scan,
  start: number,
  end: number,
  isSecretInside: (text: string) => boolean,
): void {
  const { text } = scan;
  const sample = text.slice(start, start + 32);
  if (/^[0-9a-f]+$|^[a-z_-]+$|^[A-Z_-]+$|[/_-]{2}|^\//.test(sample) || !isText(Buffer.from(sample, "base64")))
    return;
  let from = start;
  while (from < end && /[=/_-]/.test(text[from]!)) from++;
  const decoded = Buffer.from(text.slice(from, Math.min(end, from + maxDecoded)), "base64");
  if (!isText(decoded.subarray(0, Math.max(0, decoded.length - 3)))) return;
  if (!isSecretInside(decoded.toString("latin1"))) return;
  const padding = /^={1,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0;
  scan.add("encoded-secret", from, end + padding);
}

function isText(bytes: Uint8Array): boolean {
  for (const byte of bytes)
    if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte > 126) return false;
  return bytes.length > 0;
}

const cardNumber =
  /(?<![\w.+-])(?:[3-6]\d{3}[ -]\d{4}[ -]\d{4}[ -]\d{4}|3[47]\d{2}[ -]\d{6}[ -]\d{5}|2[2-7]\d{2}[ -]\d{4}[ -]\d{4}[ -]\d{4}|[3-6]\d{14,15}|2[2-7]\d{14})(?![\w-]|\.\d)/g;

/** Payment card numbers, by their issuer's digits and the Luhn checksum. */
export function findCards(scan: Scan): void {
  for (const match of scan.text.matchAll(cardNumber)) {
    const digits = match[0].replaceAll(/\D/g, "");
    const isIssued =
      /^(?:4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{12,13}|35\d{14}|6(?:011|5\d\d|4[4-9]\d|2\d\d)\d{12})$/.test(
        digits,
      );
    if (isIssued && hasLuhn(digits)) scan.add("card-number", match.index, match.index + match[0].length);
  }
}

function hasLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
