import { useEffect } from "preact/hooks";
import { showHidden } from "../../../text/visible.ts";
import { loadNotes, notes, status } from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { countOf, formatAgo } from "../text/human.ts";

/** What is there before anything is asked: how much the memory holds, and what was written last. */
export function Welcome() {
  useEffect(() => {
    if (notes.value === null) void loadNotes();
  }, []);
  const known = status.value;
  const now = new Date();
  const latest = [...(notes.value ?? [])].sort((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : -1)).slice(0, 6);
  return (
    <div class="welcome">
      {known === null ? null : (
        <p class="lead">
          {countOf(known.files, "document")}, {countOf(known.chunks, "passage")}, one memory. Ask it anything,
          in your own words.
        </p>
      )}
      {latest.length === 0 ? null : (
        <>
          <h2>Written last</h2>
          <ul class="latest">
            {latest.map(({ path, modifiedAt }) => (
              <li key={path}>
                <a href={noteAddress(path)}>{showHidden(path)}</a>
                <time dateTime={modifiedAt}>{formatAgo(modifiedAt, now)}</time>
              </li>
            ))}
          </ul>
        </>
      )}
      {known !== null && known.files === 0 ? (
        <p>
          Nothing is written down yet. Press <kbd>n</kbd> to write the first note, or put Markdown files below{" "}
          <code>memory/</code>.
        </p>
      ) : null}
    </div>
  );
}
