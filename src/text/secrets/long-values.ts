import { type Line, readLinesBelow, type Scan } from "./scan.ts";
import type { NameAt } from "./secret-names.ts";
import { isSecretValue, labelledValue, type ValueContext } from "./secret-value.ts";
import { isRandom } from "./values.ts";

const below: ValueContext = { ...labelledValue, isTight: true };

const maxBlockLines = 400;
const marks = /^[\s>*_`"'|•-]*/;

/** A value on the lines below its name: a block scalar, or a label with its value underneath. */
export function findBlockValue(scan: Scan, name: NameAt, at: number, sign: string): boolean {
  const { text } = scan;
  const lineEnd = scan.lineEnd(name.end);
  const isScalar = text[at] === "|" || text[at] === ">";
  const indent = indentOf(text, scan.lineStart(name.start));
  const lines = readLinesBelow(text, lineEnd, isScalar ? maxBlockLines : 3);
  if (isScalar) return takeBlock(scan, name, lines, indent);
  if (sign !== ":" && sign !== "：" && sign !== "=") return false;
  for (const { start, end } of lines) {
    const line = text.slice(start, Math.min(end, start + 4096));
    if (line.trim() === "" || /^\s*(?:```|~~~)/.test(line)) continue;
    const skipped = marks.exec(line)![0].length;
    const value = line.slice(skipped).replace(/[\s*_`"'|,;]+$/, "");
    const isNested = /^[\w. -]{1,40}[:=](?:\s|$)/.test(value);
    if (value === "" || /\s/.test(value) || isNested) return false;
    if (!isSecretValue(value, { ...below, level: name.level, name: name.text, isTight: false })) return false;
    const isBelow = name.level === "password" ? /[\d\W]/.test(value) : isRandom(value, 12);
    if (!isBelow) return false;
    scan.add("assignment", start + skipped, start + skipped + value.length);
    return true;
  }
  return false;
}

function indentOf(text: string, lineStart: number): number {
  return /^[ \t>]*(?:- )?/.exec(text.slice(lineStart, lineStart + 80))![0].length;
}

/** All lines that are indented deeper than the name. */
function takeBlock(scan: Scan, name: NameAt, lines: Iterable<Line>, indent: number): boolean {
  const { text } = scan;
  const own: Line[] = [];
  for (const line of lines) {
    const content = text.slice(line.start, line.end);
    if (content.trim() === "") continue;
    if (/^[ \t>]*/.exec(content.slice(0, 80))![0].length <= Math.max(0, indent - 2)) break;
    if (indent === 0 && !/^[ \t]/.test(content)) break;
    own.push(line);
  }
  if (own.length === 0) return false;
  const first = own[0]!;
  const value = text.slice(first.start, first.end).trim();
  const isSecret =
    /\s/.test(value) && !/PRIVATE KEY/.test(value)
      ? false
      : isSecretValue(value, { ...below, level: name.level, name: name.text, isQuoted: true }) ||
        isRandom(value, 20);
  if (!isSecret) return false;
  const from = first.start + text.slice(first.start, first.end).search(/\S/);
  scan.add("assignment", from, own.at(-1)!.end);
  return true;
}

const quoted = /(["'])([^"'\n]{4,4096})\1/g;

/** `api_keys = ["…", "…"]` */
export function findListValues(scan: Scan, name: NameAt, at: number, lineEnd: number): boolean {
  const list = scan.text.slice(at, Math.min(lineEnd, at + 8192));
  if (list.startsWith("{") && !/^\{\s*["'][^"']+["']\s*[,}]/.test(list.slice(0, 200))) return false;
  let any = false;
  const end = list.indexOf(list[0] === "[" ? "]" : "}");
  for (const match of list.slice(0, end === -1 ? list.length : end).matchAll(quoted)) {
    const context = { ...below, level: name.level, name: name.text, isQuoted: true };
    if (!isSecretValue(match[2]!, context)) continue;
    const start = at + match.index + 1;
    scan.add("assignment", start, start + match[2]!.length);
    any = true;
  }
  return any;
}

/** The words or codes after `seed phrase:` and `recovery codes:`. */
export function findPhrase(scan: Scan, at: number, lineEnd: number): boolean {
  const rest = scan.text.slice(at, Math.min(lineEnd, at + 512));
  const words =
    /^["'`*_]{0,3}((?:\d{1,2}[.)]\s?)?[a-z]{3,8}(?:[\s,]{1,3}(?:\d{1,2}[.)]\s?)?[a-z]{3,8}){11,23})/.exec(
      rest,
    )?.[1];
  const codes = /^["'`*_]{0,3}((?:[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){0,4}[\s,;]{0,3}){1,20})/.exec(
    rest,
  )?.[1];
  const value = words ?? (codes !== undefined && /\d/.test(codes) ? codes.trimEnd() : undefined);
  if (
    value === undefined ||
    (words === undefined && !/\d[A-Za-z0-9-]*[,\s]|\d{3}|[a-z]\d|\d[a-z]/i.test(value))
  )
    return false;
  const start = at + rest.indexOf(value);
  scan.add("assignment", start, start + value.length);
  return true;
}

const codeLine =
  /^[ \t>*•-]{0,12}(?:\d{1,2}[.)][ \t]{0,3})?[`*]{0,2}((?=[^\n]{0,60}\d)[A-Za-z0-9]{3,12}(?:[ -][A-Za-z0-9]{3,12}){0,4})[`*]{0,2}[ \t]*$/;

/** Recovery codes in a list, one or two per line. */
export function findCodesBelow(scan: Scan, lineEnd: number): boolean {
  let any = false;
  for (const { start, end } of readLinesBelow(scan.text, lineEnd, 24)) {
    const line = scan.text.slice(start, Math.min(end, start + 120));
    if (!any && line.trim() === "") continue;
    const code = codeLine.exec(line)?.[1];
    if (code === undefined || code.length < 6) break;
    const from = start + line.lastIndexOf(code);
    scan.add("assignment", from, from + code.length);
    any = true;
  }
  return any;
}
