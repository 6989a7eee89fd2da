import type { SyncReport } from "../../sync/sync.ts";
import type { CommandContext } from "../command.ts";
import { countOf, formatDuration } from "../human.ts";
import { withMemory } from "../open.ts";
import type { Paint } from "../output.ts";
import { createProgress } from "../progress.ts";
import { showHidden } from "../visible.ts";

export interface IndexInput {
  readonly force?: boolean;
}

export async function runIndex(context: CommandContext, { force = false }: IndexInput): Promise<void> {
  const { output, signal } = context;
  await withMemory(context, async (memory) => {
    const progress = createProgress(output.bar);
    let report: SyncReport;
    try {
      report = await memory.sync({ force, reason: "cli", signal, progress: progress.report });
    } finally {
      progress.clear();
    }
    output.show(report, ({ paint }) => renderReport(report, paint));
    output.note(renderProblems(report, output.paintNote));
  });
}

function renderReport(report: SyncReport, paint: Paint): string {
  const { added, updated, removed, unchanged, chunks, embedded, cached, durationMs } = report;
  const changes = [
    added > 0 && paint("green", `${countOf(added, "note")} added`),
    updated > 0 && paint("yellow", `${updated} updated`),
    removed > 0 && paint("red", `${removed} removed`),
    unchanged > 0 &&
      `${countOf(unchanged, added > 0 ? "" : "note", added > 0 ? "" : "notes").trim()} unchanged`,
  ].filter((part) => part !== false);
  const work = [
    chunks > 0 && countOf(chunks, "chunk"),
    embedded > 0 && `${countOf(embedded, "text")} embedded`,
    cached > 0 && `${cached.toLocaleString("en-US")} embedded before`,
    formatDuration(durationMs),
  ].filter((part) => part !== false);
  const summary = changes.length > 0 ? changes.join(", ") : "There are no notes yet";
  return `${summary} ${paint("dim", `· ${work.join(" · ")}`)}`;
}

function renderProblems({ failed, withheld, degraded }: SyncReport, paint: Paint): string {
  const lines = degraded.map((reason) => paint("yellow", showHidden(reason)));
  if (failed.length > 0) {
    lines.push(paint("red", `${countOf(failed.length, "note")} could not be indexed:`));
    lines.push(...failed.map(({ path, message }) => `  ${showHidden(path)}: ${showHidden(message)}`));
  }
  if (withheld.length > 0) {
    lines.push(
      paint(
        "yellow",
        `${countOf(withheld.length, "note")} vanished at once and are kept in the index for now.`,
      ),
      "  If they are gone for good, run `longhand index` again, or with --force.",
    );
  }
  return lines.join("\n");
}
