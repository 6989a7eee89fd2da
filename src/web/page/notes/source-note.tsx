import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatCount } from "../../../text/count-of.ts";
import { showHidden } from "../../../text/visible.ts";
import { formatLineHash, type LineRange, splitLines } from "../text/line-range.ts";
import { useScrollToCited } from "./scroll.ts";

interface SourceNoteProps {
  readonly text: string;
  readonly chosen: LineRange | null;
  readonly onChoose: (line: number, options: { extend: boolean }) => void;
}

/** A note of a hundred thousand lines, or a line of a million characters, would block the browser for minutes. */
const linesAtOnce = 2000;
const maxLineChars = 20_000;

/** The source of a note with line numbers. Of a very long note, only a window of lines is rendered. */
export function SourceNote({ text, chosen, onChoose }: SourceNoteProps) {
  const list = useRef<HTMLOListElement>(null);
  const lines = useMemo(() => splitLines(text), [text]);
  const startFor = (range: LineRange | null): number =>
    range === null ? 0 : Math.max(0, Math.min(range.from, lines.length) - linesAtOnce / 2);
  const start = useSignal(startFor(chosen));
  useLayoutEffect(() => {
    const isShown =
      chosen === null || (chosen.from > start.value && chosen.from <= start.value + linesAtOnce);
    if (!isShown) start.value = startFor(chosen);
  }, [chosen?.from]);
  useScrollToCited(chosen, () => list.current?.querySelector(".cited"));
  const move = (to: number): void => {
    start.value = to;
    list.current?.scrollIntoView();
  };
  const [first, end] = [start.value, start.value + linesAtOnce];
  return (
    <>
      {first > 0 ? (
        <button type="button" class="quiet" onClick={() => move(Math.max(0, first - linesAtOnce))}>
          Lines before {formatCount(first + 1)}
        </button>
      ) : null}
      <ol ref={list} class="paper source">
        {lines.slice(first, end).map((line, index) => {
          const number = first + index + 1;
          const isCited = chosen !== null && chosen.from <= number && number <= chosen.to;
          return (
            <li key={number} class={isCited ? "line cited" : "line"} data-source-line={number}>
              <a
                href={formatLineHash({ from: number, to: number })}
                aria-label={`Line ${number}`}
                onClick={(event) => {
                  event.preventDefault();
                  onChoose(number, { extend: event.shiftKey });
                }}
              >
                {number}
              </a>
              <code>
                {showHidden(line.slice(0, maxLineChars))}
                {line.length > maxLineChars ? (
                  <span class="faint"> … and {formatCount(line.length - maxLineChars)} more characters</span>
                ) : null}
              </code>
            </li>
          );
        })}
      </ol>
      {end < lines.length ? (
        <button type="button" class="quiet" onClick={() => move(end)}>
          Lines after {formatCount(end)} of {formatCount(lines.length)}
        </button>
      ) : null}
    </>
  );
}
