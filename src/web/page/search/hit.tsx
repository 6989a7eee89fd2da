import type { HitExplanation } from "../../../search/search.ts";
import { countFrontMatterLines } from "../../../text/front-matter.ts";
import { hideComments } from "../../../text/note-comments.ts";
import { showHidden } from "../../../text/visible.ts";
import type { MarkedHit } from "../api.ts";
import { hitAddress, noteAddress } from "../state/routes.ts";
import { formatDay } from "../text/human.ts";
import { languageOf } from "../text/language.ts";
import { formatLineHash } from "../text/line-range.ts";
import { condense, findCodeLines, isOrnament, parseSnippetLine } from "../text/snippet-line.ts";
import { Bar } from "./bar.tsx";
import { type HitGroup, keyOf, titleOf } from "./group-hits.ts";
import { InlineMarkdown, Marked } from "./inline-markdown.tsx";
import { rememberSearch } from "./recent-searches.ts";
import { previewed, searchState } from "./search-state.ts";

const flagNames = {
  "instruction-like": "reads like an instruction",
  "hidden-characters": "has hidden characters",
} as const;

/** All hits of one note: the best with the details of the note, the others below it. */
export function Group({ group: { hits }, explain }: { group: HitGroup; explain: boolean }) {
  const first = titleOf(hits[0]).title;
  return (
    <li class="hit-group">
      {hits.map((hit, index) => (
        <Hit
          key={keyOf(hit)}
          hit={hit}
          explain={explain}
          isFirst={index === 0}
          repeats={index > 0 && titleOf(hit).title === first}
        />
      ))}
    </li>
  );
}

interface HitProps {
  readonly hit: MarkedHit;
  readonly explain: boolean;
  /** The first hit of a note carries the note's name. */
  readonly isFirst: boolean;
  /** Further hits share the title of the first, so their lines name them better. */
  readonly repeats: boolean;
}

function Hit({ hit, explain, isFirst, repeats }: HitProps) {
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
          onClick={() => rememberSearch(searchState.value.query)}
        >
          {above.length === 0 || repeats ? null : (
            <span class="hit-above">
              <InlineMarkdown text={above.join(" › ")} /> ›{" "}
            </span>
          )}
          <span class="hit-title" lang={languageOf(title)}>
            {repeats ? nameLines(startLine, endLine) : <InlineMarkdown text={title} />}
          </span>
        </a>
        <Score score={score} />
      </div>
      <p class="hit-facts">
        {isFirst ? <Where path={path} source={source} /> : null}
        {repeats ? null : <span class="hit-lines">{lines.slice(1).replace("-L", "–")}</span>}
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

function nameLines(start: number, end: number): string {
  return start === end ? `Line ${start}` : `Lines ${start}–${end}`;
}

/** The path of a note; a session is titled by its first message, and its long id adds little. */
function Where({ path, source }: Pick<MarkedHit, "path" | "source">) {
  const id = /^sessions\/([\w-]{8})[\w-]{8,}\.\w+$/.exec(path)?.[1];
  return (
    <span class="hit-path" title={id === undefined ? undefined : path}>
      {source === "sessions" && id !== undefined ? `session ${id}…` : showHidden(path)}
    </span>
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

const maxSnippetLines = 5;

/** The most useful lines of a hit, rendered as Markdown. */
function Snippet({ hit }: { hit: MarkedHit }) {
  const { source, snippet, startLine, marks = [] } = hit;
  const frontMatter = startLine === 1 ? countFrontMatterLines(snippet) : 0;
  const shown = source === "memory" ? hideComments(snippet, { blank: true }) : snippet;
  const seen = marks.filter(([from, to]) => shown.slice(from, to).trim() !== "");
  const { title } = titleOf(hit);
  const isTitle = (line: string): boolean =>
    /^#{1,6}\s/.test(line) && line.replace(/^#+\s+/, "").trim() === title;
  const find = (isSkipped: (line: string, index: number) => boolean) =>
    condense(shown, seen, { maxLines: maxSnippetLines, isSkipped });
  const useful = find((line, index) => index < frontMatter || isOrnament(line) || isTitle(line));
  // A hit may consist of nothing but its heading or its front matter.
  const lines = useful.length > 0 ? useful : find(isOrnament);
  const language = languageOf(snippet);
  const code = source === "memory" ? findCodeLines(snippet) : new Set();
  return (
    <div class="snippet">
      {lines.map(({ index: at, text, marks: own, followsGap }, index) => {
        const isCode = code.has(at);
        const parsed = isCode ? { kind: "code", text, marks: own } : parseSnippetLine(text, own);
        return (
          <p
            key={index}
            lang={language ?? languageOf(text)}
            data-kind={parsed.kind}
            data-gap={followsGap && index > 0}
          >
            {isCode ? (
              <Marked text={parsed.text} ranges={parsed.marks} />
            ) : (
              <InlineMarkdown text={parsed.text} marks={parsed.marks} />
            )}
          </p>
        );
      })}
    </div>
  );
}

/** How one hit got its score: keyword and semantic score with their floor, the contribution of each word, and age. */
function HitExplained({ explained, score }: { explained: HitExplanation; score: number }) {
  const { terms, text, vector, similarWords = 0, decay, floor } = explained;
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
      {similarWords < 0.005 ? null : <Bar name="similar words" value={similarWords} kind="vector" />}
      {decay === 1 ? null : <Bar name="decay" value={decay} kind="decay" remark="age factor" />}
      <Bar name="score" value={score} kind="score" floor={floor} remark={`floor ${floor.toFixed(2)}`} />
    </dl>
  );
}

/** A word may contribute without occurring: neighbouring chunks of the note, or a similar word, supply it. */
function describeOccurrences(occurrences: number): string {
  const count = Number(occurrences.toFixed(1));
  return count === 0 ? "nearby or similar" : `×${count}`;
}
