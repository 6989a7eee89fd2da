import { showHidden } from "../../../text/visible.ts";
import type { MarkedHit } from "../api.ts";
import { hitAddress } from "../state/routes.ts";
import { condense } from "../text/condense.ts";
import { formatDay } from "../text/human.ts";
import { formatLineHash } from "../text/line-range.ts";
import { HitExplained } from "./hit-explained.tsx";
import { Marked } from "./marked.tsx";

const maxSnippetLines = 5;

const flagNames = {
  "instruction-like": "reads like an instruction",
  "hidden-characters": "holds hidden characters",
} as const;

export function Hit({ hit, explain }: { hit: MarkedHit; explain: boolean }) {
  const {
    path,
    startLine,
    endLine,
    score,
    headings,
    date,
    source,
    snippet,
    marks = [],
    flags = [],
    origin,
  } = hit;
  const lines = { from: startLine, to: endLine };
  return (
    <li class="hit">
      <article>
        <div class="hit-head">
          <a class="hit-link" href={hitAddress({ path, source }, formatLineHash(lines))}>
            <span class="hit-path">{showHidden(path)}</span>{" "}
            <span class="hit-lines">{formatLineHash(lines).slice(1).replace("-L", "–")}</span>
          </a>
          <Score score={score} />
        </div>
        <p class="hit-facts">
          {headings.length === 0 ? null : (
            <span class="headings">{headings.map(showHidden).join(" › ")}</span>
          )}
          {date === undefined ? null : <time dateTime={date}>{formatDay(date)}</time>}
          <span>{source === "memory" ? "note" : "session"}</span>
          {origin === undefined ? null : <span>from {showHidden(origin)}</span>}
          {flags.map((flag) => (
            <span class="flag" key={flag}>
              {flagNames[flag]}
            </span>
          ))}
        </p>
        <p class="snippet">
          {condense(snippet, marks, { maxLines: maxSnippetLines }).map(({ text, marks: own, followsGap }) => (
            <span key={text} data-gap={followsGap}>
              <Marked text={text} ranges={own} />
            </span>
          ))}
        </p>
        {explain && hit.explain !== undefined ? <HitExplained explained={hit.explain} score={score} /> : null}
      </article>
    </li>
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
