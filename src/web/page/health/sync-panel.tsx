import { useSignal } from "@preact/signals";
import { api } from "../api.ts";
import { Icon } from "../parts/icon.tsx";
import { WithCode } from "../parts/with-code.tsx";
import { connection, progress } from "../state/events.ts";
import { attempt, followChange, status } from "../state/memory-state.ts";
import { tell } from "../state/toasts.ts";
import { countOf, formatAgo, formatDuration } from "../text/human.ts";

const watched = { watching: "watched", polling: "polled", paused: "not watched any more" } as const;

/** Whether the index is up to date, the progress while it is not, and a button to sync now. */
export function SyncPanel() {
  const isBusy = useSignal(false);
  const known = status.value;
  const running = progress.value;
  const sync = async (): Promise<void> => {
    isBusy.value = true;
    await attempt(async () => {
      const { added, updated, removed, failed, durationMs } = await api.sync();
      const failures = failed.length === 0 ? "" : `, ${failed.length} failed`;
      tell(
        `${added} added, ${updated} updated, ${removed} removed${failures} in ${formatDuration(durationMs)}`,
      );
    });
    isBusy.value = false;
    await followChange([]);
  };
  return (
    <section class="sync-panel" aria-label="Freshness">
      <div>
        {known === null ? null : (
          <>
            <p class="lead">
              {known.unavailable !== undefined
                ? `${known.unavailable.message} ${known.unavailable.hint}`
                : known.dirty
                  ? `${countOf(known.onDisk.changed, "change")} on disk ${known.onDisk.changed === 1 ? "is" : "are"} not indexed yet.`
                  : "The index is up to date."}
            </p>
            <p class="faint">
              {known.lastSync === undefined
                ? "Not synced yet"
                : `Last sync ${formatAgo(known.lastSync.at, new Date())}`}
              {" · "}
              {known.watcher.mode === "none"
                ? "the folder is not watched"
                : `${watched[known.watcher.mode]} by process ${known.watcher.pid}`}
              {connection.value === "live" ? " · live" : ""}
            </p>
          </>
        )}
        {known?.atWork.map(({ pid, doing, since }) => (
          <p class="faint" key={pid}>
            Process {pid} is {doing}, since {formatAgo(since, new Date())}
          </p>
        ))}
        {known?.readOnly === undefined ? null : (
          <p class="remark">
            <WithCode text={known.readOnly} />
          </p>
        )}
      </div>
      <button type="button" class="main" onClick={sync} disabled={isBusy.value}>
        <Icon name="sync" />
        {isBusy.value ? "Syncing …" : "Sync now"}
      </button>
      <div class="progress" role="status">
        {running === null ? null : (
          <>
            <progress
              aria-label="Progress of indexing"
              value={running.completed}
              max={Math.max(running.total, 1)}
            />
            <span class="faint">
              {running.label} {running.completed} of {running.total}
            </span>
          </>
        )}
      </div>
    </section>
  );
}
