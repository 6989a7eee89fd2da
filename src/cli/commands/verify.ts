import { countOf } from "../../text/count-of.ts";
import { formatDuration } from "../../text/figures.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { Difference } from "../../upkeep/compare-contents.ts";
import type { RepairReport, VerifyReport } from "../../upkeep/upkeep.ts";
import type { CommandContext } from "../command.ts";
import type { View } from "../output.ts";
import { withProgress } from "../progress-bar.ts";
import { withMemory } from "../with-memory.ts";

export async function runVerify(context: CommandContext): Promise<void> {
  const { output, signal } = context;
  await withMemory(context, async (memory) => {
    const report = await withProgress(output.bar, (progress) =>
      memory.verify({ signal, progress: progress.report }),
    );
    output.show(report, (view) => renderVerify(report, view));
    if (report.equal) return;
    context.markFailed();
    output.note(output.paintNote("dim", "Repair the index with: longhand status --fix"));
  });
}

function renderVerify(report: VerifyReport, { paint }: View): string {
  const { equal, documents, chunks, vectorsCompared, durationMs, more } = report;
  const parts = `${countOf(documents, "document")}, ${countOf(chunks, "chunk")}, words${vectorsCompared ? " and vectors" : ""}`;
  const effort = paint("dim", `· ${parts} compared in ${formatDuration(durationMs)}`);
  const left = renderChanged(report, paint);
  if (equal) {
    return [`${paint("green", "Verified: identical to a fresh build")} ${effort}`, ...left].join("\n");
  }
  const count = countOf(report.differences.length + more, "difference");
  return [
    `${paint("red", `The index differs from a fresh build: ${count}.`)} ${effort}`,
    ...renderDifferences(report, paint),
    ...left,
  ].join("\n");
}

const maxChangedShown = 5;

function renderChanged({ changed }: Pick<VerifyReport, "changed">, paint: View["paint"]): string[] {
  if (changed.length === 0) return [];
  const shown = changed.slice(0, maxChangedShown).map(showOnOneLine);
  const rest = changed.length > shown.length ? ` and ${changed.length - shown.length} more` : "";
  const what = `Not compared, changed while checking: ${shown.join(", ")}${rest}.`;
  return [`  ${paint("yellow", what)} ${paint("dim", "Run it again once they no longer change.")}`];
}

export function renderRepair({ done, equal, ...report }: RepairReport, view: View): string {
  const { paint } = view;
  const work =
    done.length === 0
      ? [paint("green", "  Nothing to repair.")]
      : done.map((sentence) => `  ${paint("green", "✓")} ${showOnOneLine(sentence)}`);
  const rest = equal
    ? [`  ${paint("dim", "Verified: identical to a fresh build.")}`, ...renderChanged(report, paint)]
    : [renderVerify({ ...report, equal }, view)];
  return [paint("bold", "Repair"), ...work, ...rest].join("\n");
}

function renderDifferences(
  { differences, more }: Pick<VerifyReport, "differences" | "more">,
  paint: View["paint"],
): string[] {
  const line = ({ kind, path, detail }: Difference): string =>
    `  ${paint("yellow", kind.padEnd(8))}  ${path === undefined ? "" : `${showOnOneLine(path)}: `}${showOnOneLine(detail)}`;
  return [...differences.map(line), ...(more > 0 ? [paint("dim", `  and ${more} more`)] : [])];
}
