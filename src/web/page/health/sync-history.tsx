import { showHidden } from "../../../text/visible.ts";
import type { ServedStatus } from "../api.ts";
import { formatAgo, formatDuration } from "../text/human.ts";

/** The latest syncs that changed something, and what failed in them. */
export function SyncHistory({ known }: { known: ServedStatus }) {
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
