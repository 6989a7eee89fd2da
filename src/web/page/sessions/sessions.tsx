import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ShownSession } from "../../../sessions/transcripts/sessions.ts";
import { countOf } from "../../../text/count-of.ts";
import { showHidden } from "../../../text/visible.ts";
import { api, type SessionList } from "../api.ts";
import { useScrollToCited } from "../notes/scroll.ts";
import { Empty } from "../parts/empty.tsx";
import { InlineMarkdown, loadInlineMarkdown } from "../search/inline-markdown.tsx";
import { pageLocation } from "../state/location.ts";
import { attempt, failure } from "../state/memory-state.ts";
import { sessionAddress } from "../state/routes.ts";
import { formatDay } from "../text/human.ts";
import { parseLineHash } from "../text/line-range.ts";

/** Lines shown before a cited turn, to see what it answers. */
const linesBefore = 20;
const turnsAtOnce = 60;

/** A transcript, turn by turn. */
export function SessionView({ id }: { id: string }) {
  const list = useRef<HTMLOListElement>(null);
  const shown = useSignal<ShownSession | null>(null);
  const hasFailed = useSignal(false);
  const first = useSignal(1);
  const cited = parseLineHash(pageLocation.value.hash);
  const load = async (from: number): Promise<void> => {
    const isLoaded = await attempt(async () => {
      shown.value = await api.session({ id, from, lines: turnsAtOnce });
      first.value = from;
    });
    hasFailed.value = !isLoaded;
  };
  useEffect(() => void loadInlineMarkdown(), []);
  useEffect(() => {
    const from = cited === null ? 1 : Math.max(1, cited.from - linesBefore);
    const isHere = shown.value?.turns.some(({ line }) => line === cited?.from) ?? false;
    if (!isHere) void load(from);
  }, [cited?.from]);
  useScrollToCited(cited, () => list.current?.querySelector(".cited"));

  const session = shown.value;
  const readOn = async (): Promise<void> => {
    await attempt(async () => {
      const more = await api.session({ id, from: session!.nextFrom!, lines: turnsAtOnce });
      shown.value = { ...more, turns: [...session!.turns, ...more.turns] };
    });
  };
  return (
    <article class="column session">
      <p class="note-trail">
        <a class="back" href="/sessions">
          All sessions
        </a>
        {session?.date === undefined ? null : <time dateTime={session.date}>{formatDay(session.date)}</time>}
        {session?.format ? <span>{session.format}</span> : null}
      </p>
      <h1>{hasFailed.value ? "This session cannot be shown" : showHidden(session?.title ?? id)}</h1>
      {session?.title === undefined ? null : <p class="faint session-id">{showHidden(id)}</p>}
      {session === null && !hasFailed.value ? <p class="waiting">Loading …</p> : null}
      {first.value > 1 ? (
        <button type="button" class="quiet" onClick={() => load(1)}>
          Read from the beginning
        </button>
      ) : null}
      {session === null ? null : session.turns.length === 0 ? (
        <p>This transcript has no messages.</p>
      ) : (
        <ol ref={list} class="paper turns">
          {session.turns.map(({ line, text }) => (
            <Turn
              key={line}
              line={line}
              text={text}
              isCited={cited !== null && cited.from <= line && line <= cited.to}
            />
          ))}
        </ol>
      )}
      {session?.nextFrom === undefined ? null : (
        <button type="button" class="quiet" onClick={readOn}>
          Read on
        </button>
      )}
    </article>
  );
}

/** The transcripts that are searched, newest first. */
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
      {known !== null && newestFirst.length === 0 ? (
        <Empty command="longhand sessions import">
          <strong>There are no transcripts yet.</strong> Conversations with your agents can be read and
          searched here like notes. This command lists those it finds; with <code>--yes</code> it imports
          them:
        </Empty>
      ) : known !== null && !known.isIndexing ? (
        <p class="remark">
          Listed, but not searched. To search them, run{" "}
          <code>longhand config set memorySearch.experimental.sessionMemory true</code>, then{" "}
          <code>longhand config set memorySearch.sources "['memory', 'sessions']"</code>.
        </p>
      ) : null}
      <ul class="sessions">
        {newestFirst.map(
          ({ id, title, path, format, turns, malformed, date, scope, isImported, isIndexed }) => (
            <li key={path}>
              <a href={sessionAddress(path.replace(/^sessions\//, ""))}>{showHidden(title ?? id)}</a>
              <p class="hit-facts">
                {date === undefined ? null : <time dateTime={date}>{formatDay(date)}</time>}
                <span>{format ?? "unknown format"}</span>
                {turns === null ? null : <span>{countOf(turns, "turn")}</span>}
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

/** One turn, with its line in the transcript. */
export function Turn({ line, text, isCited }: { line: number; text: string; isCited: boolean }) {
  const [, speaker = "", said = text] = /^(User|Assistant|Summary): ([\s\S]*)$/.exec(text) ?? [];
  return (
    <li class={isCited ? "turn cited" : "turn"} data-speaker={speaker.toLowerCase()}>
      <a class="number" href={`#L${line}`} aria-label={`Line ${line}`}>
        {line}
      </a>
      {speaker === "" ? null : <strong>{speaker}</strong>}
      <p>
        <InlineMarkdown text={said} />
      </p>
    </li>
  );
}
