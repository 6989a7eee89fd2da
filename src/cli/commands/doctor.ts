import { findProxy, setterOfProxy } from "../../config/proxy.ts";
import { resolveSettings } from "../../config/settings.ts";
import type { Check, DoctorContext } from "../../doctor/check.ts";
import { type DoctorReport, runDoctor } from "../../doctor/doctor.ts";
import { LonghandError } from "../../errors.ts";
import type { Memory } from "../../memory/memory.ts";
import { openConfiguredMemory } from "../../memory/open-memory.ts";
import { findUnadopted } from "../../memory/unadopted.ts";
import { nodeVersionProblem } from "../../node-version.ts";
import { countOf } from "../../text/count-of.ts";
import { showHidden, showOnOneLine } from "../../text/visible.ts";
import { readVersion } from "../../version.ts";
import type { CommandContext } from "../command.ts";
import type { Style, View } from "../output.ts";
import { wrapLine } from "../text-width.ts";
import { locationsOf } from "../with-memory.ts";

/** Unlike other commands, it continues if something cannot be opened, because reporting that is its purpose. */
export async function runDoctorCommand(context: CommandContext): Promise<void> {
  const { globals, output, currentDir } = context;
  const settings = await orError(() => resolveSettings(locationsOf(globals)));
  const memory =
    settings instanceof LonghandError || settings.disabled
      ? undefined
      : await orError(() => openConfiguredMemory(settings));
  const unadopted = settings instanceof LonghandError ? null : findUnadopted(settings, currentDir);
  const { node, sqlite } = process.versions;
  const examined: DoctorContext = {
    settings,
    version: readVersion(),
    currentDir,
    ...describeProxy(),
    node: { version: node, sqlite: sqlite ?? "?", problem: nodeVersionProblem(node) },
    ...(memory === undefined ? {} : await readStatus(memory)),
    ...(unadopted && { unadopted }),
  };
  try {
    const report = await runDoctor(examined);
    output.show(report, (view) => renderDoctor(report, view));
    if (report.checks.some(({ ok }) => !ok)) context.markFailed();
  } finally {
    await examined.memory?.close();
  }
}

function describeProxy(): Pick<DoctorContext, "proxy"> {
  const proxy = findProxy();
  if (proxy === null) return {};
  const isUsed = proxy.isUsedByNode || setterOfProxy() !== undefined;
  return { proxy: { variables: proxy.variables, isUsed } };
}

async function readStatus(memory: Memory | LonghandError): Promise<Pick<DoctorContext, "memory" | "status">> {
  if (memory instanceof LonghandError) return { status: memory };
  return { memory, status: await orError(() => memory.status()) };
}

async function orError<T>(work: () => Promise<T>): Promise<T | LonghandError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LonghandError) return error;
    throw error;
  }
}

/** One check per line with a status mark, followed by the remedy if it failed. */
function renderDoctor({ checks }: DoctorReport, view: View): string {
  const { paint } = view;
  const column = Math.max(...checks.map(({ name }) => name.length));
  const bad = checks.filter(({ ok }) => !ok).length;
  const summary =
    bad === 0
      ? paint("green", "No problems found.")
      : paint(["red", "bold"], `${countOf(bad, "check needs", "checks need")} attention.`);
  return [...checks.map((check) => renderCheck(check, { column, view })), "", summary].join("\n");
}

function renderCheck(
  { name, ok, detail, fix }: Check,
  { column, view }: { column: number; view: View },
): string {
  const { paint, width } = view;
  const indentation = " ".repeat(column + 4);
  const lines = (text: string, style: Style | null): string => {
    const room = Math.max(24, width - indentation.length);
    const parts = text.split("\n").flatMap((line) => wrapLine(line, room).map((part) => part.trim()));
    return parts.map((part) => (style === null ? part : paint(style, part))).join(`\n${indentation}`);
  };
  const mark = ok ? paint("green", "✓") : paint("red", "✗");
  const shown = `${mark} ${paint("bold", name.padEnd(column))}  ${lines(name === "config" ? showHidden(detail) : showOnOneLine(detail), ok ? null : "red")}`;
  if (fix === null) return shown;
  return `${shown}\n${indentation}${lines(`→ ${showOnOneLine(fix)}`, ok ? "dim" : "cyan")}`;
}
