import type { Check } from "../doctor/check.ts";
import type { DoctorReport } from "../doctor/doctor.ts";
import { showHidden, showOnOneLine } from "../text/visible.ts";
import { countOf } from "./format-figures.ts";
import type { Style, View } from "./output.ts";
import { wrapLine } from "./text-width.ts";

/** One check after the other, a mark before each, what to do below those that are not well. */
export function renderDoctor({ checks }: DoctorReport, view: View): string {
  const { paint } = view;
  const column = Math.max(...checks.map(({ name }) => name.length));
  const bad = checks.filter(({ ok }) => !ok).length;
  const summary =
    bad === 0
      ? paint("green", "All is well.")
      : paint(["red", "bold"], `${countOf(bad, "check")} found something to do.`);
  return [...checks.map((check) => renderCheck(check, { column, view })), "", summary].join("\n");
}

function renderCheck(
  { name, ok, detail, fix }: Check,
  { column, view }: { column: number; view: View },
): string {
  const { paint, width } = view;
  const indentation = " ".repeat(column + 4);
  const lines = (text: string, style: Style | null): string => {
    const room = width === null ? null : Math.max(24, width - indentation.length);
    const parts = text
      .split("\n")
      .flatMap((line) => (room === null ? [line] : wrapLine(line, room).map((part) => part.trim())));
    return parts.map((part) => (style === null ? part : paint(style, part))).join(`\n${indentation}`);
  };
  const mark = ok ? paint("green", "✓") : paint("red", "✗");
  const told = `${mark} ${paint("bold", name.padEnd(column))}  ${lines(name === "config" ? showHidden(detail) : showOnOneLine(detail), ok ? null : "red")}`;
  if (fix === null) return told;
  return `${told}\n${indentation}${lines(`→ ${showOnOneLine(fix)}`, ok ? "dim" : "cyan")}`;
}
