import type { Memory } from "../../memory/memory.ts";
import type { EmbeddingEstimate } from "../../sync/estimate-embedding.ts";
import { isEventful, type SyncProgress, type SyncReport } from "../../sync/sync.ts";
import type { WatchEvent } from "../../sync/watch.ts";
import { compact } from "../../text/compact.ts";
import { countOf, formatCount } from "../../text/count-of.ts";
import { describeTokens, formatDuration } from "../../text/figures.ts";
import { showOnOneLine } from "../../text/visible.ts";
import { monotonicMs, untilAborted } from "../../timing.ts";
import type { CommandContext } from "../command.ts";
import type { Output, Paint } from "../output.ts";
import { withProgress } from "../progress-bar.ts";
import { nameFirst, renderSkipped } from "../render-skipped.ts";
import { offerResident } from "../resident/offer-resident.ts";
import { wrapText } from "../text-width.ts";
import { withMemory } from "../with-memory.ts";

interface IndexInput {
  readonly force?: boolean;
  readonly watch?: boolean;
}

export async function runIndex(context: CommandContext, input: IndexInput): Promise<void> {
  const { output } = context;
  await withMemory(context, async (memory) => {
    const report = await indexOnce(memory, context, input);
    output.show(report, (view) => wrapText(renderReport(report, view.paint), view.width));
    noteProblems(report, output);
    if (input.watch) await keepWatching(memory, context);
  });
}

export async function indexOnce(
  memory: Memory,
  { output, signal }: CommandContext,
  { force = false }: IndexInput,
): Promise<SyncReport> {
  const startedAt = monotonicMs();
  let hasShownWaiting = false;
  let shownTexts = 0;
  try {
    const done = await withProgress(output.bar, (progress) => {
      const report = (state: SyncProgress): void => {
        const { estimate, waitingFor } = state;
        // The first estimate covers everything; later ones cover what is left, unless another process wrote more
        // meanwhile.
        if (estimate && estimate.texts > shownTexts) {
          progress.clear();
          output.note(describeEstimate(estimate));
          shownTexts = estimate.texts;
        }
        if (waitingFor && !hasShownWaiting) {
          progress.clear();
          output.note(
            `Waiting for process ${waitingFor.pid}, which is using this index (${showOnOneLine(waitingFor.doing)}).`,
          );
          hasShownWaiting = true;
        }
        progress.report(state);
      };
      return memory.sync({ force, reason: "cli", signal, progress: report });
    });
    // A report has the duration of its sync only, without embedding that ran concurrently.
    return { ...done, durationMs: Math.round(monotonicMs() - startedAt) };
  } catch (error) {
    if (signal.aborted) output.note("Stopped. Progress is kept: the next run continues from here.");
    throw error;
  }
}

function describeEstimate({ provider, model, texts, tokens, costUsd }: EmbeddingEstimate): string {
  const what = `${countOf(texts, "text")} (${describeTokens(tokens, costUsd)})`;
  return `Sending ${what} to ${showOnOneLine(provider)} ${showOnOneLine(model)}.`;
}

/** Runs until a signal arrives. With `--json`, each sync that found a change prints one more line of JSON. */
async function keepWatching(memory: Memory, { globals, output, signal }: CommandContext): Promise<void> {
  using _resident = offerResident(globals);
  const { paintNote } = output;
  const noteNow = (text: string): void =>
    output.note(`${paintNote("dim", new Date().toTimeString().slice(0, 8))} ${text}`);
  const onEvent = (event: WatchEvent): void => {
    if (event.kind === "warning") noteNow(paintNote("yellow", showOnOneLine(event.message)));
    if (event.kind === "mode") noteNow(describeMode(event));
    if (event.kind !== "synced" || !isEventful(event.report)) return;
    if (output.json) output.show(event.report, () => "");
    noteNow(renderReport(event.report, paintNote));
    output.note(renderProblems(event.report, paintNote));
  };
  await using _ = await memory.watch({ onEvent });
  await untilAborted(signal);
}

function describeMode({ mode, holder }: WatchEvent & { kind: "mode" }): string {
  if (mode === "watching") return "Watching the notes. Stop with Ctrl-C.";
  if (mode === "polling") return "Checking the notes every few seconds. Stop with Ctrl-C.";
  const who = holder ? `Process ${holder.pid}` : "Another process";
  return `${who} watches the notes already. Taking over when it ends. Stop with Ctrl-C.`;
}

export function renderReport(report: SyncReport, paint: Paint): string {
  const { added, updated, removed, unchanged, chunks, embedded, cached, durationMs } = report;
  const changes = compact([
    added > 0 && paint("green", `${countOf(added, "note")} added`),
    updated > 0 && paint("yellow", `${formatCount(updated)} updated`),
    removed > 0 && paint("red", `${removed} removed`),
    unchanged > 0 &&
      `${countOf(unchanged, added > 0 ? "" : "note", added > 0 ? "" : "notes").trim()} unchanged`,
  ]);
  const work = compact([
    chunks > 0 && countOf(chunks, "chunk"),
    embedded > 0 && `${countOf(embedded, "text")} embedded`,
    cached > 0 && `${formatCount(cached)} reused`,
    formatDuration(durationMs),
  ]);
  const summary = changes.length > 0 ? changes.join(", ") : "There are no notes yet";
  return `${summary} ${paint("dim", `· ${work.join(" · ")}`)}`;
}

/** What could not be indexed, and what was left out. */
export function noteProblems(report: SyncReport, { note, paintNote }: Output): void {
  note(renderProblems(report, paintNote));
  note(renderSkipped(report, paintNote));
}

function renderProblems({ failed, pendingRemovals, degraded }: SyncReport, paint: Paint): string {
  const lines = degraded.map((reason) => paint("yellow", showOnOneLine(reason)));
  if (failed.length > 0) {
    lines.push(paint("red", `${countOf(failed.length, "note")} could not be indexed:`));
    lines.push(
      ...nameFirst(failed, ({ path, message }) =>
        showOnOneLine(message.includes(path) ? message : `${path}: ${message}`),
      ),
    );
  }
  if (pendingRemovals.length > 0) {
    lines.push(
      paint(
        "yellow",
        `${countOf(pendingRemovals.length, "note")} vanished at once and are kept in the index for now.`,
      ),
      "  If they are gone for good, run `longhand index` again, or with --force.",
    );
  }
  return lines.join("\n");
}
