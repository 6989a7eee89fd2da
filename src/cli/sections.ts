import type { Style, View } from "./output.ts";
import { padEnd, wrapLine } from "./text-width.ts";

export interface Row {
  readonly label: string;
  readonly value: string;
  readonly style?: Style;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Narrower than this, a column of values cannot be read. */
const leastValueWidth = 24;

/** Titles with aligned rows below them. On a terminal, long values go on under themselves. */
export function renderSections(sections: readonly Section[], { paint, width }: View): string {
  const column = Math.max(...sections.flatMap(({ rows }) => rows.map(({ label }) => label.length)));
  const indentation = " ".repeat(column + 4);
  const valueWidth = width === null ? null : Math.max(leastValueWidth, width - indentation.length);
  const renderRow = ({ label, value, style }: Row): string => {
    const lines = valueWidth === null ? [value] : wrapLine(value, valueWidth).map((line) => line.trim());
    const painted = lines.map((line) => (style === undefined ? line : paint(style, line)));
    return `  ${paint("dim", padEnd(label, column))}  ${painted.join(`\n${indentation}`)}`;
  };
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, rows }) => [paint("bold", title), ...rows.map(renderRow)].join("\n"))
    .join("\n\n");
}
