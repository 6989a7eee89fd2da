import { WithCode } from "../parts/with-code.tsx";
import { countOf, formatDuration } from "../text/human.ts";
import { answer } from "./search-state.ts";

const modeNames = { hybrid: "by word and meaning", keyword: "by word", vector: "by meaning" } as const;

/** How many hits, how they were found, and what kept the answer from being better. */
export function AnswerLine() {
  const found = answer.value?.value;
  const count = found === undefined ? "" : countOf(found.results.length, "hit");
  return (
    <div class="answer-line">
      <p>
        <strong role="status">{count}</strong>
        {found === undefined ? null : (
          <>
            <span>{modeNames[found.mode]}</span>
            {found.results.length === 0 ? null : (
              <span title={found.confidence.toFixed(2)}>{found.confidenceLevel} confidence</span>
            )}
            <span>
              {found.model?.startsWith(found.provider)
                ? found.model
                : [found.provider, found.model].filter(Boolean).join(" · ")}
            </span>
            {found.explain === undefined ? null : (
              <span>{formatDuration(totalOf(found.explain.timings))}</span>
            )}
          </>
        )}
      </p>
      {found?.confidenceLevel === "low" && found.results.length > 0 ? (
        <p class="remark">The notes most likely do not answer this.</p>
      ) : null}
      {found?.stale ? (
        <p class="remark">The index is still catching up with the notes; the newest may be missing.</p>
      ) : null}
      {found?.degraded.map((reason) => (
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
