import { describeUnused } from "../config/provider-access.ts";
import type { MemoryStatus, UserLayerStatus } from "../memory/status.ts";
import type { SkippedEntry } from "../sources/source.ts";
import { compact } from "../text/compact.ts";
import { countOf, formatCount, nameSome } from "../text/count-of.ts";
import { describeTokens, formatAge, formatBytes, formatUsd } from "../text/figures.ts";
import { showOnOneLine } from "../text/visible.ts";
import { type Paint, type Row, renderSections, row, type View } from "./output.ts";
import { skipReasons } from "./render-skipped.ts";

/** Sections of aligned rows; the wording is the same on a terminal and through a pipe. */
export function renderStatus(status: MemoryStatus, { view, now }: { view: View; now: Date }): string {
  const sections = renderSections(
    [
      { title: "Memory", rows: memoryRows(status) },
      { title: "Index", rows: status.unavailable ? unavailableRows(status) : indexRows(status, now) },
      { title: "Search", rows: searchRows(status) },
    ],
    view,
  );
  const skipped = renderSkipped(status.onDisk.skipped, view.paint);
  return skipped === "" ? sections : `${sections}\n\n${skipped}`;
}

function memoryRows(status: MemoryStatus): Row[] {
  const { onDisk, sessions, project, userLayer } = status;
  const skipped = onDisk.skipped.length;
  const { malformedLines } = sessions;
  const malformed = malformedLines > 0 ? `, ${countOf(malformedLines, "malformed line")}` : "";
  const transcripts = `${countOf(sessions.files, "transcript")}, ${countOf(sessions.turns, "turn")}${malformed}`;
  return compact([
    row("workspace", showOnOneLine(status.workspaceDir)),
    status.trusted
      ? row("trusted", "yes")
      : row("trusted", "no: hooks give agents none of its notes (longhand trust)", "yellow"),
    row("agent", status.agentId),
    project && row("project", `${project.id} (${showOnOneLine(project.key)})`),
    ...status.extraPaths.map((path, index) => row(`extra/${index}`, showOnOneLine(path))),
    row(
      "on disk",
      `${countOf(onDisk.files, "file")}${skipped === 0 ? "" : `, and ${skipped} skipped (see below)`}`,
    ),
    userLayer && userLayerRow(userLayer),
    ...status.pendingRecoveries.map(({ doing, notes, problem, hint }) => {
      const which = nameSome(notes) || "unknown notes";
      const what = `interrupted ${doing ?? "consolidation"} (${which}): ${problem} ${hint}`;
      return row("to recover", showOnOneLine(what), "red");
    }),
    status.sources.includes("sessions") && !status.unavailable && row("sessions", transcripts),
  ]);
}

function userLayerRow({ workspaceDir, files, chunks, dirty, problem }: UserLayerStatus): Row {
  const dir = showOnOneLine(workspaceDir);
  if (problem !== undefined) return row("user", `${dir}: ${showOnOneLine(problem)}`, "red");
  const state = dirty ? ", changes to index" : "";
  return row("user", `${dir}, ${countOf(files, "file")}, ${countOf(chunks, "chunk")} indexed${state}`);
}

/** Nothing is known about it but the reason. */
function unavailableRows({ unavailable, dbPath }: MemoryStatus): Row[] {
  return [row("state", `not known. ${showOnOneLine(unavailable?.message ?? "")}`, "red"), placeRow(dbPath)];
}

function placeRow(dbPath: string): Row {
  return row(dbPath.includes("://") ? "address" : "file", showOnOneLine(dbPath));
}

function indexRows(status: MemoryStatus, now: Date): Row[] {
  const { lastSync, sourceCounts, readOnly, quarantined } = status;
  const bySource = sourceCounts.map((count) => `${count.source} ${formatCount(count.files)}`).join(", ");
  const failed = lastSync?.failed ?? 0;
  const size = `${countOf(status.files, "file")}, ${countOf(status.chunks, "chunk")}`;
  return compact([
    stateRow(status),
    readOnly !== undefined && row("read-only", `changes cannot be indexed: ${readOnly}`, "yellow"),
    ...(status.sharing?.problems ?? []).map((problem) => row("sharing", problem, "yellow")),
    row("indexed", sourceCounts.length > 1 ? `${size} (${bySource})` : size),
    row(
      "last sync",
      lastSync ? `${formatAge(new Date(lastSync.at), now)} (${lastSync.reason})` : describeNever(status),
    ),
    failed > 0 && row("failed", `${countOf(failed, "note")}; longhand index names them`, "red"),
    ...status.atWork.map(({ pid, doing, since }) =>
      row("at work", `process ${pid} (${showOnOneLine(doing)}), started ${formatAge(new Date(since), now)}`),
    ),
    watcherRow(status, now),
    placeRow(status.dbPath),
    row("size", describeSizes(status)),
    ...status.pendingPurges.map(({ at, notes }) => {
      const which = notes.map((text) => showOnOneLine(text)).join(", ") || "unknown notes";
      return row("to forget", `interrupted ${at}: ${which}; longhand index finishes it`, "yellow");
    }),
    quarantined.length > 0 &&
      row(
        "quarantined",
        `${countOf(quarantined.length, "file")} that could not be used, the latest is ${quarantined.at(-1)}`,
        "yellow",
      ),
  ]);
}

