import type { NoteUsage, UsageReport } from "../../memory/note-requests.ts";
import { countOf } from "../../text/count-of.ts";
import { placeOf } from "../../text/lines-of.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import type { View } from "../output.ts";
import { noteArgument } from "../path-arguments.ts";
import { withMemory } from "../with-memory.ts";

interface UsageInput {
  readonly path?: string;
  readonly never?: boolean;
}

export async function runUsage(context: CommandContext, { path, never = false }: UsageInput): Promise<void> {
  const { output, signal } = context;
  await withMemory(context, async (memory, { workspaceDir }) => {
    const note = path === undefined ? {} : { path: noteArgument(path, workspaceDir) };
    const report = await memory.usage({ signal, ...note });
    output.show(report, (view) => renderUsage(report, never, view));
    output.note(output.paintNote("dim", `${describeNothing(report, never)}${describeSince(report)}`));
  });
}

/** An empty list alone would look like a failure. */
function describeNothing({ enabled, since, notes }: UsageReport, never: boolean): string {
  const isCounted = enabled && since !== null;
  if (!isCounted || notes.some((note) => (never ? note.never : note.recalled).length > 0)) return "";
  return never ? "Every line has been recalled. " : "No line of the current notes has been recalled. ";
}

function describeSince({ enabled, since }: UsageReport): string {
  if (!enabled) return "Usage is not counted: memorySearch.usage.enabled is false.";
  return since === null ? "No search has been counted yet." : `Counted since ${since}, on this machine only.`;
}

function renderUsage({ notes }: UsageReport, never: boolean, { paint }: View): string {
  return notes
    .flatMap(({ path, recalled, never: unused }: NoteUsage) => {
      const place = (lines: { startLine: number; endLine: number }): string =>
        paint("cyan", showOnOneLine(placeOf({ path, ...lines })));
      if (never) return unused.map((range) => place(range));
      return recalled.map(
        (range) => `${place(range)}  ${countOf(range.recalls, "recall")}, last on ${range.lastRecalled}`,
      );
    })
    .join("\n");
}
