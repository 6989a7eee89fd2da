import { connection, progress } from "../state/events.ts";
import { status } from "../state/memory-state.ts";
import { formatCount } from "../text/human.ts";

/** How the index is, in a word; leads to all about it. */
export function Pulse() {
  const running = progress.value;
  const known = status.value;
  if (running !== null) {
    const share = running.total > 0 ? Math.floor((100 * running.completed) / running.total) : 0;
    return (
      <a class="pulse" href="/health" data-state="working">
        <i aria-hidden="true" />
        indexing {share} %
      </a>
    );
  }
  if (known === null) return null;
  const state =
    connection.value === "lost"
      ? "not connected"
      : known.unavailable !== undefined
        ? "no index"
        : known.readOnly !== undefined || known.fallback !== undefined
          ? "weak"
          : known.dirty
            ? "behind"
            : "fresh";
  return (
    <a
      class="pulse"
      href="/health"
      data-state={state === "not connected" || state === "no index" ? "weak" : state}
    >
      <i aria-hidden="true" />
      <span class="pulse-count">
        {formatCount(known.sourceCounts.find(({ source }) => source === "memory")?.files ?? 0)} notes ·{" "}
      </span>
      {state}
    </a>
  );
}