function stateRow({ dirty, onDisk, embedding, files }: MemoryStatus): Row {
  if (!dirty && files + onDisk.files === 0) return row("state", "empty: there are no notes yet");
  if (!dirty) return row("state", "up to date", "green");
  const value =
    onDisk.changed > 0
      ? describeChanges(onDisk, files)
      : `words up to date, ${countOf(embedding.missing, "text")} to embed`;
  return row("state", value, "yellow");
}

function describeChanges({ changed, added, gone, lagMs }: MemoryStatus["onDisk"], indexed: number): string {
  const waiting = lagMs === undefined ? "" : `, the oldest ${formatAge(new Date(0), new Date(lagMs))}`;
  if (indexed === 0) return `nothing is indexed yet, ${countOf(added, "file")} to do`;
  const edited = changed - added - gone;
  const kinds = compact([
    added > 0 && `${countOf(added, "file")} new`,
    edited > 0 && `${countOf(edited, "file")} changed`,
    gone > 0 && `${countOf(gone, "file")} gone`,
  ]);
  return `stale: ${kinds.join(", ")}${waiting}`;
}

/**
 * An added entry is indexed immediately, so later syncs may find nothing to do; and the first sync may still be
 * running.
 */
function describeNever({ files, dirty }: MemoryStatus): string {
  if (files === 0) return "never";
  return dirty ? "none has been finished yet" : "up to date (indexed on add)";
}

function watcherRow({ watcher: { mode, pid, since }, syncOnSearch }: MemoryStatus, now: Date): Row {
  if (mode === "none") {
    return syncOnSearch
      ? row("watcher", "none; each search looks for changes itself")
      : row("watcher", "none, and searches do not look for changes (sync.onSearch is false)", "yellow");
  }
  const who = `process ${pid}${since === undefined ? "" : `, started ${formatAge(new Date(since), now)}`}`;
  if (mode === "paused") return row("watcher", `${who}, which has stopped responding`, "yellow");
  return row("watcher", mode === "polling" ? `${who}, by looking every few seconds` : who);
}

function describeSizes({ sizeBytes, sizes, cache }: MemoryStatus): string {
  const parts = [
    [sizes.walBytes, "log"],
    [sizes.vectorBytes, "vectors"],
    [sizes.cacheBytes, `cache of ${countOf(cache.entries, "embedding")}`],
  ] as const;
  const named = parts
    .filter(([bytes]) => bytes > 0)
    .map(([bytes, what]) => `${what} ${formatBytes(bytes)}`)
    .join(", ");
  return `${formatBytes(sizeBytes)}${named === "" ? "" : ` (${named})`}`;
}

function searchRows(status: MemoryStatus): Row[] {
  const { fts, backend, unavailable } = status;
  const failure = fts.enabled ? `not available: ${fts.error ?? "unknown reason"}` : "off";
  return compact([
    backend !== "builtin" && backendRow(status),
    fts.available
      ? row("keyword", "ready")
      : row("keyword", unavailable ? "not available while the index is not" : failure, "red"),
    ...embeddingRows(status),
    entriesRow(status),
  ]);
}

function entriesRow({ entries }: MemoryStatus): Row | null {
  if (entries === undefined) return null;
  const { entries: count, indexed, problem } = entries;
  if (problem !== undefined) return row("entries", problem, "red");
  const compared = indexed === null ? "found by keyword" : `${formatCount(indexed)} with vectors`;
  return row("entries", `${countOf(count, "fact")}, ${compared}`);
}

function backendRow({ backend, fallback, qmd }: MemoryStatus): Row {
  if (qmd === undefined) return row("backend", backend);
  if (qmd.fallback !== undefined && fallback !== undefined) {
    return row("backend", `builtin, instead of ${fallback.from}: ${fallback.reason}`, "yellow");
  }
  return row("backend", `qmd ${qmd.version}, ${qmd.detail}, ${countOf(qmd.documents, "document")}`);
}

