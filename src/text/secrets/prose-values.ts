import { once } from "../once.ts";
import { findPhrase } from "./long-values.ts";
import { endAt, type Line, matchAt, readLinesBelow, type Scan } from "./scan.ts";
import type { NameAt } from "./secret-names.ts";
import { isSecretValue, labelledValue } from "./secret-value.ts";
import { readValue, wholeEnd } from "./value-extent.ts";
import {
  isEmail,
  isExpression,
  isMixed,
  isNumber,
  isOrdinaryWord,
  isPasswordLike,
  isPath,
  isPlaceholder,
  isProse,
  isRandom,
  isReference,
  isScattered,
  isStrongPassword,
  isTechnicalWord,
  isUrl,
  isUuid,
  isWordyIdentifier,
} from "./values.ts";

const reach = 140;

const english =
  "is|are|was|becomes|reads|equals|remains|to be|to|=|→|->|—|–|-|ist|sind|lautet|lauten|est|è|é|jest|sono|são|es|это";
const others = `${english}|war|heißt|heisst|c'est|sont|était|son|era|será|è|sono|é|são|jest|są|brzmi|to|это|является|je|är|er|on|olan|adalah|là|este|είναι|هي|هو|היא|הוא|है|คือ|wordt|werd|luidt|wird|wurde|sera|devient|foi|będzie|будет|стал|blir|bliver|bude|geändert auf|gesetzt auf|auf`;

/** A few words about what it opens, then the verb: `for the staging database is`. */
function linkedBy(verbs: string): RegExp {
  const adverb =
    "now|still|currently|just|simply|jetzt|nun|aktuell|maintenant|toujours|désormais|ahora|ora|adesso|agora|nu|teraz|теперь|сейчас|to|als|as";
  return new RegExp(
    `(?:'s)?(?:[ \\t]{1,3}(?:[^\\n:=;.!?"'\`()[\\]{}<>|]|['.](?=[\\p{L}\\d])){0,64}?)??(?:'s(?=[ \\t])|[ \\t]{1,3}(?:${verbs})(?=[\\s:"'\`“„«*])|:(?=[ \\t"'\`])|：|は、?|が|是|为|為|就是|는|은|이|가)[ \\t]{0,3}(?:(?:${adverb})[ \\t]{1,2})?:?[ \\t]{0,3}`,
    "uy",
  );
}

const linked = { english: once(() => linkedBy(english)), others: once(() => linkedBy(others)) };
const englishName =
  /(?:password|passwd|pwd|pw|passphrase|passcode|secret|token|key|credential|creds|auth|pin|pass)s?$/i;
