import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Plan, Receipt, Step } from "../../../consolidate/consolidation.ts";
import { countOf, formatCount } from "../../../text/count-of.ts";
import { showHidden } from "../../../text/visible.ts";
import { api } from "../api.ts";
import { Empty } from "../parts/empty.tsx";
import { attempt, changed, failure, followChange, isReadOnly } from "../state/memory-state.ts";
import { oneAtATime } from "../state/one-at-a-time.ts";
import { showToast } from "../state/toasts.ts";
import { formatAgo } from "../text/human.ts";
import { ChangedLines, kindNames, StepCard, WithPlaces } from "./step-card.tsx";

/**
 * The plan of a consolidation as a review queue: each step is accepted or rejected, and applied steps can be undone.
 */
export function ReviewView() {
  const list = useRef<HTMLOListElement>(null);
  const plan = useSignal<Plan | null>(null);
  const receipts = useSignal<readonly Receipt[]>([]);
  const isBusy = useSignal(false);
  const load = useMemo(
    () =>
      oneAtATime(async () => {
        await attempt(async () => {
          const [next, applied] = await Promise.all([api.plan(), api.receipts()]);
          plan.value = next;
          receipts.value = applied.receipts;
        });
      }),
    [plan, receipts],
  );
  useEffect(() => void load(), [changed.value]);

  /** Decided steps leave the list immediately: a new plan reads all notes and arrives a moment later. */
  const remove = (ids: readonly string[]): void => {
    const now = plan.value;
    if (now !== null) plan.value = { ...now, steps: now.steps.filter(({ id }) => !ids.includes(id)) };
  };
  /** Applies a change to the plan, then moves the focus to where the work continues. */
  const work = async (at: number, change: () => Promise<void>): Promise<void> => {
    isBusy.value = true;
    await attempt(async () => {
      await change();
      receipts.value = (await api.receipts()).receipts;
    });
    isBusy.value = false;
    const cards = list.current?.querySelectorAll<HTMLElement>(".step button.main");
    queueMicrotask(() => cards?.[Math.min(at, cards.length - 1)]?.focus());
  };
  const apply = (ids: readonly string[], at = 0): Promise<void> =>
    work(at, async () => {
      const { applied, refused, receipt } = await api.applySteps(ids);
      remove(ids);
      showToast(
        refused.length === 0
          ? `${countOf(applied.length, "step")} applied.`
          : `${countOf(applied.length, "step")} applied, ${refused.length} refused: ${refused[0]!.reason}`,
        receipt === null ? {} : { undo: () => undo(receipt) },
      );
      void followChange(applied.flatMap(({ changes }) => changes.map(({ path }) => path)));
    });
  const reject = (id: string, at: number): Promise<void> =>
    work(at, async () => {
      await api.rejectSteps([id]);
      remove([id]);
      showToast("Rejected. It will not be proposed again.");
    });
  const undo = (receipt: string): Promise<void> =>
    work(0, async () => {
      const { restored, removed } = await api.undo(receipt);
      showToast(`Undone: ${countOf(restored.length, "note")} restored.`);
      void followChange([...restored, ...removed]);
    });

  const known = plan.value;
  return (
    <div class="column review">
      <h1>Review</h1>
      <p class="lead">Steps that would put the notes in order. Nothing changes until you accept one.</p>
      {known === null ? (
        <p class="waiting">{failure.value === null ? "Reading the notes …" : "The plan cannot be shown."}</p>
      ) : (
        <>
          <p class="faint">
            {known.notes === 0 ? "" : `${countOf(known.notes, "note")} read`}
            {known.rejected === 0 ? "" : ` · ${countOf(known.rejected, "step")} rejected earlier`}
            {known.budget === null
              ? ""
              : ` · ${known.budget.path}: ${formatCount(known.budget.chars)} of ${formatCount(known.budget.maxChars)} characters`}
          </p>
          <Kinds steps={known.steps} />
          {known.steps.length === 0 ? (
            <NothingToReview notes={known.notes} />
          ) : isReadOnly.value ? null : (
            <p>
              <button
                type="button"
                class="quiet"
                disabled={isBusy.value}
                onClick={() => apply(known.steps.map(({ id }) => id))}
              >
                Accept all {countOf(known.steps.length, "step")}
              </button>
            </p>
          )}
          <ol class="steps-queue" ref={list}>
            {known.steps.map((step, index) => (
              <StepCard
                key={step.id}
                step={step}
                isBusy={isBusy.value}
                {...(isReadOnly.value
                  ? {}
                  : { onApply: () => apply([step.id], index), onReject: () => reject(step.id, index) })}
              />
            ))}
          </ol>
          {known.skipped.length === 0 ? null : (
            <details class="skipped">
              <summary>{countOf(known.skipped.length, "note")} skipped</summary>
              <ul>
                {known.skipped.map(({ path, reason }) => (
                  <li key={path}>
                    <code>{showHidden(path)}</code>: {showHidden(reason)}
                  </li>
                ))}
              </ul>
            </details>
          )}
          <Receipts receipts={receipts.value} isBusy={isBusy.value} onUndo={isReadOnly.value ? null : undo} />
        </>
      )}
    </div>
  );
}

/** The kinds of steps, shown if there are too many to see at a glance. */
function Kinds({ steps }: { steps: readonly Step[] }) {
  const kinds = Map.groupBy(steps, ({ kind }) => kind);
  if (kinds.size < 2) return null;
  return (
    <p class="faint">
      {[...kinds].map(([kind, own]) => `${kindNames[kind]}: ${formatCount(own.length)}`).join(" · ")}
    </p>
  );
}

function NothingToReview({ notes }: { notes: number }) {
  if (notes > 0) {
    return (
      <Empty command="longhand consolidate">
        <strong>Nothing to review.</strong> Facts that are repeated, contradicted by a newer line, or worth
        keeping beyond their day will be proposed here. In a terminal, this command shows the same steps:
      </Empty>
    );
  }
  return (
    <Empty>
      <strong>There are no notes yet.</strong> Once there are, facts that are repeated, contradicted by a
      newer line, or worth keeping beyond their day will be proposed here.
    </Empty>
  );
}

interface ReceiptsProps {
  readonly receipts: readonly Receipt[];
  readonly isBusy: boolean;
  /** Null if changes are not possible. */
  readonly onUndo: ((receipt: string) => void) | null;
}

/** Applied changes, newest first, each with an undo. */
function Receipts({ receipts, isBusy, onUndo }: ReceiptsProps) {
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
                  <p class="step-reason">
                    <WithPlaces text={step.reason} />
                  </p>
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
