import type { Change, Step, StepKind } from "../../../consolidate/consolidation.ts";
import { countOf } from "../../../text/count-of.ts";
import { showHidden } from "../../../text/visible.ts";
import { noteAddress } from "../state/routes.ts";

export const kindNames: Readonly<Record<StepKind, string>> = {
  merge: "Merge duplicates",
  supersede: "Mark as superseded",
  promote: "Keep as a lasting fact",
  anchor: "Write out a date",
  trim: "Shorten the long-term memory",
  archive: "Archive an old note",
};

interface StepCardProps {
  readonly step: Step;
  readonly isBusy: boolean;
  /** Absent if changes are not possible. */
  readonly onApply?: () => void;
  readonly onReject?: () => void;
}

/** One proposed step: its changes, line by line, and the reason. */
export function StepCard({ step, isBusy, onApply, onReject }: StepCardProps) {
  const { id, kind, reason, changes, by } = step;
  return (
    <li class="step" data-step={id}>
      <h2>{kindNames[kind]}</h2>
      <p class="step-reason">
        <WithPlaces text={reason} />
        {by === "model" ? <span class="faint"> Proposed by a model and checked.</span> : null}
      </p>
      {changes.map((change) => (
        <ChangedLines key={`${change.path}:${change.startLine}`} change={change} />
      ))}
      {onApply === undefined ? null : (
        <div class="step-tools">
          <button type="button" class="main" disabled={isBusy} onClick={onApply}>
            Accept
          </button>
          <button type="button" class="quiet" disabled={isBusy} onClick={onReject}>
            Reject
          </button>
        </div>
      )}
    </li>
  );
}

/** A reason in which each `memory/x.md:5` is a link to its line. */
export function WithPlaces({ text }: { text: string }) {
  const parts = text.split(/((?:[^\s:]+)\.md:\d+)/);
  return (
    <>
      {parts.map((part, index) => {
        if (index % 2 === 0) return showHidden(part);
        const [path = "", line] = part.split(/:(?=\d+$)/);
        return (
          <a key={index} href={noteAddress(path, `#L${line}`)}>
            {showHidden(part)}
          </a>
        );
      })}
    </>
  );
}

export function ChangedLines({ change }: { change: Change }) {
  const { path, startLine, before, after, title, movesTo } = change;
  return (
    <figure class="change">
      <figcaption>
        <a href={noteAddress(path, before.length === 0 ? "" : `#L${startLine}`)}>{showHidden(path)}</a>
        {movesTo === undefined ? null : <span> moves to {showHidden(movesTo)}</span>}
        {title === undefined ? null : <span class="faint"> new note</span>}
      </figcaption>
      {movesTo !== undefined ? (
        <details>
          <summary>{countOf(before.length, "line")}, unchanged</summary>
          <pre>{showHidden(before.join("\n"))}</pre>
        </details>
      ) : before.length + after.length === 0 ? null : (
        <pre>
          {before.map((line, index) => (
            <del key={index}>
              <span class="seen-by-none">removed: </span>
              {showHidden(line) || " "}
            </del>
          ))}
          {after.map((line, index) => (
            <ins key={index}>
              <span class="seen-by-none">added: </span>
              {showHidden(line) || " "}
            </ins>
          ))}
        </pre>
      )}
    </figure>
  );
}
