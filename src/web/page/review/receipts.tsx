import type { Receipt } from "../../../consolidate/consolidation.ts";
import { showHidden } from "../../../text/visible.ts";
import { countOf, formatAgo } from "../text/human.ts";
import { ChangedLines } from "./step-card.tsx";

interface ReceiptsProps {
  readonly receipts: readonly Receipt[];
  readonly isBusy: boolean;
  /** Null where nothing can be changed. */
  readonly onUndo: ((receipt: string) => void) | null;
}

/** What was applied, the newest first, each with a way back. */
export function Receipts({ receipts, isBusy, onUndo }: ReceiptsProps) {
  if (receipts.length === 0) return null;
  return (
    <section class="receipts">
      <h2>Applied</h2>
      <ul>
        {receipts.map(({ id, at, state, steps }) => (
          <li key={id}>
            <details>
              <summary>
                {countOf(steps.length, "step")}, <time dateTime={at}>{formatAgo(at, new Date())}</time>
                {state === "applied" ? null : <span class="faint"> · {state}</span>}
              </summary>
              {steps.map((step) => (
                <div key={step.id}>
                  <p class="step-reason">{showHidden(step.reason)}</p>
                  {step.changes.map((change) => (
                    <ChangedLines key={`${change.path}:${change.startLine}`} change={change} />
                  ))}
                </div>
              ))}
            </details>
            {state === "applied" && onUndo !== null ? (
              <button type="button" class="quiet" disabled={isBusy} onClick={() => onUndo(id)}>
                Undo
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
