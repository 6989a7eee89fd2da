import { showOnOneLine } from "../text/visible.ts";
import type { EmbeddingProbe, Probes, VectorProbe } from "../upkeep/probes.ts";
import { countOf, formatDuration } from "./format-figures.ts";
import type { View } from "./output.ts";
import { type Row, renderSections } from "./sections.ts";

export function renderProbes({ embedding, vector }: Probes, view: View): string {
  return renderSections(
    [{ title: "Probes", rows: [...embeddingRows(embedding), vectorRow(vector, embedding)] }],
    view,
  );
}

function embeddingRows({ ok, error, hint, provider, dims, durationMs = 0 }: EmbeddingProbe): Row[] {
  const label = "embed";
  if (ok) {
    const value = `${provider} gave ${dims} numbers in ${formatDuration(durationMs)}`;
    return [{ label, value, style: "green" }];
  }
  return [
    { label, value: `failed: ${showOnOneLine(error ?? "unknown reason")}`, style: "red" },
    ...(hint === undefined ? [] : [{ label: "", value: hint }]),
  ];
}

function vectorRow({ ok, error, texts, durationMs = 0 }: VectorProbe, embedding: EmbeddingProbe): Row {
  const label = "search";
  if (!embedding.ok) return { label, value: "not tried, for want of a vector", style: "dim" };
  if (!ok) return { label, value: `failed: ${showOnOneLine(error ?? "unknown reason")}`, style: "red" };
  return {
    label,
    value: `${countOf(texts, "text")} compared in ${formatDuration(durationMs)}`,
    style: "green",
  };
}
