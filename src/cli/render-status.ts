import type { MemoryStatus, UserLayerStatus } from "../memory/status.ts";
import type { SkippedEntry } from "../sources/source.ts";
import { countOf, formatCount, nameSome } from "../text/count-of.ts";
import { formatAge, formatBytes } from "../text/figures.ts";
import { showOnOneLine } from "../text/visible.ts";
import { type Paint, type Row, renderSections, type View } from "./output.ts";
import { renderEmbedding } from "./render-embedding.ts";
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
  const {
    workspaceDir,
    trusted,
    agentId,
    extraPaths,
    onDisk,
    sessions,
    sources,
    unavailable,
    userLayer,
    project,
    pendingRecoveries,
  } = status;
  const skipped = onDisk.skipped.length;
  const malformed =
    sessions.malformedLines > 0 ? `, ${countOf(sessions.malformedLines, "malformed line")}` : "";
  return [
    { label: "workspace", value: showOnOneLine(workspaceDir) },
    trusted
      ? { label: "trusted", value: "yes" }
      : {
          label: "trusted",
          value: "no: hooks give agents none of its notes (longhand trust)",
          style: "yellow",
        },
    { label: "agent", value: agentId },
    ...(project ? [{ label: "project", value: `${project.id} (${showOnOneLine(project.key)})` }] : []),
    ...extraPaths.map((path, index) => ({ label: `extra/${index}`, value: showOnOneLine(path) })),
    {
      label: "on disk",
      value: `${countOf(onDisk.files, "file")}${skipped === 0 ? "" : `, and ${skipped} skipped (see below)`}`,
    },
    ...(userLayer ? [userLayerRow(userLayer)] : []),
    ...pendingRecoveries.map(({ doing, notes, problem, hint }) => ({
      label: "to recover",
      value: showOnOneLine(
        `interrupted ${doing ?? "consolidation"} (${nameSome(notes) || "notes that are not known"}): ${problem} ${hint}`,
      ),
      style: "red" as const,
    })),
    ...(sources.includes("sessions") && !unavailable
      ? [
          {
            label: "sessions",
            value: `${countOf(sessions.files, "transcript")}, ${countOf(sessions.turns, "turn")}${malformed}`,
          },
        ]
      : []),
  ];
}

function userLayerRow({ workspaceDir, files, chunks, dirty, problem }: UserLayerStatus): Row {
  const label = "user";
  const dir = showOnOneLine(workspaceDir);
  if (problem !== undefined) return { label, value: `${dir}: ${showOnOneLine(problem)}`, style: "red" };
  const state = dirty ? ", changes to index" : "";
  return { label, value: `${dir}, ${countOf(files, "file")}, ${countOf(chunks, "chunk")} indexed${state}` };
}

/** Nothing is known about it but the reason. */
function unavailableRows({ unavailable, dbPath }: MemoryStatus): Row[] {
  return [
    { label: "state", value: `not known. ${showOnOneLine(unavailable?.message ?? "")}`, style: "red" },
    placeRow(dbPath),
  ];
}

function placeRow(dbPath: string): Row {
  return { label: dbPath.includes("://") ? "address" : "file", value: showOnOneLine(dbPath) };
}