/** Semantic search: the embedder and why it was chosen, progress, cost and failures. */
function embeddingRows(status: MemoryStatus): Row[] {
  const { provider, model, requestedProvider, vector, embedding, batch } = status;
  const fallback = status.fallback?.from === status.qmd?.name ? undefined : status.fallback;
  const { missing, requests, tokens, costUsd, refused, better, unused, why, meanwhile, check } = embedding;
  const cost = costUsd === null ? "" : `, about ${formatUsd(costUsd)}`;
  const last = refused.at(-1);
  const isAsked = requestedProvider === provider || requestedProvider === "auto";
  const batchTexts = batch.pending.reduce((sum, job) => sum + job.texts, 0);
  return compact([
    // Without a provider nothing is missing: keyword search always works.
    provider === "none"
      ? row("semantic", `off: ${why}`)
      : status.unavailable
        ? row("semantic", "not available while the index is not", "red")
        : row("semantic", describeVectors(vector, embedding), missing > 0 ? "yellow" : undefined),
    provider !== "none" &&
      row(
        "embedder",
        `${provider}${model === undefined ? "" : `, ${model}`} (${isAsked ? why : `${requestedProvider} was asked for`})`,
      ),
    fallback && row("fallback", showOnOneLine(describeFallback(fallback)), "yellow"),
    vector.loadError !== undefined &&
      !fallback &&
      row("extension", showOnOneLine(vector.loadError), "yellow"),
    meanwhile !== undefined && row("meanwhile", meanwhile, "yellow"),
    missing > 0 &&
      embedding.missingCostUsd !== 0 &&
      row("to send", describeTokens(embedding.missingTokens, embedding.missingCostUsd)),
    requests > 0 && row("sent", `${countOf(requests, "request")}, ${countOf(tokens, "token")}${cost}`),
    check &&
      row(
        "separation",
        `${check.separation.toFixed(2)} on ${countOf(check.sentences, "sentence")} of the notes (0.5 is chance, 1 perfect)`,
      ),
    batch.pending.length > 0 &&
      row("batch", `${countOf(batch.pending.length, "job")} under way, ${countOf(batchTexts, "text")}`),
    batch.problem !== undefined && row("batch", showOnOneLine(batch.problem), "yellow"),
    last && row("refused", `${countOf(refused.length, "text")}: ${showOnOneLine(last.reason)}`),
    ...embedding.problems.map((problem) => row("problem", showOnOneLine(problem), "yellow")),
    better !== undefined && row("tip", better, "dim"),
    unused && row("not used", describeUnused(unused)),
  ]);
}

function describeFallback({
  from,
  to,
  since,
  retryAt,
  reason,
}: NonNullable<MemoryStatus["fallback"]>): string {
  const instead = to === "none" ? `keyword search instead of ${from}` : `${to} instead of ${from}`;
  const next = retryAt === undefined ? "" : ` (asked again after ${minuteOf(retryAt)})`;
  return `${instead} since ${minuteOf(since)}: ${reason}${next}`;
}

function minuteOf(moment: string): string {
  return `${moment.slice(0, 16).replace("T", " ")} UTC`;
}

function describeVectors(
  { path, dims }: MemoryStatus["vector"],
  { texts, missing }: { readonly texts: number; readonly missing: number },
): string {
  const all = countOf(texts + missing, "text");
  const done = missing > 0 ? `${formatCount(texts)} of ${all} embedded` : `${all} embedded`;
  return compact([done, dims !== undefined && `${dims} dimensions`, path !== "builtin" && path]).join(", ");
}

const shownOfEach = 5;

function renderSkipped(skipped: readonly SkippedEntry[], paint: Paint): string {
  if (skipped.length === 0) return "";
  const byReason = Map.groupBy(skipped, ({ reason }) => reason);
  const lines = [...byReason].flatMap(([reason, entries]) => [
    `  ${paint("yellow", skipReasons[reason])} ${paint("dim", formatCount(entries.length))}`,
    ...entries
      .slice(0, shownOfEach)
      .map(
        ({ path, detail }) =>
          `    ${showOnOneLine(path)}${detail === undefined ? "" : paint("dim", `  ${showOnOneLine(detail)}`)}`,
      ),
    ...(entries.length > shownOfEach
      ? [`    ${paint("dim", `and ${formatCount(entries.length - shownOfEach)} more (--json lists all)`)}`]
      : []),
  ]);
  return [paint("bold", "Skipped"), ...lines].join("\n");
}
