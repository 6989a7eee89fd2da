import type { NoteLinks } from "../../../memory/note-requests.ts";
import { renderNote } from "../markdown/render-note.ts";
import { sanitise } from "../markdown/sanitise.ts";
import { noteAddress } from "../state/routes.ts";
import { languageOf } from "../text/language.ts";
import type { LineRange } from "../text/line-range.ts";

interface DrawOptions {
  readonly path: string;
  readonly cited: LineRange | null;
  /** Resolves the links of the note; null until the notes are loaded. */
  readonly links: NoteLinks["links"] | null;
}

/** A note rendered from Markdown as DOM nodes, with the cited lines highlighted. */
export function drawNote(text: string, { path, cited, links }: DrawOptions): DocumentFragment {
  const resolveWikiLink = (target: string, heading: string | undefined): string | null => {
    const found = target === "" ? path : links?.find((link) => link.target === target)?.path;
    if (found === undefined) return null;
    const line = heading !== undefined && found === path ? findHeading(text, heading) : null;
    return noteAddress(found, line === null ? "" : `#L${line}`);
  };
  const drawn = sanitise(
    renderNote(text, { path, resolveWikiLink: links === null ? undefined : resolveWikiLink }),
  );
  citeLines(drawn, cited);
  // A note in one language carries a `lang` attribute as a whole.
  if (languageOf(text) === undefined) {
    for (const line of drawn.querySelectorAll<HTMLElement>(".line")) {
      const language = languageOf(line.textContent);
      if (language !== undefined) line.lang = language;
    }
  }
  return drawn;
}

export function citeLines(body: ParentNode, cited: LineRange | null): void {
  for (const element of body.querySelectorAll<HTMLElement>("[data-line]")) {
    element.classList.toggle("cited", cited !== null && holds(element, cited));
  }
  const folded = body.querySelector("details");
  if (folded?.querySelector(".cited")) folded.open = true;
}

function holds({ dataset }: HTMLElement, { from, to }: LineRange): boolean {
  const start = Number(dataset["line"]);
  return start <= to && Number(dataset["end"] ?? start) >= from;
}

function findHeading(text: string, heading: string): number | null {
  const index = text
    .split("\n")
    .findIndex((line) => /^#{1,6}\s/.test(line) && line.replace(/^#+\s+/, "").trim() === heading.trim());
  return index === -1 ? null : index + 1;
}