function indexRows(status: MemoryStatus, now: Date): Row[] {
  const { files, chunks, dbPath, lastSync, sourceCounts, readOnly, quarantined, pendingPurges, sharing } =
    status;
  const bySource = sourceCounts.map((count) => `${count.source} ${formatCount(count.files)}`).join(", ");
  const failed = lastSync?.failed ?? 0;
  return [
    stateRow(status),
    ...(readOnly === undefined
      ? []
      : [{ label: "read-only", value: `changes cannot be indexed: ${readOnly}`, style: "yellow" as const }]),
    ...(sharing?.problems ?? []).map((value) => ({ label: "sharing", value, style: "yellow" as const })),
    {
      label: "indexed",
      value: `${countOf(files, "file")}, ${countOf(chunks, "chunk")}${sourceCounts.length > 1 ? ` (${bySource})` : ""}`,
    },
    {
      label: "last sync",
      value: lastSync
        ? `${formatAge(new Date(lastSync.at), now)} (${lastSync.reason})`
        : describeNever(status),
    },
    ...(failed > 0
      ? [
          {
            label: "failed",
            value: `${countOf(failed, "note")}; longhand index names them`,
            style: "red" as const,
          },
        ]
      : []),
    ...status.atWork.map(({ pid, doing, since }) => ({
      label: "at work",
      value: `process ${pid} (${showOnOneLine(doing)}), started ${formatAge(new Date(since), now)}`,
    })),
    watcherRow(status, now),
    placeRow(dbPath),
    { label: "size", value: describeSizes(status) },
    ...pendingPurges.map(({ at, notes }) => ({
      label: "to forget",
      value: `interrupted ${at}: ${notes.map((text) => showOnOneLine(text)).join(", ") || "notes that are not known"}; longhand index finishes it`,
      style: "yellow" as const,
    })),
    ...(quarantined.length > 0
      ? [
          {
            label: "quarantined",
            value: `${countOf(quarantined.length, "file")} that could not be used, the last is ${quarantined.at(-1)}`,
            style: "yellow" as const,
          },
        ]
      : []),
  ];
}

function stateRow({ dirty, onDisk, embedding, files }: MemoryStatus): Row {
  const label = "state";
  if (!dirty && files + onDisk.files === 0) return { label, value: "empty: there are no notes yet" };
  if (!dirty) return { label, value: "up to date", style: "green" };
  const value =
    onDisk.changed > 0
      ? describeChanges(onDisk, files)
      : `words up to date, ${countOf(embedding.missing, "text")} to embed`;
  return { label, value, style: "yellow" };
}

function describeChanges({ changed, added, gone, lagMs }: MemoryStatus["onDisk"], indexed: number): string {
  const waiting = lagMs === undefined ? "" : `, the oldest ${formatAge(new Date(0), new Date(lagMs))}`;
  if (indexed === 0) return `nothing is indexed yet, ${countOf(added, "file")} to do`;
  const edited = changed - added - gone;
  const kinds = [
    added > 0 && `${countOf(added, "file")} new`,
    edited > 0 && `${countOf(edited, "file")} changed`,
    gone > 0 && `${countOf(gone, "file")} gone`,
  ].filter((part) => part !== false);
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
  const label = "watcher";
  if (mode === "none") {
    const value = syncOnSearch
      ? "none; each search looks for changes itself"
      : "none, and searches do not look for changes (sync.onSearch is false)";
    return { label, value, ...(syncOnSearch ? {} : { style: "yellow" as const }) };
  }
  const who = `process ${pid}${since === undefined ? "" : `, started ${formatAge(new Date(since), now)}`}`;
  if (mode === "paused") return { label, value: `${who}, which does not move`, style: "yellow" };
  return { label, value: `${who}${mode === "polling" ? ", by looking every few seconds" : ""}` };
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
  const words: Row = fts.available
    ? { label: "keyword", value: "ready" }
    : {
        label: "keyword",
        value: unavailable
          ? "not available while the index is not"
          : fts.enabled
            ? `not available: ${fts.error ?? "unknown reason"}`
            : "off",
        style: "red",
      };
  return [
    ...(backend === "builtin" ? [] : [backendRow(status)]),
    words,
    ...renderEmbedding(status),
    ...entriesRows(status),
  ];
}

function entriesRows({ entries }: MemoryStatus): Row[] {
  if (entries === undefined) return [];
  const { entries: count, indexed, problem } = entries;
  if (problem !== undefined) return [{ label: "entries", value: problem, style: "red" }];
  const compared = indexed === null ? "found by keyword" : `${formatCount(indexed)} with vectors`;
  return [{ label: "entries", value: `${countOf(count, "fact")}, ${compared}` }];
}

function backendRow({ backend, fallback, qmd }: MemoryStatus): Row {
  if (qmd === undefined) return { label: "backend", value: backend };
  if (qmd.fallback !== undefined && fallback !== undefined) {
    const value = `builtin, instead of ${fallback.from}: ${fallback.reason}`;
    return { label: "backend", value, style: "yellow" };
  }
  return {
    label: "backend",
    value: `qmd ${qmd.version}, ${qmd.detail}, ${countOf(qmd.documents, "document")}`,
  };
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
