import type { NameAt } from "./named-values.ts";
import type { Scan } from "./scan.ts";
import { isSecretValue, type ValueContext } from "./secret-value.ts";

const maxRows = 500;
const rule = /^[\s>]*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?\s*\|?\s*$/;
const csvHead = /^[\w "'-]{1,40}(?:[,;\t][\w "'-]{1,40}){1,20}$/;

/** The cells below a column that is headed by a word for a secret, in a Markdown table or in lines of CSV. */
export function findColumn(scan: Scan, name: NameAt): void {
  const { text } = scan;
  const [start, end] = [scan.lineStart(name.start), scan.lineEnd(name.end)];
  if (end - start > 400 || text[end] === undefined) return;
  const head = text.slice(start, end);
  // A table within a table is none; its rows are read with the first.
  const isTableHead = head.includes("|") && !isRowAbove(text, start);
  const isCsvHead = /[,;\t]/.test(head) && csvHead.test(head);
  if (!isTableHead && !isCsvHead) return;
  const rows = linesBelow(text, end);
  const first = rows.next().value;
  if (first === undefined) return;
  if (isTableHead && rule.test(text.slice(first.start, first.end))) {
    takeColumn(scan, name, {
      rows,
      mark: "|",
      column: countMarks(head.slice(0, name.start - start), "|"),
    });
    return;
  }
  const mark = /[,;\t]/.exec(head)?.[0];
  if (mark === undefined || !isCsvHead) return;
  const width = countMarks(head, mark);
  const column = countMarks(head.slice(0, name.start - start), mark);
  for (const row of [first, ...rows]) {
    if (countMarks(text.slice(row.start, row.end), mark) !== width) return;
    takeCellOf(scan, name, row, mark, column);
  }
}

function isRowAbove(text: string, start: number): boolean {
  const above = text.slice(text.lastIndexOf("\n", start - 2) + 1, Math.max(0, start - 1));
  return start > 0 && above.includes("|");
}

interface Row {
  readonly start: number;
  readonly end: number;
}

function* linesBelow(text: string, end: number): Generator<Row, undefined> {
  let start = text.indexOf("\n", end) + 1;
  for (let count = 0; start > 0 && start < text.length && count < maxRows; count++) {
    const next = text.indexOf("\n", start);
    const stop = next === -1 ? text.length : next;
    if (stop - start > 2000) return undefined;
    yield { start, end: text[stop - 1] === "\r" ? stop - 1 : stop };
    if (next === -1) return undefined;
    start = next + 1;
  }
  return undefined;
}

function takeColumn(
  scan: Scan,
  name: NameAt,
  { rows, mark, column }: { rows: Iterable<Row>; mark: string; column: number },
): void {
  for (const row of rows) {
    if (!scan.text.slice(row.start, row.end).includes(mark)) return;
    takeCellOf(scan, name, row, mark, column);
  }
}

function takeCellOf(scan: Scan, name: NameAt, row: Row, mark: string, column: number): void {
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
    !isSecretValue(value, { ...inCell, level: name.level, name: name.text })
  )
    return;
  if (name.level !== "password" && !/\d/.test(value)) return;
  const start = row.start + from + cell.indexOf(value);
  scan.add("assignment", start, start + value.length);
}

const inCell: ValueContext = {
  level: "secret",
  name: "",
  sign: ":",
  isQuoted: false,
  isTight: false,
  isAlone: true,
  isLabel: true,
  isUpper: false,
  isCompared: false,
  before: "",
  next: "",
};

function countMarks(text: string, mark: string): number {
  return text.split(mark).length - 1;
}
