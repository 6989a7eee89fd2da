import { useLayoutEffect, useRef } from "preact/hooks";
import { countOf } from "../../../text/count-of.ts";
import { showHidden } from "../../../text/visible.ts";
import type { NoteSource } from "../api.ts";
import type { Draft } from "../state/drafts.ts";
import { showLineEnds } from "../text/line-ends.ts";
import { splitLines } from "../text/line-range.ts";
import { mergeLines } from "../text/merge.ts";
import { pairRows } from "./pair-rows.ts";

interface ConflictProps {
  readonly draft: Draft;
  readonly theirs: NoteSource;
  readonly onTakeTheirs: () => void;
  /** Called with the text to continue with. */
  readonly onGoOn: (text: string) => void;
}

/**
 * Shown when the note was changed elsewhere during editing: both versions, and options that never discard either one
 * unseen.
 */
export function Conflict({ draft, theirs, onTakeTheirs, onGoOn }: ConflictProps) {
  const [base, mine, others] = [draft.base.text, draft.text, theirs.text].map(toLines) as [
    string[],
    string[],
    string[],
  ];
  const merged = mergeLines(base, mine, others);
  const title = useRef<HTMLHeadingElement>(null);
  // The conflict replaces a long editor in which the user was somewhere in the middle.
  useLayoutEffect(() => title.current?.scrollIntoView({ block: "start" }), []);
  return (
    <section class="conflict" aria-labelledby="conflict-title">
      <h2 id="conflict-title" ref={title}>
        This note was changed elsewhere
      </h2>
      <p>
        Nothing was overwritten. Compare what you typed with what is in the file now.{" "}
        {merged.conflicts === 0
          ? "The two changes do not overlap and can be merged."
          : `${countOf(merged.conflicts, "place was", "places were")} changed by both; there, both versions will appear between conflict markers.`}
      </p>
      <div class="conflict-tools">
        <button type="button" class="main" onClick={() => onGoOn(merged.lines.join("\n"))}>
          Merge and keep editing
        </button>
        <button type="button" class="quiet" onClick={onTakeTheirs}>
          Take theirs, discard mine
        </button>
      </div>
      <table class="side-by-side">
        <colgroup>
          <col class="number" />
          <col />
          <col class="number" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" colSpan={2}>
              Yours
            </th>
            <th scope="col" colSpan={2}>
              In the file
            </th>
          </tr>
        </thead>
        <tbody>
          {pairRows(splitLines(draft.text), splitLines(theirs.text)).map(({ left, right, isSame }) => (
            <tr key={`${left?.line}:${right?.line}`} data-same={isSame}>
              <Side side={left} kind="yours" />
              <Side side={right} kind="theirs" />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Includes the empty line after a final line break, so that the break is kept as well. */
function toLines(text: string): string[] {
  return showLineEnds(text).split("\n");
}

function Side({
  side,
  kind,
}: {
  side: { line: number; text: string } | undefined;
  kind: "yours" | "theirs";
}) {
  return (
    <>
      <td class={side === undefined ? "number empty" : "number"}>{side?.line}</td>
      <td
        class={side === undefined ? "text empty" : "text"}
        data-kind={side === undefined ? "none" : kind}
        data-whose={kind === "yours" ? "Yours" : "In the file"}
      >
        {side === undefined ? "" : showHidden(side.text)}
      </td>
    </>
  );
}
