import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { showHidden } from "../../../text/visible.ts";
import { api, type MarkedHit } from "../api.ts";
import { drawNote } from "../notes/draw-note.ts";
import { Turn } from "../sessions/sessions.tsx";
import { changed, isAmongChanged } from "../state/memory-state.ts";
import { hitAddress } from "../state/routes.ts";
import { languageOf } from "../text/language.ts";
import { formatLineHash, splitLines } from "../text/line-range.ts";
import { cutIntoParts, markedWords } from "../text/marked-parts.ts";
import { excerptAround } from "../text/snippet-line.ts";

/** Of a larger note, only the part around the hit is previewed, so that moving through hits stays fast. */
const maxWholeChars = 60_000;
const linesAround = 80;
const pauseMs = 80;

/** The note of a hit beside the list, with a bar at the lines of the hit and the query words marked. */
export function Preview({ hit }: { hit: MarkedHit }) {
  const { path, source, startLine, endLine } = hit;
  const lines = { from: startLine, to: endLine };
  const isNews = isAmongChanged(path);
  const loaded = useSignal<{
    path: string;
    text?: string;
    turns?: readonly { line: number; text: string }[];
  } | null>(null);
  const isSession = source === "sessions";
  useEffect(() => {
    if (!isSession && !isNews && loaded.value?.path === path) return;
    let isOver = false;
    const load = async (): Promise<void> => {
      try {
        const id = path.replace(/^sessions\//, "");
        const next = isSession
          ? { path, turns: (await api.session({ id, from: Math.max(1, startLine - 4), lines: 24 })).turns }
          : { path, text: (await api.source(path)).text };
        if (!isOver) loaded.value = next;
      } catch {
        // The hit can still be opened, and opening it shows the error.
        if (!isOver) loaded.value = { path };
      }
    };
    const timer = setTimeout(load, pauseMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [path, isSession ? startLine : 0, changed.value]);
  const shown = loaded.value?.path === path ? loaded.value : null;
  return (
    <section class="preview">
      <header>
        <a href={hitAddress({ path, source }, formatLineHash(lines))} tabIndex={-1}>
          {showHidden(path)}
        </a>
      </header>
      {shown?.text !== undefined ? (
        <NotePreview hit={hit} text={shown.text} />
      ) : shown?.turns !== undefined ? (
        <ol class="paper turns">
          {shown.turns.map(({ line, text }) => (
            <Turn key={line} line={line} text={text} isCited={startLine <= line && line <= endLine} />
          ))}
        </ol>
      ) : shown === null ? (
        <p class="waiting">Loading …</p>
      ) : null}
    </section>
  );
}

function NotePreview({ hit, text }: { hit: MarkedHit; text: string }) {
  const { path, snippet, marks = [], startLine, endLine } = hit;
  const body = useRef<HTMLElement>(null);
  const excerpt =
    text.length <= maxWholeChars ? text : excerptAround(splitLines(text), startLine, linesAround);
  const words = markedWords(snippet, marks);
  useLayoutEffect(() => {
    const element = body.current!;
    element.replaceChildren(
      drawNote(excerpt, { path, cited: { from: startLine, to: endLine }, links: null }),
    );
    const cited = element.querySelectorAll<HTMLElement>(".cited");
    if (words !== null) for (const line of cited) markWords(line, words);
    // Only the preview scrolls: the list keeps its position.
    const first = cited[0];
    const above =
      first === undefined ? 0 : first.getBoundingClientRect().top - element.getBoundingClientRect().top;
    element.scrollTop += above - element.clientHeight / 4;
  }, [path, excerpt, startLine, endLine, words?.source]);
  return (
    <section ref={body} class="paper rendered" lang={languageOf(excerpt)} aria-label={`Preview of ${path}`} />
  );
}

function markWords(line: HTMLElement, words: RegExp): void {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const ranges = [...text.data.matchAll(words)].map(
      ({ index, 0: word }) => [index, index + word.length] as const,
    );
    if (ranges.length === 0) continue;
    text.replaceWith(
      ...cutIntoParts(text.data, ranges).map(({ text: part, isMarked }) => {
        if (!isMarked) return part;
        const mark = document.createElement("mark");
        mark.textContent = part;
        return mark;
      }),
    );
  }
}
