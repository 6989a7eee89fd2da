import { styleText } from "node:util";
import type { TextStream } from "./standard-streams.ts";
import { padEnd, wrapLine, wrapText } from "./text-width.ts";

export type Style = Parameters<typeof styleText>[0];
/** Styles the text, or returns it unchanged if colours are off. */
export type Paint = (style: Style, text: string) => string;

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

/** Data goes to stdout, everything else to stderr. */
export interface Output {
  readonly json: boolean;
  readonly quiet: boolean;
  /** The capabilities of stdout: colours, width, links. */
  readonly view: View;
  readonly paintNote: Paint;
  /** The result of a command: its JSON form, or `render`'s output for people. */
  show(value: unknown, render: (view: View) => string): void;
  /** For people, on stderr; silent with `--quiet`, and with `--json`, whose value contains everything. */
  note(text: string): void;
  /**
   * A question on stderr, without a line break; asked even with `--quiet`, because the command waits for the answer.
   */
  ask(question: string): void;
  /** The stream for a progress bar; null without a terminal. */
  readonly bar: BarStream | null;
}

export interface View {
  readonly terminal: boolean;
  /** The width of the terminal in columns; without one, lines may have any length. */
  readonly width: number;
  readonly paint: Paint;
  /** The text as a link to a file if the terminal supports links, otherwise just the text. */
  link(text: string, fileUrl: string): string;
}

export interface BarStream {
  readonly columns: number;
  readonly paint: Paint;
  write(text: string): void;
}

export function createOutput(
  { json, quiet, color }: OutputOptions,
  { stdout, stderr }: { readonly stdout: TextStream; readonly stderr: TextStream },
): Output {
  const paint = createPaint(stdout, color);
  const paintNote = createPaint(stderr, color);
  const terminal = stdout.isTTY === true;
  const linked = terminal && paint("bold", "x") !== "x";
  const view: View = {
    terminal,
    width: widthOf(stdout),
    paint,
    link: (text, fileUrl) => (linked ? `\u001b]8;;${fileUrl}\u001b\\${text}\u001b]8;;\u001b\\` : text),
  };
  return {
    json,
    quiet,
    view,
    paintNote,
    show(value, render) {
      const text = json ? JSON.stringify(value) : render(view);
      if (text !== "") stdout.write(text.endsWith("\n") ? text : `${text}\n`);
    },
    note(text) {
      if (!quiet && !json && text !== "") stderr.write(`${wrapText(text, widthOf(stderr))}\n`);
    },
    ask: (question) => {
      stderr.write(question);
    },
    bar:
      stderr.isTTY === true && !quiet
        ? { columns: stderr.columns || 80, paint: paintNote, write: (text) => stderr.write(text) }
        : null,
  };
}

export function widthOf({ isTTY, columns }: TextStream): number {
  return isTTY === true ? columns || 80 : Number.POSITIVE_INFINITY;
}

/**
 * `styleText` itself checks the stream, NO_COLOR and FORCE_COLOR; checking once keeps the answer the same for the whole
 * run.
 */
function createPaint(stream: TextStream, color: boolean): Paint {
  const coloured =
    color && !stream.isPlain && styleText("bold", "x", { stream: stream as NodeJS.WriteStream }) !== "x";
  return (style, text) =>
    coloured && text !== "" ? styleText(style, text, { validateStream: false }) : text;
}

export interface Row {
  readonly label: string;
  readonly value: string;
  readonly style: Style | undefined;
}

export function row(label: string, value: string, style?: Style): Row {
  return { label, value, style };
}

interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A narrower column of values is unreadable. */
const minValueWidth = 24;

/** Titles with aligned rows below them. On a terminal, long values wrap within their column. */
export function renderSections(sections: readonly Section[], { paint, width }: View): string {
  const column = Math.max(...sections.flatMap(({ rows }) => rows.map(({ label }) => label.length)));
  const indentation = " ".repeat(column + 4);
  const valueWidth = Math.max(minValueWidth, width - indentation.length);
  const renderRow = ({ label, value, style }: Row): string => {
    const lines = wrapLine(value, valueWidth).map((line) => line.trim());
    const painted = lines.map((line) => (style === undefined ? line : paint(style, line)));
    return `  ${paint("dim", padEnd(label, column))}  ${painted.join(`\n${indentation}`)}`;
  };
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, rows }) => [paint("bold", title), ...rows.map(renderRow)].join("\n"))
    .join("\n\n");
}

/** The lines of a text with a number in front of the first; on a terminal, long lines wrap beside it. */
export function renderNumbered(
  { number, digits, text }: { readonly number: number; readonly digits: number; readonly text: string },
  { paint, width }: View,
): string {
  const gutter = digits + 2;
  const [first = "", ...rest] = text
    .split("\n")
    .flatMap((line) => wrapLine(line, Math.max(20, width - gutter)));
  const start = paint("dim", String(number).padStart(digits));
  return [`${start}  ${first}`, ...rest.map((line) => " ".repeat(gutter) + line)].join("\n");
}
