import { showHidden } from "../../../text/visible.ts";
import type { MarkedHit } from "../api.ts";
import { hitAddress, noteAddress } from "../state/routes.ts";
import { formatDay } from "../text/human.ts";
import { formatLineHash } from "../text/line-range.ts";
import { type HitGroup, keyOf, titleOf } from "./group-hits.ts";
import { HitExplained } from "./hit-explained.tsx";
import { InlineMarkdown } from "./inline-markdown.tsx";
import { rememberSearch } from "./recent-searches.ts";
import { previewed, wanted } from "./search-state.ts";
import { Snippet } from "./snippet.tsx";

const flagNames = {
  "instruction-like": "reads like an instruction",
  "hidden-characters": "has hidden characters",
} as const;

/** All hits of one note: the best with the facts about the note, the others below it. */
export function Group({ group: { hits }, explain }: { group: HitGroup; explain: boolean }) {
  return (
    <li class="hit-group">
      {hits.map((hit, index) => (
        <Hit key={keyOf(hit)} hit={hit} explain={explain} isFirst={index === 0} />
      ))}
    </li>
  );
}

interface HitProps {
  readonly hit: MarkedHit;
  readonly explain: boolean;
  /** The first of its note: it says which note that is. */
  readonly isFirst: boolean;
}

function Hit({ hit, explain, isFirst }: HitProps) {
  const { path, startLine, endLine, score, date, source, flags = [], origin, layer, supersededBy } = hit;
  const lines = formatLineHash({ from: startLine, to: endLine });
  const { title, above } = titleOf(hit);
  const preview = (): void => {
    previewed.value = keyOf(hit);
  };
  return (
    <article
      class="hit"
      data-first={isFirst}
      data-previewed={previewed.value === keyOf(hit)}
      onMouseEnter={preview}
    >
      <div class="hit-head">
        <a
          class="hit-link"
          href={hitAddress({ path, source }, lines)}
          onFocus={preview}
          onClick={() => rememberSearch(wanted.value.query)}
        >
          {above.length === 0 ? null : (
            <span class="hit-above">
              <InlineMarkdown text={above.join(" › ")} /> ›{" "}
            </span>
          )}
          <span class="hit-title">
            <InlineMarkdown text={title} />
          </span>
        </a>
        <Score score={score} />
      </div>
      <p class="hit-facts">
        {isFirst ? <span class="hit-path">{showHidden(path)}</span> : null}
        <span class="hit-lines">{lines.slice(1).replace("-L", "–")}</span>
        {date === undefined || !isFirst ? null : <time dateTime={date}>{formatDay(date)}</time>}
        {origin === undefined ? null : <span>from {showHidden(origin)}</span>}
        {layer === "user" && isFirst ? <span>your own memory</span> : null}
        {supersededBy === undefined ? null : (
          <a
            class="superseded"
            href={noteAddress(
              supersededBy.path,
              formatLineHash({ from: supersededBy.line, to: supersededBy.line }),
            )}
          >
            possibly superseded by {showHidden(supersededBy.path)}, line {supersededBy.line}
          </a>
        )}
        {flags.map((flag) => (
          <span class="flag" key={flag}>
            {flagNames[flag]}
          </span>
        ))}
      </p>
      <Snippet hit={hit} />
      {explain && hit.explain !== undefined ? <HitExplained explained={hit.explain} score={score} /> : null}
    </article>
  );
}

function Score({ score }: { score: number }) {
  return (
    <span class="score" title="Score, from 0 to 1">
      <span class="seen-by-none">score </span>
      {score.toFixed(2)}
      <span class="score-bar" aria-hidden="true">
        <i style={{ width: `${Math.round(score * 100)}%` }} />
      </span>
    </span>
  );
}
