import type { NoteLinks } from "../../../memory/memory.ts";
import { showHidden } from "../../../text/visible.ts";
import { noteAddress } from "../state/routes.ts";
import { countOf } from "../text/human.ts";

/** Which notes lead here, and which links of this note lead nowhere. */
export function Connections({ links: { backlinks, broken } }: { links: NoteLinks }) {
  if (backlinks.length === 0 && broken.length === 0) return null;
  const byNote = Map.groupBy(backlinks, ({ path }) => path);
  return (
    <aside class="connections" aria-label="Links">
      {backlinks.length === 0 ? null : (
        <section>
          <h2>Linked from {countOf(byNote.size, "note")}</h2>
          <ul>
            {[...byNote].map(([path, own]) => (
              <li key={path}>
                <a href={noteAddress(path, `#L${own[0]!.line}`)}>{showHidden(path)}</a>
                {own.slice(1).map(({ line }) => (
                  <a key={line} class="faint" href={noteAddress(path, `#L${line}`)}>
                    L{line}
                  </a>
                ))}
              </li>
            ))}
          </ul>
        </section>
      )}
      {broken.length === 0 ? null : (
        <section>
          <h2>Links to notes that do not exist</h2>
          <ul>
            {broken.map(({ target, line }) => (
              <li key={`${target}:${line}`}>
                <a href={`#L${line}`}>L{line}</a> {showHidden(target)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}
