import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Settings } from "../../config/settings.ts";
import type { Plan, SubmittedStep } from "../../consolidate/consolidation.ts";
import { LonghandError, unlessRefused } from "../../errors.ts";
import type { Memory } from "../../memory/memory.ts";
import { localTime } from "../../notes/local-time.ts";
import { countOf } from "../../text/count-of.ts";
import type { MemoryLayer } from "../../text/layer-path.ts";
import { override } from "../../text/override.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import type { Paint } from "../output.ts";
import { parseDay } from "../parse-day.ts";
import { whileShown } from "../progress-bar.ts";
import { readAll } from "../read-input.ts";
import { countShown, renderSteps, renderTitle } from "../render-steps.ts";
import { withMemory } from "../with-memory.ts";

interface ConsolidateInput {
  /** As typed, separated by spaces. */
  readonly id?: string;
  readonly apply?: boolean;
  readonly reject?: boolean;
  readonly undo?: boolean;
  readonly receipts?: boolean;
  readonly submit?: string;
  readonly since?: string;
  readonly scope?: MemoryLayer;
}

export async function runConsolidate(given: CommandContext, input: ConsolidateInput): Promise<void> {
  const context = input.scope === "user" ? withScopeInHints(given) : given;
  const ids = input.id?.split(/[\s,]+/).filter((id) => id !== "") ?? [];
  refuseMixed(input, ids);
  const submitted = input.submit === undefined ? null : await readSteps(context, input.submit);
  const work = async (memory: Memory, { userTimezone, workspaceDir }: Settings): Promise<void> => {
    const today = localTime(context.now, userTimezone).day;
    const since = input.since === undefined ? undefined : parseDay(input.since, { option: "--since", today });
    const { consolidation } = memory;
    const { output } = context;
    if (submitted !== null) return await submit(context, memory, submitted);
    if (input.apply) return await apply(context, memory, { ids, since });
    if (input.undo) return await undo(context, memory, ids[0]);
    if (input.reject) return await reject(context, memory, ids);
    if (input.receipts) {
      const receipts = await consolidation.receipts();
      output.show({ receipts }, ({ paint }) => receipts.map((each) => renderReceipt(each, paint)).join("\n"));
      if (receipts.length === 0) output.note("Nothing has been applied yet.");
      return;
    }
    const plan = await whileShown(output.bar, "Reading the notes …", () =>
      consolidation.plan({ signal: context.signal, since }),
    );
    if (input.scope === "user" && plan.steps.length > 0)
      output.note(`In your own memory, ${workspaceDir}:\n`);
    showPlan(context, plan);
  };
  try {
    await withMemory(context, work, { scope: input.scope });
  } catch (error) {
    throw input.scope === "user" && error instanceof LonghandError ? scopeHint(error) : error;
  }
}

/** Suggested follow-up commands must select the same memory. */
function withScopeInHints(context: CommandContext): CommandContext {
  const { output } = context;
  return override(context, { output: override(output, { note: (text) => output.note(addScope(text)) }) });
}

function scopeHint({ code, message, hint, retryable, cause }: LonghandError): LonghandError {
  return new LonghandError(code, message, { hint: addScope(hint), retryable, cause });
}

function addScope(text: string): string {
  return text.replaceAll("longhand consolidate", "longhand consolidate --scope user");
}

function refuseMixed(
  { apply, reject, undo, receipts, submit }: ConsolidateInput,
  ids: readonly string[],
): void {
  const actions = [apply, reject, undo, receipts, submit !== undefined].filter(Boolean).length;
  if (actions > 1) {
    throw new LonghandError("usage", "consolidate does one thing at a time.", {
      hint: "Choose one of --apply, --reject, --undo, --receipts and --submit.",
    });
  }
  if (ids.length > 0 && !apply && !reject && !undo) {
    throw new LonghandError("usage", `consolidate was given ${ids[0]} but not what to do with it.`, {
      hint: "Add --apply, --reject or --undo.",
    });
  }
  if (undo && ids.length > 1) {
    throw new LonghandError("usage", "--undo takes one receipt.", { hint: "Undo the newest one first." });
  }
  if (reject && (ids.length === 0 || ids.includes("all"))) {
    throw new LonghandError("usage", "--reject needs the ids of steps.", {
      hint: "`longhand consolidate` shows them.",
    });
  }
}

async function apply(
  { output, markFailed, signal }: CommandContext,
  { consolidation }: Memory,
  { ids, since }: { ids: readonly string[]; since: string | undefined },
): Promise<void> {
  const steps = ids.length === 0 || ids.includes("all") ? "all" : ids;
  const result = await consolidation.apply({ steps, signal, since });
  const { applied, refused, receipt } = result;
  output.show(result, ({ paint }) => applied.map((step) => renderTitle(step, paint)).join("\n"));
  if (receipt === null && refused.length === 0) output.note("There is nothing to do.");
  for (const { id, reason } of refused) {
    output.note(
      `${output.paintNote("yellow", "not applied:")} ${showOnOneLine(id)}: ${showOnOneLine(reason)}`,
    );
  }
  if (receipt !== null) {
    output.note(
      output.paintNote(
        "dim",
        `${countOf(applied.length, "step")} applied. Undo: longhand consolidate --undo ${receipt}`,
      ),
    );
  }
  if (refused.length > 0) markFailed();
}

