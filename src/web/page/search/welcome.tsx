import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { showHidden } from "../../../text/visible.ts";
import { api, type NoteEntry } from "../api.ts";
import { WriteFirst } from "../parts/write-first.tsx";
import { attempt, changed, status } from "../state/memory-state.ts";
import { noteAddress } from "../state/routes.ts";
import { countOf, formatAgo } from "../text/human.ts";

const latestCount = 6;
/** Somebody who begins to type at once is answered first. */
const pauseMs = 250;

/** What is there before anything is asked: how much the memory holds, and what was written last. */
export function Welcome() {
  const latest = useSignal<readonly NoteEntry[]>([]);
  useEffect(() => {
    const load = (): Promise<boolean> =>
      attempt(async () => {
        latest.value = (await api.latestNotes(latestCount)).notes;
      });
    const timer = setTimeout(load, pauseMs);
    return () => clearTimeout(timer);
  }, [changed.value]);
  const known = status.value;
  const now = new Date();
  return (
    <div class="welcome">
      {known === null ? null : known.files === 0 && latest.value.length === 0 ? (
        <WriteFirst />
      ) : (
        <p class="lead">
          {countOf(known.files, "document")}, {countOf(known.chunks, "passage")}, one memory. Ask it anything,
          in your own words.
        </p>
      )}
      {latest.value.length === 0 ? null : (
        <>
          <h2>Written last</h2>
          <ul class="latest">
            {latest.value.map(({ path, modifiedAt }) => (
              <li key={path}>
                <a href={noteAddress(path)}>{showHidden(path)}</a>
                <time dateTime={modifiedAt}>{formatAgo(modifiedAt, now)}</time>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
