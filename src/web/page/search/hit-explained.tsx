import type { HitExplanation } from "../../../search/search.ts";
import { showHidden } from "../../../text/visible.ts";
import { Bar } from "./bar.tsx";

/** How one hit got its score: keyword and semantic search with the floor, what each word gave, and age. */
export function HitExplained({ explained, score }: { explained: HitExplanation; score: number }) {
  const { terms, text, vector, decay, floor } = explained;
  const found = terms.filter(({ contribution }) => contribution > 0);
  const lacking = terms.filter(({ contribution }) => contribution <= 0);
  const largest = Math.max(...terms.map(({ contribution }) => contribution), Number.MIN_VALUE);
  return (
    <dl class="explained">
      <Bar name="keyword" value={text} kind="keyword" floor={floor} />
      {found.map(({ term, contribution, occurrences, weight }) => (
        <Bar
          key={term}
          name={showHidden(term)}
          value={contribution}
          share={contribution / largest}
          kind="term"
          remark={`${describeOccurrences(occurrences)}, weight ${weight.toFixed(2)}`}
        />
      ))}
      {lacking.length === 0 ? null : (
        <div class="bar-row" data-kind="term">
          <dt>not in it</dt>
          <dd class="faint">{lacking.map(({ term }) => showHidden(term)).join(", ")}</dd>
        </div>
      )}
      <Bar name="semantic" value={vector} kind="vector" />
      {decay === 1 ? null : <Bar name="decay" value={decay} kind="decay" remark="age factor" />}
      <Bar name="score" value={score} kind="score" floor={floor} remark={`floor ${floor.toFixed(2)}`} />
    </dl>
  );
}

/** A word may count without being there: its neighbours in the note, or a similar word, speak for it. */
function describeOccurrences(occurrences: number): string {
  const count = Number(occurrences.toFixed(1));
  return count === 0 ? "nearby or similar" : `×${count}`;
}