async function undo(
  { output, signal }: CommandContext,
  { consolidation }: Memory,
  receipt: string | undefined,
): Promise<void> {
  const result = await consolidation.undo({ signal, ...(receipt !== undefined && { receipt }) });
  const { restored, removed } = result;
  output.show(result, () =>
    [
      ...restored.map((path) => `restored ${showOnOneLine(path)}`),
      ...removed.map((path) => `removed ${showOnOneLine(path)}`),
    ].join("\n"),
  );
  output.note(
    output.paintNote("dim", `Receipt ${result.receipt} is undone: all notes are as they were before it.`),
  );
}

async function reject(
  { output, markFailed }: CommandContext,
  { consolidation }: Memory,
  ids: readonly string[],
): Promise<void> {
  const rejected = await consolidation.reject(ids);
  output.show({ rejected }, () => rejected.map((id) => `rejected ${id}`).join("\n"));
  const unknown = ids.filter((id) => !rejected.includes(id));
  if (unknown.length === 0) return;
  output.note(`Not in the plan: ${unknown.map(showOnOneLine).join(", ")}`);
  markFailed();
}

async function submit(
  { output, markFailed }: CommandContext,
  { consolidation }: Memory,
  steps: readonly SubmittedStep[],
): Promise<void> {
  const result = await consolidation.submit(steps);
  output.show(result, () => result.accepted.map((id) => `accepted ${id}`).join("\n"));
  for (const { index, reason } of result.refused) {
    output.note(`${output.paintNote("yellow", "refused:")} step ${index + 1}: ${showOnOneLine(reason)}`);
  }
  if (result.accepted.length > 0) output.note("Review them with: longhand consolidate");
  if (result.refused.length > 0) markFailed();
}

const maxSubmittedBytes = 1024 * 1024;

async function readSteps(context: CommandContext, file: string): Promise<SubmittedStep[]> {
  const bytes = file === "-" ? await readAll(context, maxSubmittedBytes) : readFile(context, file);
  if (bytes === null) {
    throw new LonghandError("usage", "A submitted plan may have 1 MB at most.", {
      hint: "Submit fewer steps at a time.",
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8").replace(/^\ufeff/, ""));
  } catch (cause) {
    throw refusePlan(file, "it is not JSON", cause);
  }
  const steps = Array.isArray(value) ? value : (value as { steps?: unknown } | null)?.steps;
  if (Array.isArray(steps)) return steps;
  throw refusePlan(file, "it has no list of steps");
}

/** Null if it is too large. */
function readFile({ currentDir }: CommandContext, name: string): Buffer | null {
  const file = resolve(currentDir, name);
  return unlessRefused(
    () => (statSync(file).size > maxSubmittedBytes ? null : readFileSync(file)),
    (code, cause) => {
      throw new LonghandError("usage", `${file} cannot be read: the system says ${code}.`, {
        hint: "Name a JSON file with the steps.",
        cause,
      });
    },
  );
}

function refusePlan(file: string, why: string, cause?: unknown): LonghandError {
  return new LonghandError("usage", `${file} does not contain a plan: ${why}.`, {
    hint: 'Write {"steps": […]}; docs/consolidation.md shows a step.',
    cause,
  });
}

function showPlan({ output }: CommandContext, plan: Plan): void {
  const { steps, rejected, skipped, budget } = plan;
  output.show(plan, (view) => renderSteps(steps, view));
  for (const { path, reason } of skipped) {
    output.note(
      `${output.paintNote("yellow", "note:")} left out: ${showOnOneLine(path)}: ${showOnOneLine(reason)}`,
    );
  }
  const hidden = rejected === 0 ? "" : ` ${countOf(rejected, "rejected step")} not shown.`;
  if (steps.length === 0) {
    output.note(
      plan.notes === 0
        ? "There are no notes yet."
        : `Nothing to consolidate in ${countOf(plan.notes, "note")}.${hidden}`,
    );
    return;
  }
  const size = budget === null ? "" : ` ${budget.path} has ${budget.chars} of ${budget.maxChars} characters.`;
  const unseen = steps.length - countShown(steps, output.view);
  if (unseen > 0) {
    output.note(
      `\n… ${countOf(unseen, "more step")}. All of them: longhand consolidate | less, or the review of longhand serve`,
    );
  }
  output.note(
    `\n${countOf(steps.length, "step")} proposed; ${countOf(plan.notes, "note")} read.${hidden}${size}\n` +
      "Apply all with: longhand consolidate --apply, or some with: longhand consolidate --apply ID…",
  );
}

function renderReceipt(
  { id, at, state, steps, notes }: Awaited<ReturnType<Memory["consolidation"]["receipts"]>>[number],
  paint: Paint,
): string {
  const kinds = [...Map.groupBy(steps, ({ kind }) => kind)].map(([kind, all]) => `${all.length} ${kind}`);
  // A moved note counts once, although it has two paths.
  const changed = notes.filter(({ after }) => after !== null).length;
  return `${paint("cyan", id)} ${paint("bold", state)}  ${at}  ${kinds.join(", ")} in ${countOf(changed, "note")}`;
}
