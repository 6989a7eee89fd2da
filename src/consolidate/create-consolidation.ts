import { LonghandError } from "../errors.ts";
import { isDay } from "../text/day.ts";
import { normaliseEntryLine } from "../text/entry-line.ts";
import { sha256Of } from "../text/hash.ts";
import { applySteps } from "./apply-steps.ts";
import type { Consolidation, Plan, PlanRequest, SubmitResult, SubmittedStep } from "./consolidation.ts";
import { makePlan } from "./make-plan.ts";
import { type NoteSet, type NotesAccess, readNotes } from "./note-set.ts";
import type { PlanInput, Recalls } from "./planning.ts";
import { readProposal, writeProposalPrompt } from "./propose.ts";
import type { FullReceipt, ReceiptFiles } from "./receipt-files.ts";
import { checkSubmitted, readSubmitted } from "./submitted.ts";
import {
  type PendingRecovery,
  recoverPending,
  refusePending,
  undoReceipt,
  withoutBytes,
} from "./undo-receipt.ts";

export interface ConsolidationParts extends Pick<PlanInput, "maxLongTermChars" | "archiveAfterDays"> {
  readonly notes: NotesAccess;
  readonly files: ReceiptFiles;
  readonly today: () => string;
  readonly now: () => Date;
  /** Null if recalls are not counted, or the counts cannot be read. */
  readonly readRecalls: () => Promise<Recalls | null>;
  /** Masks likely secrets before a model sees the text. */
  readonly mask: (text: string) => Promise<string>;
  /** Excludes every other apply, undo and recovery. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Null while another process holds the lock. */
  readonly tryAlone: () => Disposable | null;
}

/** A consolidation with the operations that only its memory uses. */
export interface OwnedConsolidation extends Consolidation {
  /**
   * Completes or rolls back what killed processes left, unless another process is doing so. Cheap if nothing is
   * pending. Returns what failed.
   */
  recover(): Promise<readonly PendingRecovery[]>;
  /**
   * Removes forgotten text from receipts. Null means that the text is no longer known, so every receipt loses its text.
   */
  purge(
    forgotten: { readonly texts: readonly string[]; readonly paths: readonly string[] } | null,
  ): Promise<void>;
}

export function createConsolidation(parts: ConsolidationParts): OwnedConsolidation {
  const { notes, files, alone } = parts;
  /** The page asks at each visit, and comparing all lines takes seconds in a large memory. */
  let last: { readonly key: string; readonly plan: Plan } | null = null;

  async function look({ since, signal }: PlanRequest = {}): Promise<{ plan: Plan; seen: NoteSet }> {
    refuseNoDay(since);
    const seen = await readNotes(notes, signal);
    const rejected = new Set(files.readRejected());
    const options: PlanInput = {
      ...parts,
      notes: seen.notes,
      today: parts.today(),
      since,
      recalls: await parts.readRecalls(),
      longTermPath: longTermPathOf(seen),
      isRejected: (id) => rejected.has(id),
      submitted: readSubmitted(files.readSubmitted()),
    };
    const key = keyOf(options, [...rejected]);
    if (last?.key !== key) last = { key, plan: await makePlan(options, signal) };
    return { plan: { ...last.plan, skipped: seen.skipped }, seen };
  }

  /** Recovers first: nothing is planned on top of unfinished work of another process. */
  const inOrder = <T>(work: () => Promise<T>): Promise<T> =>
    alone(async () => {
      const [pending] = await recoverPending(notes, files);
      if (pending !== undefined) throw refusePending(pending);
      return await work();
    });

  return {
    async plan(request) {
      if (files.hasPending()) await inOrder(async () => {});
      return (await look(request)).plan;
    },
    apply: (request) =>
      inOrder(async () => {
        const { plan, seen } = await look(request);
        const { steps: wanted, signal } = request;
        const chosen = plan.steps.filter(({ id }) => wanted === "all" || wanted.includes(id));
        const known = new Set(chosen.map(({ id }) => id));
        const gone = wanted === "all" ? [] : wanted.filter((id) => !known.has(id));
        const result = await applySteps(parts, chosen, seen, signal);
        const refused = [...gone.map((id) => ({ id, reason: notInPlan })), ...result.refused];
        return { ...result, refused };
      }),
    reject: (ids) =>
      inOrder(async () => {
        const { plan } = await look();
        const found = plan.steps.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
        if (found.length > 0) files.writeRejected([...new Set([...files.readRejected(), ...found])]);
        return found;
      }),
    undo: ({ receipt } = {}) => inOrder(() => undoReceipt(notes, files, receipt)),
    async receipts() {
      return files.list().map((receipt) => ({ ...receipt, notes: receipt.notes.map(withoutBytes) }));
    },
    submit,
    async propose(generate, { since, signal } = {}) {
      refuseNoDay(since);
      const seen = await readNotes(notes, signal);
      const wanted = seen.notes.filter(({ date }) => since === undefined || date === null || date >= since);
      const input = { notes: wanted, longTermPath: longTermPathOf(seen), mask: parts.mask };
      const answer = await generate(await writeProposalPrompt(input), { signal });
      return await submit(readProposal(answer) as SubmittedStep[]);
    },
    async recover() {
      if (!files.hasPending()) return [];
      using held = parts.tryAlone();
      return held === null ? [] : await recoverPending(notes, files);
    },
    purge: (forgotten) => inOrder(async () => purgeReceipts(files, forgotten)),
  };

  function submit(steps: readonly SubmittedStep[]): Promise<SubmitResult> {
    return inOrder(async () => {
      const seen = await readNotes(notes);
      const input = {
        ...parts,
        notes: seen.notes,
        today: parts.today(),
        longTermPath: longTermPathOf(seen),
      };
      const { accepted, refused } = checkSubmitted(input, steps);
      const before = readSubmitted(files.readSubmitted());
      files.writeSubmitted([...before, ...accepted.map(({ step }) => step)]);
      return { accepted: accepted.map(({ id }) => id), refused };
    });
  }
}

