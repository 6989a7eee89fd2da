import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ShownSession } from "../../../sessions/transcripts/sessions.ts";
import { showHidden } from "../../../text/visible.ts";
import { api } from "../api.ts";
import { useScrollToCited } from "../notes/scroll.ts";
import { place } from "../state/location.ts";
import { attempt } from "../state/memory-state.ts";
import { formatDay } from "../text/human.ts";
import { parseLineHash } from "../text/line-range.ts";
import { Turn } from "./turn.tsx";

/** Lines before a cited turn that are read with it, to see what it answers. */
const linesBefore = 20;
const turnsAtOnce = 60;

/** A transcript as it was said, turn by turn. */
export function SessionView({ id }: { id: string }) {
  const list = useRef<HTMLOListElement>(null);
  const shown = useSignal<ShownSession | null>(null);
  const hasFailed = useSignal(false);
  const first = useSignal(1);
  const cited = parseLineHash(place.value.hash);
  const load = async (from: number): Promise<void> => {
    const isLoaded = await attempt(async () => {
      shown.value = await api.session({ id, from, lines: turnsAtOnce });
      first.value = from;
    });
    hasFailed.value = !isLoaded;
  };
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
      <h1>{showHidden(session?.title ?? id)}</h1>
      {session?.title === undefined ? null : <p class="faint session-id">{showHidden(id)}</p>}
      {session === null ? (
        <p class="waiting">{hasFailed.value ? "This session cannot be shown." : "Loading …"}</p>
      ) : null}
      {first.value > 1 ? (
        <button type="button" class="quiet" onClick={() => load(1)}>
          Read from the beginning
        </button>
      ) : null}
      <ol ref={list} class="paper turns">
        {session?.turns.map(({ line, text }) => (
          <Turn
            key={line}
            line={line}
            text={text}
            isCited={cited !== null && cited.from <= line && line <= cited.to}
          />
        ))}
      </ol>
      {session !== null && session.turns.length === 0 ? <p>This transcript has no messages.</p> : null}
      {session?.nextFrom === undefined ? null : (
        <button type="button" class="quiet" onClick={readOn}>
          Read on
        </button>
      )}
    </article>
  );
}
