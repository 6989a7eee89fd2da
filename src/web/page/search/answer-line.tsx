import { WithCode } from "../parts/with-code.tsx";
import { countOf, formatDuration } from "../text/human.ts";
import { groupHits } from "./group-hits.ts";
import { answer } from "./search-state.ts";

const modeNames = {
  hybrid: "keyword and semantic",
  keyword: "keyword only",
  vector: "semantic only",
} as const;

/** How many hits, how sure the search is of them, and what kept the answer from being better. */
export function AnswerLine() {
  const found = answer.value?.value;
  if (found === undefined) return <div class="answer-line" role="status" />;
  const notes = groupHits(found.results).length;
  return (
    <div class="answer-line">
      <p>
        <strong role="status">{countOf(found.results.length, "hit")}</strong>
        {notes === found.results.length ? null : <span>in {countOf(notes, "note")}</span>}
        {found.results.length === 0 || found.confidenceLevel === "low" ? null : (
          <span title={`Confidence ${found.confidence.toFixed(2)}`}>{found.confidenceLevel} confidence</span>
        )}
        {found.mode === "hybrid" && found.explain === undefined ? null : <span>{modeNames[found.mode]}</span>}
        {found.explain === undefined ? null : <span>{formatDuration(totalOf(found.explain.timings))}</span>}
      </p>
      {found.stale ? (
        <p class="remark">The index is still catching up; the newest notes may be missing.</p>
      ) : null}
      {found.degraded.map((reason) => (
        <p class="remark" key={reason}>
          <WithCode text={reason} />
        </p>
      ))}
    </div>
  );
}

function totalOf(timings: Readonly<Record<string, number>>): number {
  return timings["total"] ?? Object.values(timings).reduce((sum, durationMs) => sum + durationMs, 0);
}
