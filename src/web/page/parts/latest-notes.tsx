import { showHidden } from "../../../text/visible.ts";
import type { NoteEntry } from "../api.ts";
import { noteAddress } from "../state/routes.ts";
import { formatAgo, noteName } from "../text/human.ts";
import { languageOf } from "../text/language.ts";

/** The notes changed most recently, each with its title and path. */
export function LatestNotes({ notes }: { notes: readonly NoteEntry[] }) {
  return (
    <ul class="latest">
      {notes.map(({ path, title, modifiedAt }) => (
        <li key={path}>
          <a href={noteAddress(path)}>
            <span class="latest-title" lang={languageOf(title ?? path)}>
              {showHidden(title ?? noteName(path))}
            </span>
            <span class="latest-path">{showHidden(path)}</span>
          </a>
          <time dateTime={modifiedAt}>{formatAgo(modifiedAt, new Date())}</time>
        </li>
      ))}
    </ul>
  );
}