/** Equal for requests that get the same plan. */
function keyOf(input: PlanInput, rejected: readonly string[]): string {
  const { notes, today, since, recalls, longTermPath, submitted } = input;
  const uses = notes.map(({ path }) => recalls?.of(path) ?? null);
  const rest = JSON.stringify([today, since, longTermPath, recalls?.since, uses, submitted, rejected]);
  return sha256Of([rest, ...notes.map(({ path, text, date }) => JSON.stringify([path, date, text]))]);
}

const notInPlan =
  "it is not in the plan any more: its notes have changed, or another step has taken its lines. Look at the plan again with `longhand consolidate`.";

function refuseNoDay(since: string | undefined): void {
  if (since === undefined || isDay(since)) return;
  throw new LonghandError("usage", `since cannot be ${JSON.stringify(since.slice(0, 40))}: no such day.`, {
    hint: "Write it as YYYY-MM-DD.",
  });
}

/** `memory.md` is used if there is no `MEMORY.md`. */
function longTermPathOf({ exact }: NoteSet): string {
  return !exact.has("MEMORY.md") && exact.has("memory.md") ? "memory.md" : "MEMORY.md";
}

/**
 * Removes forgotten text from receipts and from steps proposed by a model. A receipt contains whole notes, so one that
 * involves such a note or line loses all its text; only the fact that it existed remains.
 */
function purgeReceipts(
  files: ReceiptFiles,
  forgotten: { readonly texts: readonly string[]; readonly paths: readonly string[] } | null,
): void {
  const lines = forgotten?.texts.flatMap((text) => text.split("\n").map(normaliseEntryLine)) ?? [];
  const wanted = lines.filter((line) => line !== "");
  const holds = (texts: readonly string[], paths: readonly string[]): boolean =>
    forgotten === null ||
    paths.some((path) => forgotten.paths.includes(path)) ||
    texts.some((text) => wanted.some((line) => normaliseEntryLine(text).includes(line)));
  for (const receipt of [...files.list(), ...files.pending()]) {
    if (receipt.state === "purged") continue;
    const paths = receipt.notes.map(({ path }) => path);
    if (holds(textsOf(receipt), paths)) files.rewrite(purged(receipt));
  }
  const submitted = readSubmitted(files.readSubmitted());
  const kept = submitted.filter(({ sources, text = "", reason }) => {
    const paths = sources.map(({ path }) => path);
    return !holds([...sources.map((source) => source.text), text, reason], paths);
  });
  if (kept.length < submitted.length) files.writeSubmitted(kept);
  const hidden = [...files.unreadable(), ...files.unreadableReceipts()];
  if (hidden.length > 0) {
    const message = `What was forgotten may be in a receipt that cannot be read: ${hidden.join(", ")}.`;
    throw new LonghandError("receipt-unusable", message, { hint: "Delete that file." });
  }
}

/** All text in a receipt. Notes line by line, because whole texts may differ in their line endings. */
function textsOf({ steps, notes }: FullReceipt): string[] {
  const held = notes.flatMap(({ bytes = "" }) => Buffer.from(bytes, "base64").toString().split("\n"));
  const shown = steps.flatMap(({ sources, changes, reason }) => [
    ...sources.flatMap(({ text }) => text.split("\n")),
    ...changes.flatMap(({ before, after }) => [...before, ...after]),
    reason,
  ]);
  return [...held, ...shown];
}

function purged({ doing: _, ...receipt }: FullReceipt): FullReceipt {
  return {
    ...receipt,
    state: "purged",
    steps: receipt.steps.map(({ id, kind }) => ({ id, kind, reason: "forgotten", sources: [], changes: [] })),
    notes: receipt.notes.map(withoutBytes),
  };
}
