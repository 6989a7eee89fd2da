import { findBlockValue, findCodesBelow, findListValues, findPhrase } from "./long-values.ts";
import { endAt, matchAt, type Scan } from "./scan.ts";
import type { NameAt } from "./secret-names.ts";
import { isSecretValue, labelledValue, type ValueContext } from "./secret-value.ts";
import { readValue, wholeEnd } from "./value-extent.ts";
import { isOrdinaryWord, isStrongPassword } from "./values.ts";

const closers = "(?:[\"'`*_~)\\]»”]|\\\\[\"'])";
const remark = "(?:[ \\t]{0,3}(?:\\([^()\\n]{0,48}\\)|\\[[^\\][\\n]{0,48}\\]))?";
const types =
  "(?:\\??:[ \\t]?(?:string|str|String|Optional\\[str\\]|SecretStr|&str|&'static str)[ \\t]?|[ \\t](?:string|String)(?=[ \\t]?=))?";
/** What may be between a name and its value, as one match. */
const separator = new RegExp(
  `${closers}{0,6}${remark}${closers}{0,4}${types}([ \\t]{0,24})(=>|:=|\\?=|\\+=|={1,3}|:{1,2}|：|＝|->|→|»|[—–-](?=[ \\t]))(?:[*_]{1,3}|["'\`](?=[ \\t])|</\\w{1,10}>)?([ \\t]{0,24})(?:<(?:code|b|strong|em|kbd|span|tt)>)?`,
  "y",
);
const valueField =
  /["']?\s{0,24}[,>]?\s{0,24}(?:<\/\w+>\s{0,24}<(?:string|value|data|td|dd|span|code|b)(?: [^<>]{0,40})?>|\{\s{0,24}(?:type\s{0,24}=\s{0,4}\w{1,12}\s{1,24})?default\s{0,24}=\s{0,4}|["']?(?:value|val|Value|VALUE|secretValue|newValue)["']?\s{0,4}[:=]\s{0,4})/y;
