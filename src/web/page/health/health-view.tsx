import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SkippedEntry } from "../../../sources/source.ts";
import { countOf } from "../../../text/count-of.ts";
import { formatDuration } from "../../../text/figures.ts";
import { showHidden } from "../../../text/visible.ts";
import { api, type ServedStatus, type Timeline } from "../api.ts";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { WithCode } from "../parts/with-code.tsx";
import { progress } from "../state/events.ts";
import { attempt, changed, failure, followChange, loadStatus, status } from "../state/memory-state.ts";
import { showToast } from "../state/toasts.ts";
import { formatAgo } from "../text/human.ts";
import { Heatmap } from "./heatmap.tsx";
import { IndexFacts } from "./index-facts.tsx";

/** On which days something was written, and the state of the index. */
export function HealthView() {
  const timeline = useSignal<Timeline | null>(null);
  useEffect(() => {
    void attempt(async () => {
      timeline.value = await api.timeline();
    });
  }, [changed.value]);
  useEffect(() => void loadStatus(), []);
  const known = status.value;
  const undated = timeline.value?.undated.notes ?? 0;
  return (
    <div class="column health">
      <h1>Activity</h1>
      {timeline.value === null ? null : timeline.value.points.length === 0 ? (
        <NoDays notes={timeline.value.undated.notes} />
      ) : (
        <Heatmap points={timeline.value.points} />
      )}
      {undated === 0 ? null : (
        <p class="faint">By note date. {countOf(undated, "note has", "notes have")} no date.</p>
      )}
      <h2>Index</h2>
      <SyncPanel />
      {known === null ? (
        <p class="waiting">
          {failure.value === null ? "Loading …" : "The state of the index cannot be shown."}
        </p>
      ) : (
        <>
          <IndexFacts known={known} />
          <SkippedFiles skipped={known.onDisk.skipped} />
          <SyncHistory known={known} />
        </>
      )}
    </div>
  );
}

function NoDays({ notes }: { notes: number }) {
  return (
    <Empty>
      <strong>No days yet.</strong> How much was written about each day of the year will appear here.{" "}
      {notes === 0
        ? "Your first note goes into today's, unless you name another."
        : "No note has a date in its name yet. What you write goes into today's note, unless you name another."}
    </Empty>
  );
}

const watched = {
  none: "the folder is not watched",
  watching: "watching for changes",
  polling: "polling for changes",
  paused: "no longer watching",
} as const;

/** Whether the index is up to date, its progress if not, and a button to sync now. */
function SyncPanel() {
  const isBusy = useSignal(false);
  const known = status.value;
  const running = progress.value;
  const sync = async (): Promise<void> => {
    isBusy.value = true;
    await attempt(async () => {
      const { added, updated, removed, failed, durationMs } = await api.sync();
      const failures = failed.length === 0 ? "" : `, ${failed.length} failed`;
      showToast(
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
              <span title={known.watcher.mode === "none" ? undefined : `Process ${known.watcher.pid}`}>
                {watched[known.watcher.mode]}
              </span>
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

/** The latest syncs that changed something, and their failures. */
function SyncHistory({ known }: { known: ServedStatus }) {
  const now = new Date();
  return (
    <section>
      <h2>Last syncs</h2>
      {known.syncs.length === 0 ? (
        <p class="faint">No sync has changed anything yet.</p>
      ) : (
        <div class="scrolls">
          <table class="plain">
            <caption class="seen-by-none">Latest syncs, the newest first</caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Why</th>
                <th scope="col">Added</th>
                <th scope="col">Updated</th>
                <th scope="col">Removed</th>
                <th scope="col">Failed</th>
                <th scope="col">Took</th>
              </tr>
            </thead>
            <tbody>
              {known.syncs.map(({ at, reason, added, updated, removed, failed, failures, durationMs }) => (
                <tr key={at}>
                  <td data-column="When">
                    <time dateTime={at}>{formatAgo(at, now)}</time>
                  </td>
                  <td data-column="Why">{reason}</td>
                  <td data-column="Added">{added}</td>
                  <td data-column="Updated">{updated}</td>
                  <td data-column="Removed">{removed}</td>
                  <td class="breaks" data-column="Failed">
                    {failed}
                    {failures.map(({ path, message }) => (
                      <p class="flag" key={path}>
                        {showHidden(message.includes(path) ? message : `${path}: ${message}`)}
                      </p>
                    ))}
                  </td>
                  <td data-column="Took">{formatDuration(durationMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const maxShown = 200;

/** Files that look like notes and are not indexed, each with the reason. */
function SkippedFiles({ skipped }: { skipped: readonly SkippedEntry[] }) {
  return (
    <section>
      <h2>Skipped files</h2>
      {skipped.length === 0 ? (
        <p class="faint">None: every note found is indexed.</p>
      ) : (
        <table class="plain">
          <caption class="seen-by-none">{countOf(skipped.length, "file")} skipped</caption>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {skipped.slice(0, maxShown).map(({ path, reason, detail }) => (
              <tr key={`${path}:${reason}`}>
                <td class="breaks" data-column="File">
                  <code>{showHidden(path)}</code>
                </td>
                <td class="breaks" data-column="Reason">
                  {reason}
                  {detail === undefined ? "" : `: ${showHidden(detail)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {skipped.length > maxShown ? <p class="faint">and {skipped.length - maxShown} more</p> : null}
    </section>
  );
}
