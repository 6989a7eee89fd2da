import type { SkippedEntry } from "../sources/source.ts";
import type { MemoryStatus } from "../status.ts";
import { showHidden } from "../text/visible.ts";
import { countOf, formatAge, formatBytes } from "./human.ts";
import type { Paint, View } from "./output.ts";

type Row = readonly [label: string, value: string];

/** Sections of aligned rows; the wording is the same on a terminal and through a pipe. */
export function renderStatus(status: MemoryStatus, { view, now }: { view: View; now: Date }): string {
  const { paint } = view;
  const sections: (readonly [title: string, rows: readonly Row[]])[] = [
    ["Memory", memoryRows(status)],
    ["Index", indexRows(status, { paint, now })],
    ["Search", searchRows(status, paint)],
  ];
  const column = Math.max(...sections.flatMap(([, rows]) => rows.map(([label]) => label.length)));
  const blocks = sections.map(([title, rows]) =>
    [
      paint("bold", title),
      ...rows.map(([label, value]) => `  ${paint("dim", label.padEnd(column))}  ${value}`),
    ].join("\n"),
  );
  const skipped = renderSkipped(status.onDisk.skipped, paint);
  return [...blocks, ...(skipped === "" ? [] : [skipped])].join("\n\n");
}

function memoryRows({ workspaceDir, agentId, extraPaths, onDisk }: MemoryStatus): Row[] {
  return [
    ["workspace", workspaceDir],
    ["agent", agentId],
    ...extraPaths.map((path, index): Row => [`extra/${index}`, path]),
    ["notes", countOf(onDisk.files, "file")],
  ];
}

function indexRows(status: MemoryStatus, { paint, now }: { paint: Paint; now: Date }): Row[] {
  const { files, chunks, dbPath, sizeBytes, onDisk, dirty, lastSync, sourceCounts, watcher } = status;
  const state = dirty
    ? paint("yellow", onDisk.changed > 0 ? `behind: ${countOf(onDisk.changed, "file")} changed` : "behind")
    : paint("green", "up to date");
  const failed =
    lastSync && lastSync.failed > 0 ? paint("red", `, ${countOf(lastSync.failed, "note")} failed`) : "";
  const bySource = sourceCounts
    .map((count) => `${count.source} ${count.files.toLocaleString("en-US")}`)
    .join(", ");
  return [
    ["state", state],
    [
      "indexed",
      `${countOf(files, "file")}, ${countOf(chunks, "chunk")}${sourceCounts.length > 1 ? ` (${bySource})` : ""}`,
    ],
    [
      "last sync",
      lastSync ? `${formatAge(new Date(lastSync.at), now)} (${lastSync.reason})${failed}` : "never",
    ],
    ...sessionRows(status, paint),
    ["watcher", renderWatcher(watcher, { paint, now })],
    ["file", `${dbPath} (${formatBytes(sizeBytes)})`],
  ];
}

/** Nothing where transcripts are not indexed. */
function sessionRows({ sessions, sources }: MemoryStatus, paint: Paint): Row[] {
  if (!sources.includes("sessions")) return [];
  const { files, turns, malformedLines } = sessions;
  const bad = malformedLines > 0 ? paint("yellow", `, ${countOf(malformedLines, "malformed line")}`) : "";
  return [["sessions", `${countOf(files, "transcript")}, ${countOf(turns, "turn")}${bad}`]];
}

function renderWatcher(
  { mode, pid, since }: MemoryStatus["watcher"],
  { paint, now }: { paint: Paint; now: Date },
): string {
  if (mode === "none") return "none; changes are looked for by each search";
  const who = `process ${pid}${since === undefined ? "" : `, started ${formatAge(new Date(since), now)}`}`;
  if (mode === "paused") return paint("yellow", `${who}, which does not move`);
  return `${who}${mode === "polling" ? ", by looking every few seconds" : ""}`;
}

function searchRows(
  { provider, model, requestedProvider, fts, vector, cache, fallback, backend, embedding }: MemoryStatus,
  paint: Paint,
): Row[] {
  const asked = requestedProvider === provider ? "" : ` (${requestedProvider} was asked for)`;
  // With no provider nothing is missing: that is search by word, which always works.
  const named =
    provider === "none" ? "none, search is by word" : `${provider}${model === undefined ? "" : `, ${model}`}`;
  const byVector = vector.available
    ? `${vector.path}${vector.dims === undefined ? "" : `, ${vector.dims} dimensions`}`
    : vector.enabled
      ? `not available${vector.loadError === undefined ? "" : `: ${vector.loadError}`}`
      : "off";
  return [
    ...(backend === "builtin" ? [] : [["backend", backend] as const]),
    ["provider", named + (provider === "none" && requestedProvider === "auto" ? "" : asked)],
    ...(fallback
      ? [["fallback", paint("yellow", `instead of ${fallback.from}: ${fallback.reason}`)] as const]
      : []),
    [
      "keyword",
      fts.available
        ? "available"
        : paint("red", fts.enabled ? `not available: ${fts.error ?? "unknown reason"}` : "off"),
    ],
    ["vector", byVector],
    ...embeddingRows(embedding, paint),
    [
      "cache",
      cache.enabled
        ? `${cache.entries.toLocaleString("en-US")} of ${cache.maxEntries.toLocaleString("en-US")} entries`
        : "off",
    ],
  ];
}

/** Nothing where there is nothing to say, as with the builtin model when all is well. */
function embeddingRows(embedding: MemoryStatus["embedding"], paint: Paint): Row[] {
  const { texts, missing, requests, tokens, costUsd, refused, problems, better } = embedding;
  const cost = costUsd === null ? "" : `, about $${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`;
  const last = refused.at(-1);
  return [
    ...(missing > 0
      ? [["embedded", paint("yellow", `${texts} of ${countOf(texts + missing, "text")}`)] as const]
      : []),
    ...(requests > 0
      ? [["sent", `${countOf(requests, "request")}, ${countOf(tokens, "token")}${cost}`] as const]
      : []),
    ...(last ? [["refused", `${countOf(refused.length, "text")}: ${showHidden(last.reason)}`] as const] : []),
    ...problems.map((problem) => ["problem", paint("yellow", showHidden(problem))] as const),
    ...(better === undefined ? [] : [["better", paint("dim", better)] as const]),
  ];
}

const shownOfEach = 5;

function renderSkipped(skipped: readonly SkippedEntry[], paint: Paint): string {
  if (skipped.length === 0) return "";
  const byReason = Map.groupBy(skipped, ({ reason }) => reason);
  const lines = [...byReason].flatMap(([reason, entries]) => [
    `  ${paint("yellow", reason)} ${paint("dim", `${entries.length}`)}`,
    ...entries
      .slice(0, shownOfEach)
      .map(
        ({ path, detail }) =>
          `    ${showHidden(path)}${detail === undefined ? "" : paint("dim", `  ${showHidden(detail)}`)}`,
      ),
    ...(entries.length > shownOfEach
      ? [`    ${paint("dim", `and ${entries.length - shownOfEach} more (--json lists all)`)}`]
      : []),
  ]);
  return [paint("bold", "Skipped"), ...lines].join("\n");
}
