import type { SkippedEntry } from "../../../sources/source.ts";
import { showHidden } from "../../../text/visible.ts";
import { countOf } from "../text/human.ts";

const mostShown = 200;

/** Files that look like notes and are not indexed, each with the reason. */
export function SkippedFiles({ skipped }: { skipped: readonly SkippedEntry[] }) {
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
            {skipped.slice(0, mostShown).map(({ path, reason, detail }) => (
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
      {skipped.length > mostShown ? <p class="faint">and {skipped.length - mostShown} more</p> : null}
    </section>
  );
}
