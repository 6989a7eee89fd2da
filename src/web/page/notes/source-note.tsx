import { useEffect, useRef } from "preact/hooks";
import { showHidden } from "../../../text/visible.ts";
import { formatLineHash, type LineRange, splitLines } from "../text/line-range.ts";
import { scrollIntoReading } from "./scroll.ts";

interface SourceNoteProps {
  readonly text: string;
  readonly chosen: LineRange | null;
  readonly onChoose: (line: number, options: { extend: boolean }) => void;
}

/** A note letter by letter, each line with its number. */
export function SourceNote({ text, chosen, onChoose }: SourceNoteProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    scrollIntoReading(list.current?.querySelector(".cited"));
  }, [text, chosen?.from, chosen?.to]);
  return (
    <ol ref={list} class="paper source">
      {splitLines(text).map((line, index) => {
        const number = index + 1;
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
            <code>{showHidden(line)}</code>
          </li>
        );
      })}
    </ol>
  );
}