const direct = /(?:[ \t]{1,3}\(?|[ \t]*[「『“„«（])/y;
/** Scripts other than Latin need no space before a value in Latin letters: `密码hunter2x9Q`. */
const otherScript = /(?<=[^\u0000-\u024f])[-–—]?(?=([!-~]{8,64})(?![!-~]))/y;
const reversed =
  /["'`“„(*]?([^\s"'`{}[\]()<>]{6,80})["'`”“)*,]{0,3}[ \t]{1,3}(?:(?:[—–-][ \t]{1,3})?(?:that's|that is|this is|it's|das ist|c'est|è|es)|as|is|was|als|comme|como|come|ist|est|es|è|é|jako|как|\((?:that's|this is|=|is|it's|das ist|c'est))[ \t]{1,3}(?:[\p{L}'’-]{1,14}[ \t]{1,3}){0,4}$/u;
const changed =
  /[ \t]{1,3}(?:from|von|de|da|с|z)[ \t]{1,3}(?=(\S{4,80})[ \t]{1,3}(?:to|auf|nach|à|a|para|su|на|na)[ \t]{1,3})/y;
/** What it opens: `the password for the router …`, `пароль администратора …`. */
const opened =
  /(?:[ \t]{1,2}(?!(?:hash|hashes|policy|version|commit|build|ticket|issue|id|file|field|column|class|function|method|type|test|see)\b)[\p{L}\d]{1,16}){1,6}[ \t]{1,2}(?=\S{6,80}[.,;)]?(?:\s|$))/uy;
const pair =
  /[ \t:=\-–—→]{0,8}["'`*]{0,2}([\w.@+-]{2,64})["'`*]{0,2}[ \t]{0,3}(?:\/|:|\||,|\bund\b|\band\b)[ \t]{0,3}(?:pw|pass|password)?[ \t:]{0,2}/y;

/** A secret in a sentence: `the password for staging is …`, `Das Passwort lautet …`, `use … as the password`. */
export function findProseValue(scan: Scan, name: NameAt): boolean {
  const { text } = scan;
  const lineEnd = scan.lineEnd(name.end);
  const isPassword = name.level === "password";
  if (/^passes$/i.test(name.text)) return false;
  if (/(?:logins?|wifi|wlan|wi-fi)$/i.test(name.text) && takePair(scan, name.end)) return true;
  if (name.level === "weak" && /^key$/i.test(name.text)) return takeKey(scan, name.end);
  if (name.level === "phrase" || /(?:^|[_-])seed$/i.test(name.text))
    return takeWords(scan, name.end, lineEnd);
  if (name.level !== "password" && name.level !== "secret") return false;
  const rest = text.slice(name.end, Math.min(lineEnd, name.end + reach));
  if (/[\d"'`“„«「『!@#$%^&*]|[a-z][A-Z][A-Za-z]{0,12}[a-z][A-Z]/.test(rest)) {
    const link = englishName.test(name.text) ? linked.english() : linked.others();
    // `pass` is usually a verb.
    const isVerb = /^pass(?:es)?$/i.test(name.text);
    const at = isVerb ? -1 : endAt(link, text, name.end);
    if (at !== -1) {
      if (takeAt(scan, at, isPassword, true)) return true;
      if (/^(?:pin|pin[ _-]?code|passcode|pincode|geheimzahl)$/i.test(name.text) && takePin(scan, at))
        return true;
    }
    if (isPassword && !isVerb && (takeChanged(scan, name.end) || takeOpened(scan, name.end))) return true;
    const next = endAt(direct, text, name.end);
    const isDirect =
      next !== -1 &&
      (!isVerb || /^[^\s]*[a-z][^\s]*\d|^[^\s]*\d[^\s]*[a-z]/.test(text.slice(next, next + 40)));
    if (isDirect && takeAt(scan, next, isPassword, false)) return true;
    const touching = matchAt(otherScript, text, name.end);
    // Product names touch as well, often with a version: `密码Bitwarden2024`.
    if (touching !== null && !/^[a-z]+[\d.]*\W*$/i.test(touching[1]!)) {
      if (takeAt(scan, name.end + touching[0].length, isPassword, false)) return true;
    }
    if (
      /^(?:creds?|credentials?|logins?|zugangsdaten|credenciales|credenziali|credenciais|identifiants|доступы?)$/i.test(
        name.text.replace(/^.*[_.-]/, ""),
      )
    )
      return takePair(scan, name.end);
  }
  const head = text.slice(Math.max(scan.lineStart(name.start), name.start - reach), name.start);
  const isWord = /^\p{Lu}?\p{Ll}+$/u.test(name.text);
  const match = isWord && /\d/.test(head) ? reversed.exec(head) : null;
  if (match === null) return false;
  const value = match[1]!.replace(/^["'`“„«(*]+|["'`”“»)*,;:]+$/g, "");
  if (!isProseSecret(value, isPassword, false)) return false;
  const start = name.start - head.length + match.index + match[1]!.indexOf(value);
  scan.add("assignment", start, start + value.length);
  return true;
}

function takeAt(scan: Scan, at: number, isPassword: boolean, isLinked: boolean): boolean {
  const value = readValue(scan, at);
  const text = scan.text.slice(value.start, Math.min(value.end, value.start + 4096));
  if (text === "" || /\s/.test(text) || scan.text[value.after] === "(") return false;
  const isClause = /^[\s.,;:!?)*_]*(?:$|[\s.,;)])/.test(scan.text.slice(value.after, value.after + 2));
  if (!isProseSecret(text, isPassword, value.isQuoted && isLinked && isClause)) return false;
  scan.add("assignment", value.start, wholeEnd(scan, value));
  return true;
}

/** `the password was changed from … to …` */
function takeChanged(scan: Scan, at: number): boolean {
  const match = matchAt(changed, scan.text, at);
  if (match === null) return false;
  const start = at + match[0].length;
  const end = start + match[1]!.length;
  const next = /^[ \t]*\S+[ \t]*/.exec(scan.text.slice(end, end + 24))![0];
  const isOld = takeAt(scan, start, true, true);
  return takeAt(scan, end + next.length, true, true) || isOld;
}

function takeOpened(scan: Scan, at: number): boolean {
  const start = endAt(opened, scan.text, at);
  if (start === -1) return false;
  const value = /^["'`“„«]?([^\s"'`”“»]+)/.exec(scan.text.slice(start, start + 82))?.[1];
  return value !== undefined && isStrongPassword(value) && takeAt(scan, start, true, false);
}

function takePin(scan: Scan, at: number): boolean {
  const pin = /^["'`*]{0,2}(\d{4,8})(?![\w-]|[.,]\d)/.exec(scan.text.slice(at, at + 12));
  if (pin === null) return false;
  const start = at + pin[0].length - pin[1]!.length;
  scan.add("assignment", start, start + pin[1]!.length);
  return true;
}

const wordsAhead = /:?[ \t]{1,3}(?:(?:is|are|ist|sind)[ \t:]{1,3})?["'`]?(?=(?:[a-z]{3,8}[ \t]){11})/y;

/** `my seed is …` followed by twelve or more words that make no sentence. */
function takeWords(scan: Scan, at: number, lineEnd: number): boolean {
  const start = endAt(wordsAhead, scan.text, at);
  if (start === -1 || isProse(scan.text.slice(start, Math.min(lineEnd, start + 100)))) return false;
  return findPhrase(scan, start, lineEnd);
}

const keyLead = /(?:(?:[ \t]{1,3}[a-z']{1,12}){0,4}[ \t]{1,3}(?:is|=|-|–|—|:))?:?[ \t]{1,3}["'`]?/y;

/** `here's my key …`: only a long machine-generated value. */
function takeKey(scan: Scan, at: number): boolean {
  const start = endAt(keyLead, scan.text, at);
  if (start === -1) return false;
  const value = /^[A-Za-z0-9_+/=.-]{20,}/.exec(scan.text.slice(start, start + 400))?.[0].replace(/\.$/, "");
  if (value === undefined || !isMixed(value) || !isRandom(value, 20) || !isScattered(value) || isPath(value))
    return false;
  if (isReference(value) || isExpression(value) || scan.text[start + value.length] === "(") return false;
  scan.add("assignment", start, start + value.length);
  return true;
}

/** `admin / hunter2`, `admin:hunter2` */
function takePair(scan: Scan, at: number): boolean {
  const start = endAt(pair, scan.text, at);
  return start !== -1 && takeAt(scan, start, true, false);
}

/** In a sentence only something that does not look like a word is a secret, unless it is quoted. */
function isProseSecret(text: string, isPassword: boolean, isQuoted: boolean): boolean {
  if (isPlaceholder(text) || isReference(text) || isUrl(text) || isEmail(text) || isPath(text)) return false;
  if (isNumber(text) || isOrdinaryWord(text) || isTechnicalWord(text) || isExpression(text)) return false;
  if (/\]\(|^[[({<>#@|\\/)}\]]|[({]|^[A-Za-z_][\w-]*=(?!=?$)|^-/.test(text)) return false;
  if (text.endsWith("=") && !/^[\w+/-]{20,}={1,2}$/.test(text)) return false;
  if (!/[A-Za-z]/.test(text) && /[\u2e80-\uffdc]/.test(text)) return false;
  if (/pass(?:word|wort|wd)|secret|token/i.test(text) && !/\d{2}|[!@#$%^&*]/.test(text)) return false;
  if (!isPassword)
    return isUuid(text) || (isRandom(text, 12) && isScattered(text) && !/^[0-9a-f]{7,12}$/.test(text));
  if (isQuoted)
    return (
      text.length >= 5 &&
      /^[\x21-\x7e]+$/.test(text) &&
      !/^[A-Z_]+$|^[a-z]+(?:[A-Z][a-z]+)+$|_|^--?|\.\w{1,4}$/.test(text)
    );
  if (isWordyIdentifier(text))
    return /^[a-z]{4,}\d+-[A-Za-z]+$|^[a-z]{3,}(?:-[a-z]{3,})+-?\d{2,}$/i.test(text);
  return isPasswordLike(text) && (/\d|[!@#$%^&*]/.test(text) || isRandom(text, 16));
}

const maxRows = 500;
const rule = /^[\s>]*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?\s*\|?\s*$/;
const csvHead = /^[\w "'-]{1,40}(?:[,;\t][\w "'-]{1,40}){1,20}$/;

/** The cells below a column header that names a secret, in a Markdown table or in CSV. */
export function findColumn(scan: Scan, name: NameAt): void {
  const { text } = scan;
  const [start, end] = [scan.lineStart(name.start), scan.lineEnd(name.end)];
  if (end - start > 400 || text[end] === undefined) return;
  const head = text.slice(start, end);
  // A table within a table is ignored; its rows are read with the outer one.
  const isTableHead = head.includes("|") && !isRowAbove(text, start);
  const isCsvHead = /[,;\t]/.test(head) && csvHead.test(head);
  if (!isTableHead && !isCsvHead) return;
  const rows = readLinesBelow(text, end, maxRows);
  const first = rows.next().value;
  if (first === undefined || isTooLong(first)) return;
  const before = head.slice(0, name.start - start);
  if (isTableHead && rule.test(text.slice(first.start, first.end))) {
    const column = countMarks(before, "|");
    for (const row of rows) {
      if (isTooLong(row) || !text.slice(row.start, row.end).includes("|")) return;
      takeCellOf(scan, name, row, "|", column);
    }
    return;
  }
  const mark = /[,;\t]/.exec(head)?.[0];
  if (mark === undefined || !isCsvHead) return;
  const [width, column] = [countMarks(head, mark), countMarks(before, mark)];
  for (const row of [first, ...rows]) {
    if (isTooLong(row) || countMarks(text.slice(row.start, row.end), mark) !== width) return;
    takeCellOf(scan, name, row, mark, column);
  }
}

/** Data rather than a row of a table. */
function isTooLong({ start, end }: Line): boolean {
  return end - start > 2000;
}

function isRowAbove(text: string, start: number): boolean {
  const above = text.slice(text.lastIndexOf("\n", start - 2) + 1, Math.max(0, start - 1));
  return start > 0 && above.includes("|");
}

function takeCellOf(scan: Scan, name: NameAt, row: Line, mark: string, column: number): void {
  const line = scan.text.slice(row.start, row.end);
  let from = 0;
  for (let skipped = 0; skipped < column; skipped++) {
    from = line.indexOf(mark, from) + 1;
    if (from === 0) return;
  }
  const to = line.indexOf(mark, from);
  const cell = line.slice(from, to === -1 ? line.length : to);
  const value = cell.replace(/^[\s*_`"']+|[\s*_`"']+$/g, "");
  if (
    value === "" ||
    /\s/.test(value) ||
    !isSecretValue(value, { ...labelledValue, level: name.level, name: name.text })
  )
    return;
  if (name.level !== "password" && !/\d/.test(value)) return;
  const start = row.start + from + cell.indexOf(value);
  scan.add("assignment", start, start + value.length);
}

function countMarks(text: string, mark: string): number {
  return text.split(mark).length - 1;
}
