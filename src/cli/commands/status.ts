import type { MemoryStatus } from "../../memory/status.ts";
import { findUnadopted } from "../../memory/unadopted.ts";
import { compact } from "../../text/compact.ts";
import { countOf } from "../../text/count-of.ts";
import { formatDuration } from "../../text/figures.ts";
import { showOnOneLine } from "../../text/visible.ts";
import { type EmbeddingProbe, type Probes, probeBoth, type VectorProbe } from "../../upkeep/probes.ts";
import type { CommandContext } from "../command.ts";
import { type Row, renderSections, row, type View } from "../output.ts";
import { withProgress } from "../progress-bar.ts";
import { renderStatus } from "../render-status.ts";
import { withMemory } from "../with-memory.ts";
import { describeUnadopted } from "../workspace-advice.ts";
import { renderRepair } from "./verify.ts";

interface StatusInput {
  readonly deep?: boolean;
  readonly fix?: boolean;
}

export async function runStatus(context: CommandContext, { deep, fix }: StatusInput): Promise<void> {
  const { output, now, signal, currentDir } = context;
  await withMemory(context, async (memory, settings) => {
    const fixed = fix
      ? await withProgress(output.bar, ({ report }) => memory.repair({ signal, progress: report }))
      : undefined;
    const status = await memory.status();
    const { unavailable } = status;
    const probes = deep && !unavailable ? await probeBoth(memory, { signal }) : undefined;
    const unadopted = findUnadopted(settings, currentDir);
    output.show({ ...status, unadopted, probes, fixed }, (view) =>
      compact([
        renderStatus(status, { view, now }),
        probes && renderProbes(probes, view),
        fixed && renderRepair(fixed, view),
      ]).join("\n\n"),
    );
    if ((fixed && !fixed.equal) || unavailable) context.markFailed();
    if (!unadopted || status.files > 0) output.note(output.paintNote("dim", describeNextStep(status)));
    if (unadopted) output.note(describeUnadopted(unadopted, { currentDir, paint: output.paintNote }));
  });
}

function describeNextStep(status: MemoryStatus): string {
  const { dirty, files, onDisk, syncOnSearch, readOnly, atWork, unavailable } = status;
  if (unavailable) return unavailable.hint;
  if (files + onDisk.files === 0) return 'Write the first note with: longhand add "…"';
  if (!dirty || readOnly !== undefined || atWork.length > 0) return "";
  return syncOnSearch
    ? "The next search brings it up to date; to do so now: longhand index"
    : "Bring it up to date with: longhand index";
}

function renderProbes({ embedding, vector }: Probes, view: View): string {
  return renderSections(
    [{ title: "Probes", rows: [...embeddingRows(embedding), vectorRow(vector, embedding)] }],
    view,
  );
}

function embeddingRows({ ok, error, hint, provider, dims, durationMs = 0 }: EmbeddingProbe): Row[] {
  if (ok) return [row("embed", `${provider} gave ${dims} numbers in ${formatDuration(durationMs)}`, "green")];
  return compact([
    row("embed", `failed: ${showOnOneLine(error ?? "unknown reason")}`, "red"),
    hint !== undefined && row("", hint),
  ]);
}

function vectorRow({ ok, error, texts, durationMs = 0 }: VectorProbe, embedding: EmbeddingProbe): Row {
  if (!embedding.ok) return row("search", "not tried: there is no vector", "dim");
  if (!ok) return row("search", `failed: ${showOnOneLine(error ?? "unknown reason")}`, "red");
  return row("search", `${countOf(texts, "text")} compared in ${formatDuration(durationMs)}`, "green");
}
