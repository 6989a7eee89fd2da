import { LonghandError } from "../../errors.ts";
import { countOf } from "../../text/count-of.ts";
import { formatDuration } from "../../text/figures.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { MigrateReport, MigrateRequest } from "../../upkeep/migrate.ts";
import type { CommandContext } from "../command.ts";
import type { Paint } from "../output.ts";
import { withProgress } from "../progress-bar.ts";
import { withMemory } from "../with-memory.ts";

export async function runMigrate(
  context: CommandContext,
  { to, url }: Partial<Pick<MigrateRequest, "to" | "url">>,
): Promise<void> {
  const { output, signal } = context;
  if (to === undefined) {
    throw new LonghandError("usage", "migrate needs to know which store the new index is for.", {
      hint: "Choose one with --to sqlite, --to postgres or --to lancedb.",
    });
  }
  await withMemory(context, async (memory) => {
    const report = await withProgress(output.bar, (progress) =>
      memory.migrate({ to, url, signal, progress: progress.report }),
    );
    output.show(report, ({ paint }) => render(report, paint));
    for (const problem of report.degraded) output.note(showOnOneLine(problem));
  });
}

function render({ from, to, configuration, ...report }: MigrateReport, paint: Paint): string {
  const { vectors, documents, chunks, embedded, durationMs } = report;
  const work = [
    countOf(documents, "document"),
    countOf(chunks, "chunk"),
    `${countOf(vectors, "vector")} copied`,
    `${countOf(embedded, "text")} embedded`,
  ];
  return [
    `${paint("green", `Copied the index to ${to.place}.`)} ${paint("dim", `· ${work.join(", ")} in ${formatDuration(durationMs)}`)}`,
    `To use it, set in the configuration below memorySearch: ${configuration}`,
    paint("dim", `The old one stays in ${from.place} until you delete it.`),
  ].join("\n");
}
