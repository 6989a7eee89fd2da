import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { NoteLinks } from "../../../memory/note-requests.ts";
import type { NoteSource } from "../api.ts";
import { languageOf } from "../text/language.ts";
import type { LineRange } from "../text/line-range.ts";
import { citeLines, drawNote } from "./draw-note.ts";
import { useScrollToCited } from "./scroll.ts";

interface RenderedNoteProps {
  readonly note: NoteSource;
  /** Null until the notes are loaded. */
  readonly links: NoteLinks["links"] | null;
  readonly chosen: LineRange | null;
  readonly onChoose: (line: number, options: { extend: boolean }) => void;
}

/** A note rendered from Markdown, with source line numbers in the margin. */
export function RenderedNote({ note, links, chosen, onChoose }: RenderedNoteProps) {
  const body = useRef<HTMLDivElement>(null);
  const isUnseen = useSignal(false);
  useLayoutEffect(() => {
    body.current?.replaceChildren(drawNote(note.text, { path: note.path, cited: chosen, links }));
  }, [note.text, note.path, links]);
  useLayoutEffect(() => {
    citeLines(body.current!, chosen);
    isUnseen.value = chosen !== null && body.current?.querySelector(".cited") === null;
  }, [note.text, chosen?.from, chosen?.to]);
  useScrollToCited(
    chosen,
    () =>
      body.current?.querySelector(".cited") ??
      linesOf(body.current).findLast(({ dataset }) => Number(dataset["line"]) <= chosen!.from) ??
      body.current,
  );
  return (
    <>
      {isUnseen.value ? (
        <p class="remark" role="status">
          These lines are not visible in the rendered note. Source shows them.
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: numbers in the source view are links, for those without a mouse. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the same. */}
      <div
        ref={body}
        class="paper rendered"
        lang={languageOf(note.text)}
        onClick={(event) => {
          const line = lineOfGutter(event, body.current);
          if (line !== null) onChoose(line, { extend: event.shiftKey });
        }}
      />
    </>
  );
}

function linesOf(body: HTMLElement | null): HTMLElement[] {
  return [...(body?.querySelectorAll<HTMLElement>("[data-line]") ?? [])];
}

/** The line number that was clicked: numbers are drawn in the margin, left of the lines. */
function lineOfGutter(event: MouseEvent, body: HTMLElement | null): number | null {
  const line = (event.target as Element).closest<HTMLElement>("[data-line]");
  if (line === null || body === null) return null;
  const gutterPx = Number.parseFloat(getComputedStyle(body).paddingLeft);
  const isInGutter = event.clientX < body.getBoundingClientRect().left + gutterPx;
  return isInGutter ? Number(line.dataset["line"]) : null;
}
