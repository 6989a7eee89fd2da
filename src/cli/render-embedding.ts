import { describeUnused } from "../config/provider-access.ts";
import type { MemoryStatus } from "../memory/status.ts";
import { countOf, formatCount } from "../text/count-of.ts";
import { describeTokens, formatUsd } from "../text/figures.ts";
import { showOnOneLine } from "../text/visible.ts";
import type { Row } from "./output.ts";

/** Semantic search as rows: the embedder and why it was chosen, progress, cost and failures. */
export function renderEmbedding(status: MemoryStatus): Row[] {
  const { provider, model, requestedProvider, vector, embedding } = status;
  const fallback = status.fallback?.from === status.qmd?.name ? undefined : status.fallback;
  const { missingTokens, missingCostUsd } = embedding;
  const { texts, missing, requests, tokens, costUsd, refused, problems, better, unused, why, meanwhile } =
    embedding;
  const cost = costUsd === null ? "" : `, about ${formatUsd(costUsd)}`;
  const last = refused.at(-1);
  const isAsked = requestedProvider === provider || requestedProvider === "auto";
  return [
    // Without a provider nothing is missing: keyword search always works.
    provider === "none"
      ? { label: "semantic", value: `off: ${why}` }
      : status.unavailable
        ? { label: "semantic", value: "not available while the index is not", style: "red" }
        : { label: "semantic", value: describeVectors(vector, { texts, missing }), ...styleOf(missing) },
    ...(provider === "none"
      ? []
      : [
          {
            label: "embedder",
            value: `${provider}${model === undefined ? "" : `, ${model}`} (${isAsked ? why : `${requestedProvider} was asked for`})`,
          },
        ]),
    ...(fallback
      ? [
          {
            label: "fallback",
            value: showOnOneLine(describeFallbackRow(fallback)),
            style: "yellow" as const,
          },
        ]
      : []),
    ...(vector.loadError !== undefined && !fallback
      ? [{ label: "extension", value: showOnOneLine(vector.loadError), style: "yellow" as const }]
      : []),
    ...(meanwhile === undefined ? [] : [{ label: "meanwhile", value: meanwhile, style: "yellow" as const }]),
    ...(missing > 0 && missingCostUsd !== 0
      ? [{ label: "to send", value: describeTokens(missingTokens, missingCostUsd) }]
      : []),
    ...(requests > 0
      ? [{ label: "sent", value: `${countOf(requests, "request")}, ${countOf(tokens, "token")}${cost}` }]
      : []),
    ...(embedding.check === undefined
      ? []
      : [
          {
            label: "separation",
            value: `${embedding.check.separation.toFixed(2)} on ${countOf(embedding.check.sentences, "sentence")} of the notes (0.5 is chance, 1 perfect)`,
          },
        ]),
    ...renderBatch(status.batch),
    ...(last
      ? [{ label: "refused", value: `${countOf(refused.length, "text")}: ${showOnOneLine(last.reason)}` }]
      : []),
    ...problems.map((problem): Row => ({ label: "problem", value: showOnOneLine(problem), style: "yellow" })),
    ...(better === undefined ? [] : [{ label: "tip", value: better, style: "dim" as const }]),
    ...(unused === undefined ? [] : [{ label: "not used", value: describeUnused(unused) }]),
  ];
}

function describeFallbackRow({
  from,
  to,
  since,
  retryAt,
  reason,
}: NonNullable<MemoryStatus["fallback"]>): string {
  const instead = to === "none" ? `keyword search instead of ${from}` : `${to} instead of ${from}`;
  const next = retryAt === undefined ? "" : ` (asked again after ${minuteOf(retryAt)})`;
  return `${instead} since ${minuteOf(since)}: ${reason}${next}`;
}

function minuteOf(moment: string): string {
  return `${moment.slice(0, 16).replace("T", " ")} UTC`;
}

/** Empty unless there are batch jobs to report. */
function renderBatch({ pending, problem }: MemoryStatus["batch"]): Row[] {
  const texts = pending.reduce((sum, job) => sum + job.texts, 0);
  return [
    ...(pending.length === 0
      ? []
      : [
          { label: "batch", value: `${countOf(pending.length, "job")} under way, ${countOf(texts, "text")}` },
        ]),
    ...(problem === undefined
      ? []
      : [{ label: "batch", value: showOnOneLine(problem), style: "yellow" as const }]),
  ];
}

function describeVectors(
  { path, dims }: MemoryStatus["vector"],
  { texts, missing }: { texts: number; missing: number },
): string {
  const done =
    missing > 0
      ? `${formatCount(texts)} of ${countOf(texts + missing, "text")} embedded`
      : `${countOf(texts, "text")} embedded`;
  const how = [...(dims === undefined ? [] : [`${dims} dimensions`]), ...(path === "builtin" ? [] : [path])];
  return [done, ...how].join(", ");
}

function styleOf(missing: number): Pick<Row, "style"> {
  return missing > 0 ? { style: "yellow" } : {};
}