const cell = /[*_`]{0,3}[ \t]{0,60}\|(?!\|)[ \t]{0,60}/y;
const element = /[^<>\n]{0,80}>[ \t]{0,8}(?:<!\[CDATA\[)?/y;
const innerValue = /^\{\s{0,8}["']?(?:value|secret|data|token|key|current)["']?\s{0,3}:\s{0,3}/;
const yamlTag = /!!?\w{1,12}[ \t]{1,4}(?=[^\s|>])/y;
/** `process.env.DB_PASSWORD || "…"` */
const fallback = /^[)\]]{0,2}\s{0,4}(?:\|\||\?\?|or)\s{0,4}(?=["'`])/;
/** `env("DB_PASSWORD", "…")` */
const defaulted =
  /^[\w.:]{0,24}(?:env|getenv|environ\.get|Getenv|get_env|getOrDefault|fetch)\(\s{0,2}["'][\w.-]{1,60}["']\s{0,2},\s{0,2}(?=["'`])/;
const comparison = /^={2,3}$/;
const scheme = /(?:bearer|basic|token|bot|apikey|digest)[ \t]{1,3}/iy;

/** Reads the value after a name, and adds it if it is a secret. Returns whether there was a value. */
export function findNamedValue(scan: Scan, name: NameAt): boolean {
  const { text } = scan;
  if (takeArgument(scan, name)) return true;
  const match = matchAt(separator, text, name.end);
  if (match !== null) {
    const isTight = match[1] === "" && match[3] === "";
    return takeValue(scan, name, { at: name.end + match[0].length, isTight, sign: match[2]! });
  }
  if (
    /^--?[a-z]/i.test(name.text) ||
    /(?:^|\s)--?[\w.-]*$/.test(text.slice(Math.max(0, name.start - 24), name.start))
  ) {
    const blanks = /^[ \t]{1,3}(?=[^\s-])/.exec(text.slice(name.end, name.end + 4))?.[0].length ?? 0;
    if (blanks > 0) return takeValue(scan, name, { at: name.end + blanks, isTight: true, sign: "flag" });
  }
  const call = readCall(text, name);
  if (call !== -1) return takeValue(scan, name, { at: call, isTight: false, sign: "(" });
  const field = endAt(valueField, text, name.end);
  if (field !== -1) return takeValue(scan, name, { at: field, isTight: true, sign: "value" });
  if (/^["'](?:\s[^<>\n]{0,60})?>/.test(text.slice(name.end, name.end + 64))) return takeElement(scan, name);
  if (text[name.start - 1] === "<" || text.startsWith("</", name.start - 2)) return takeElement(scan, name);
  if (isHeading(scan, name)) return findBlockValue(scan, name, scan.lineEnd(name.end), ":");
  const at = endAt(cell, text, name.end);
  const isCell = at !== -1 && (text[at - 1] !== "|" || text[scan.lineStart(name.start)] === "|");
  return isCell && takeCell(scan, name, at);
}

/** `### Password` or `**Bot token**`, with nothing else on the line. */
function isHeading(scan: Scan, { start, end }: NameAt): boolean {
  const before = scan.text.slice(Math.max(scan.lineStart(start), start - 60), start);
  const behind = scan.text.slice(end, Math.min(scan.lineEnd(end), end + 20));
  return /^[\s>]*(?:#{1,6} |\*\*|__)[\w /-]{0,40}$/.test(before) && /^[*_:\s]*$/.test(behind);
}

const lastArgument =
  /(?:\s{0,2}=\s{0,2})?\(\s{0,4}(?:["']?[\w.@-]{1,40}["']?\s{0,2},\s{0,2})?(["'])([^"'\n]{6,80})\1\s{0,4}\)/y;

/** `login("admin", "…")`, `auth=("ops", "…")`, `.password("…")`: only what is clearly a password. */
function takeArgument(scan: Scan, { end, text: name }: NameAt): boolean {
  if (!/(?:pass(?:word|wd)?|pwd|auth|login|credentials?)$/i.test(name)) return false;
  const match = matchAt(lastArgument, scan.text, end);
  const value = match?.[2];
  if (!match || value === undefined || /\s/.test(value) || !isStrongPassword(value)) return false;
  const start = scan.text.lastIndexOf(value, end + match[0].length);
  scan.add("assignment", start, start + value.length);
  return true;
}

const setter = /^\(\s{0,4}(?=["'`])/;
const nextArgument = /^["']\s{0,2},\s{0,4}(?=["'`])/;

/** `setToken("…")`, `define('DB_PASSWORD', '…')`: where the argument begins, or -1. */
function readCall(text: string, { start, end, text: name }: NameAt): number {
  const behind = text.slice(end, end + 12);
  const isSetter = /^(?:set|with|use|add)[A-Z_]/.test(name.replace(/^.*\./, ""));
  const match = isSetter
    ? setter.exec(behind)
    : /\([ ]?["']$/.test(text.slice(Math.max(0, start - 3), start))
      ? nextArgument.exec(behind)
      : null;
  return match === null ? -1 : end + match[0].length;
}

interface ValueAt {
  readonly at: number;
  readonly isTight: boolean;
  readonly sign: string;
}

function takeValue(scan: Scan, name: NameAt, { at, isTight, sign }: ValueAt): boolean {
  const { text } = scan;
  const lineEnd = scan.lineEnd(sign === "value" ? at : name.end);
  if (at >= lineEnd && name.level === "phrase") return findCodesBelow(scan, lineEnd);
  if (at >= lineEnd || isBlockMark(text, at, lineEnd)) return findBlockValue(scan, name, at, sign);
  if (name.level === "phrase") return findPhrase(scan, at, lineEnd);
  const inner = text[at] === "{" ? innerValue.exec(text.slice(at, at + 60)) : null;
  if (inner !== null) return takeValue(scan, name, { at: at + inner[0].length, isTight: true, sign });
  if (text[at] === "[" || text[at] === "{") {
    if (findListValues(scan, name, at, lineEnd)) return true;
  }
  const tag = text.startsWith("!!", at) ? endAt(yamlTag, text, at) : -1;
  const from = Math.max(at, endAt(scheme, text, at), tag);
  const value = readValue(scan, from);
  if (value.end <= value.start || /^(?:\.\.|…)/.test(text.slice(value.end, value.end + 2))) return false;
  const context = contextOf(scan, name, { sign, isTight, ...value });
  if (isSecretValue(text.slice(value.start, value.end), context)) {
    scan.add("assignment", value.start, wholeEnd(scan, value));
    return true;
  }
  const standIn = value.isQuoted ? null : defaulted.exec(text.slice(from, Math.min(lineEnd, from + 120)));
  if (standIn !== null) return takeValue(scan, name, { at: from + standIn[0].length, isTight: false, sign });
  const otherwise = fallback.exec(text.slice(value.after, value.after + 24));
  if (otherwise !== null && !value.isQuoted) {
    return takeValue(scan, name, { at: value.after + otherwise[0].length, isTight: false, sign });
  }
  if (!value.isQuoted && isLineStart.test(context.before) && /(?:word|wort|phrase)$/i.test(name.text))
    return takePassphrase(scan, value.start, lineEnd);
  return false;
}

function isBlockMark(text: string, at: number, lineEnd: number): boolean {
  return (
    (text[at] === "|" || text[at] === ">") &&
    /^[|>][+-]?\d?[ \t]*(?:#.*)?$/.test(text.slice(at, Math.min(lineEnd, at + 80)))
  );
}

/** Only markup, a few capitalised words or `export` before the name. */
const isLineStart =
  /^[\s>|*_`"'+•·◦–#\d.)(\][🔑🔐🔒-]*(?:[A-Z][\w/&-]*[ \t]+){0,4}(?:export |set |ENV |setx )?$/u;

function contextOf(
  scan: Scan,
  name: NameAt,
  value: { sign: string; isTight: boolean; start: number; end: number; after: number; isQuoted: boolean },
): ValueContext {
  const { text } = scan;
  const lineEnd = scan.lineEnd(name.end);
  const lineStart = scan.lineStart(name.start);
  const before = text.slice(Math.max(lineStart, name.start - 80), name.start);
  const rest = text.slice(value.after, Math.min(lineEnd, value.after + 80));
  const isAlone = /^[\s*_`"'.,;)\]}|<]*$/.test(rest) || /^\s+(?:#|\/\/|<!--|\(|—|–)/.test(rest);
  const isStart = isLineStart.test(before);
  return {
    level: name.level,
    name: name.text,
    sign: value.sign,
    isQuoted: value.isQuoted,
    isTight: value.isTight,
    isAlone,
    // A dash rather starts a remark.
    isLabel: isAlone && isStart && !/^[—–-]$/.test(value.sign),
    isUpper: /[A-Z]/.test(name.text) && name.text === name.text.toUpperCase(),
    isCompared: comparison.test(value.sign),
    before,
    next: text[value.after] ?? "",
  };
}

/** `Password: correct horse battery staple` */
function takePassphrase(scan: Scan, start: number, lineEnd: number): boolean {
  const rest = scan.text.slice(start, Math.min(lineEnd, start + 120)).replace(/[\s*_`.]+$/, "");
  if (!/^[a-z]{3,12}(?:[ -][a-z]{3,12}){3,7}$/.test(rest) || !isSecretValue(rest, passphraseContext))
    return false;
  const isPlain = (word: string): boolean => isOrdinaryWord(word) || /(?:ed|ing|ly)$/.test(word);
  if (rest.split(/[ -]/).filter(isPlain).length > 1) return false;
  scan.add("assignment", start, start + rest.length);
  return true;
}

const passphraseContext: ValueContext = {
  ...labelledValue,
  level: "password",
  name: "passphrase",
  isQuoted: true,
};

/** `<password>hunter2</password>` */
function takeElement(scan: Scan, name: NameAt): boolean {
  const { text } = scan;
  const start = endAt(element, text, name.end);
  if (start === -1) return false;
  const end = scan.next("<", start);
  const lineEnd = scan.lineEnd(name.end);
  if (end === -1 || end > lineEnd + 8192 || !text.startsWith("</", end)) return false;
  const value = text.slice(start, end).trim();
  const context: ValueContext = { ...passphraseContext, level: name.level, name: name.text, isTight: true };
  const from = start + text.slice(start, end).indexOf(value);
  if (value === "" || !isSecretValue(value, context)) return false;
  scan.add("assignment", from, from + value.length);
  return true;
}

/** `| Password | hunter2 |` */
function takeCell(scan: Scan, name: NameAt, at: number): boolean {
  const { text } = scan;
  const lineEnd = scan.lineEnd(name.end);
  const close = scan.next("|", at);
  const end = close === -1 || close > lineEnd ? lineEnd : close;
  const cellText = text.slice(at, Math.min(end, at + 4096));
  const value = cellText.replace(/^[*_`\s]+|[*_`\s]+$/g, "");
  if (value === "" || /^:?-+:?$/.test(value) || /\s/.test(value)) return false;
  const context: ValueContext = { ...passphraseContext, level: name.level, name: name.text, isQuoted: false };
  if (!isSecretValue(value, context)) return false;
  const start = at + cellText.indexOf(value);
  scan.add("assignment", start, start + value.length);
  return true;
}
