import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { showHidden } from "../../../text/visible.ts";
import { api, type SessionList } from "../api.ts";
import { attempt, failure } from "../state/memory-state.ts";
import { sessionAddress } from "../state/routes.ts";
import { countOf, formatBytes, formatDay } from "../text/human.ts";

/** The transcripts that the agent can remember, the newest first. */
export function SessionsView() {
  const list = useSignal<SessionList | null>(null);
  useEffect(() => {
    void attempt(async () => {
      list.value = await api.sessions();
    });
  }, [list]);
  const known = list.value;
  const newestFirst = [...(known?.sessions ?? [])].sort((a, b) => ((a.date ?? "") < (b.date ?? "") ? 1 : -1));
  return (
    <div class="column">
      <h1>Sessions</h1>
      <p class="lead">
        Conversations with this agent. longhand only reads them, and masks secrets here and in the index.
      </p>
      {known === null && failure.value === null ? <p class="waiting">Loading …</p> : null}
      {known !== null && !known.isIndexing ? (
        <p class="remark">
          They are listed but not searched: add <code>"sessions"</code> to <code>sources</code> and switch on{" "}
          <code>experimental.sessionMemory</code> in the configuration.
        </p>
      ) : null}
      {known !== null && newestFirst.length === 0 ? (
        <p>
          There are no transcripts yet. Import some with <code>longhand sessions import</code>.
        </p>
      ) : null}
      <ul class="sessions">
        {newestFirst.map(
          ({ id, title, path, format, turns, malformed, date, sizeBytes, scope, isImported, isIndexed }) => (
            <li key={path}>
              <a href={sessionAddress(path.replace(/^sessions\//, ""))}>{showHidden(title ?? id)}</a>
              <p class="hit-facts">
                {date === undefined ? null : <time dateTime={date}>{formatDay(date)}</time>}
                <span>{format ?? "unknown format"}</span>
                {turns === null ? null : <span>{countOf(turns, "turn")}</span>}
                <span>{formatBytes(sizeBytes)}</span>
                {scope === "private" ? <span>private</span> : null}
                {title === undefined ? null : <span class="session-id">{showHidden(id)}</span>}
                {isImported ? <span>imported</span> : null}
                {isIndexed ? null : <span>not indexed</span>}
                {malformed !== null && malformed > 0 ? (
                  <span class="flag">{countOf(malformed, "line")} not readable</span>
                ) : null}
              </p>
            </li>
          ),
        )}
      </ul>
    </div>
  );
}
