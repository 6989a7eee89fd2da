import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { showHidden } from "../../../text/visible.ts";
import { report } from "../state/memory-state.ts";
import { cutIntoParts } from "../text/marked-parts.ts";
import type { Mark } from "../text/snippet-line.ts";

type Draw = (text: string, marks: readonly Mark[]) => DocumentFragment;

/** Null until the code is loaded: the Markdown renderer is most of the script, and the page can start without it. */
const draw = signal<Draw | null>(null);

export async function loadInlineMarkdown(): Promise<void> {
  if (draw.value !== null) return;
  try {
    const { drawInline } = await import("../markdown/draw-inline.ts");
    draw.value = drawInline;
  } catch (error) {
    report(error);
  }
}

/** One line of a note: plain at first, and rendered as Markdown once the renderer is loaded. */
export function InlineMarkdown({ text, marks = [] }: { text: string; marks?: readonly Mark[] }) {
  const element = useRef<HTMLSpanElement>(null);
  const drawn = draw.value;
  useLayoutEffect(() => {
    if (drawn !== null) element.current?.replaceChildren(drawn(text, marks));
  }, [drawn, text, marks]);
  if (drawn === null) return <Marked text={text} ranges={marks} />;
  return <span ref={element} />;
}

/** Text of a note with some ranges marked. It is split before it is displayed, because displaying changes lengths. */
export function Marked({ text, ranges }: { text: string; ranges: readonly (readonly [number, number])[] }) {
  return (
    <>
      {cutIntoParts(text, ranges).map(({ text: part, isMarked }, index) =>
        isMarked ? <mark key={index}>{showHidden(part)}</mark> : showHidden(part),
      )}
    </>
  );
}
