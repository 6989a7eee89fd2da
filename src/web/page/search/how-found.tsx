import { showHidden } from "../../../text/visible.ts";
import { countOf, formatDuration } from "../text/human.ts";
import { Bar } from "./bar.tsx";
import { answer } from "./search-state.ts";

const stageNames: Readonly<Record<string, string>> = {
  terms: "read the question",
  meaning: "embed the question",
  candidates: "find candidates",
  scores: "score passages",
  hits: "cut snippets",
};

/** How the question was understood, how much was looked at, and where the time went. */
export function HowFound() {
  const explained = answer.value?.value.explain;
  if (explained === undefined) return null;
  const { tokens, candidates, timings } = explained;
  const heaviest = Math.max(...tokens.map(({ weight }) => weight), Number.MIN_VALUE);
  return (
    <section class="how-found">
      <h2>How this was found</h2>
      <h3>Words of the question</h3>
      {tokens.length === 0 ? <p class="faint">None that can be searched for.</p> : null}
      <dl class="explained">
        {tokens.map(({ token, weight, chunks, note }) => (
          <Bar
            key={token}
            name={showHidden(token)}
            value={weight}
            share={weight / heaviest}
            kind="term"
            remark={`in ${countOf(chunks, "chunk")}${note === undefined ? "" : ` · ${showHidden(note)}`}`}
          />
        ))}
      </dl>
      <h3>Candidates</h3>
      <p>
        {candidates.keyword} by keyword, {candidates.vector} semantic; {candidates.aboveFloor} above the floor
      </p>
      <h3>Time</h3>
      <dl class="timings">
        {Object.entries(timings).map(([stage, durationMs]) => (
          <div key={stage}>
            <dt>{stageNames[stage] ?? stage}</dt>
            <dd>{formatDuration(durationMs)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
