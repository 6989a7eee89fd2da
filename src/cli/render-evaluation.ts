import type { Difference, Differences } from "../eval/compare.ts";
import { type MetricName, metricNames } from "../eval/metrics.ts";
import { type Report, type Row, shareNames } from "../eval/report.ts";
import { showOnOneLine } from "../text/visible.ts";
import type { Paint, View } from "./output.ts";
import { displayWidth, padEnd } from "./text-width.ts";

interface Column {
  readonly title: string;
  readonly cell: (row: Row) => string;
}

/** A table of metrics and, after a comparison, one of differences. Columns that do not fit go into tables below. */
export function renderEvaluation({ rows, compare }: Report, view: View): string {
  const { paint } = view;
  const first = renderRows(rows, view);
  if (compare === undefined) return first;
  const config = showOnOneLine(compare.config);
  return [
    paint("bold", "Current settings"),
    first,
    "",
    paint("bold", config),
    renderRows(compare.rows, view),
    "",
    `${paint("bold", `${config} minus current settings`)}: difference [95 % interval], * where chance is no explanation`,
    renderDifferences(compare.differences, view),
  ].join("\n");
}

function renderRows(rows: Readonly<Record<string, Row>>, view: View): string {
  const lines = worthShowing(rows).flatMap(([name, row]) => [
    { name, row },
    ...Object.entries(row.by ?? {}).map(([group, part]) => ({ name: `${name} / ${group}`, row: part })),
  ]);
  const shares = shareNames.filter((name) => lines.some(({ row }) => row[name] !== undefined));
  const columns: Column[] = [
    { title: "n", cell: ({ n }) => String(n) },
    ...metricNames.map((title) => ({ title, cell: (row: Row) => row[title].toFixed(3) })),
    ...shares.map((name) => ({ title: shareTitles[name], cell: (row: Row) => row[name]?.toFixed(3) ?? "" })),
    { title: "p50 ms", cell: ({ p50Ms }) => p50Ms.toFixed(1) },
    { title: "p95 ms", cell: ({ p95Ms }) => p95Ms.toFixed(1) },
  ];
  const names = lines.map(({ name }) => name);
  return renderTable(
    names,
    columns.map(({ title, cell }) => ({ title, cells: lines.map(({ row }) => cell(row)) })),
    view,
  );
}

const shareTitles = {
  noAnswerEmpty: "no answer: empty",
  noAnswerLow: "no answer: low",
  offTopicEmpty: "off topic: empty",
  offTopicLow: "off topic: low",
  answerLow: "answer: low",
} as const satisfies Record<(typeof shareNames)[number], string>;

function renderDifferences(differences: Readonly<Record<string, Differences>>, view: View): string {
  const columns = metricNames.map((title: MetricName) => ({
    title,
    cells: worthShowing(differences).map(([, found]) => renderDifference(found[title])),
  }));
  const names = worthShowing(differences).map(([name]) => name);
  return renderTable(names, columns, view);
}

/** The mean over a single set would repeat it. */
function worthShowing<T>(rows: Readonly<Record<string, T>>): [string, T][] {
  const entries = Object.entries(rows);
  return entries.length === 2 ? entries.filter(([name]) => name !== "macro") : entries;
}

function renderDifference({ difference, low, high, clear }: Difference): string {
  return `${signed(difference)} [${signed(low)}, ${signed(high)}]${clear ? " *" : "  "}`;
}

function signed(value: number): string {
  const shown = value.toFixed(3);
  return value > 0 ? `+${shown}` : shown.replace(/^-(?=0\.000$)/, "");
}

/** A table in a file or an email is also read by people; programs use `--json`. */
const pipeWidth = 80;

interface TextColumn {
  readonly title: string;
  readonly cells: readonly string[];
}

function renderTable(
  names: readonly string[],
  columns: readonly TextColumn[],
  { paint, terminal, width }: View,
): string {
  const shown = names.map((text) => showOnOneLine(text));
  const nameWidth = Math.max(3, ...shown.map(displayWidth));
  const blocks = fit(columns, (terminal ? width : pipeWidth) - nameWidth);
  const tables = blocks.map((block) =>
    [
      paint("dim", padEnd("set", nameWidth) + block.map((column) => alignTitle(column)).join("")),
      ...shown.map((name, index) => renderLine(name, { block, index, nameWidth, paint })),
    ].join("\n"),
  );
  return tables.join("\n\n");
}

function renderLine(
  name: string,
  layout: { block: readonly TextColumn[]; index: number; nameWidth: number; paint: Paint },
): string {
  const { block, index, nameWidth, paint } = layout;
  const cells = block.map((column) => column.cells[index]!.padStart(widthOf(column))).join("");
  const line = padEnd(name, nameWidth) + cells;
  if (name === "macro") return paint("bold", line);
  return name.includes(" / ") ? paint("dim", line) : line;
}

function alignTitle(column: TextColumn): string {
  return column.title.padStart(widthOf(column));
}

function widthOf({ title, cells }: TextColumn): number {
  return 2 + Math.max(title.length, ...cells.map((cell) => cell.length));
}

/** As many columns in each block as fit, at least one. */
function fit(columns: readonly TextColumn[], room: number): TextColumn[][] {
  const blocks: TextColumn[][] = [];
  let left = 0;
  for (const column of columns) {
    const width = widthOf(column);
    if (blocks.length === 0 || width > left) {
      blocks.push([]);
      left = room;
    }
    blocks.at(-1)!.push(column);
    left -= width;
  }
  return blocks;
}
