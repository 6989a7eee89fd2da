import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { LonghandError } from "../../errors.ts";
import { quoteForShell } from "../../hosts/shell-line.ts";
import type { Memory } from "../../memory/memory.ts";
import { localTime } from "../../notes/local-time.ts";
import { findPathProblem, findPeriodProblem, pathHint, relativeGlob } from "../../search/filter.ts";
import { parseLocation } from "../../search/location.ts";
import { noWordsReason, type SearchAnswer, type SearchOptions } from "../../search/search.ts";
import { compact } from "../../text/compact.ts";
import { countOf } from "../../text/count-of.ts";
import { formatDuration } from "../../text/figures.ts";
import { compileGlob } from "../../text/glob.ts";
import { splitLayer } from "../../text/layer-path.ts";
import { showOnOneLine } from "../../text/visible.ts";
import { monotonicMs, settleWithin } from "../../timing.ts";
import type { CommandContext } from "../command.ts";
import type { Paint } from "../output.ts";
import { parseDay } from "../parse-day.ts";
import { globArgument, noteArgument } from "../path-arguments.ts";
import { withProgress } from "../progress-bar.ts";
import { renderAnswerExplanation, renderHits, renderWhyNot } from "../render-hits.ts";
import { withMemory } from "../with-memory.ts";

type Filters =
  | ("maxResults" | "minScore" | "source" | "scope" | "since" | "until" | "path")
  | ("tag" | "linksTo" | "sessionKey");

interface SearchInput extends Pick<SearchOptions, Filters | "explain" | "whyNot"> {
  readonly query: string;
}

export async function runSearch(context: CommandContext, given: SearchInput): Promise<void> {
  const { output } = context;
  checkWhyNot(given.whyNot);
  checkPath(given.path === undefined ? undefined : globArgument(given.path));
  await withMemory(
    context,
    async (memory, settings) => {
      const startedAt = monotonicMs();
      const input = withNotePaths(given, settings);
      const options = readOptions(context, { input, settings });
      const answer = await withProgress(output.bar, (progress) =>
        memory.search(input.query, { ...options, progress: progress.report }),
      ).catch((error: unknown) => {
        if (context.signal.aborted)
          output.note("Stopped. Progress is kept: the next search continues indexing.");
        throw error;
      });
      const durationMs = monotonicMs() - startedAt;
      // Highlights need colours, so without them none are computed.
      const isPainted = output.view.paint("bold", "x") !== "x";
      const matches = isPainted
        ? (await import("../../search/query-matches.ts")).createMatcher(input.query)
        : () => [];
      const fileUrl = output.view.terminal ? await createFileUrl(settings) : () => null;
      output.show(answer, (view) =>
        compact([
          answer.whyNot && renderWhyNot(answer.whyNot, view),
          answer.explain && renderAnswerExplanation(answer.explain, view),
          renderHits(answer, view, { matches, fileUrl }),
        ]).join("\n\n"),
      );
      if (answer.results.length > 0)
        output.note(renderFooter(answer, { durationMs, paint: output.paintNote }));
      else output.note(await renderNothing(memory, { input, answer, paint: output.paintNote }));
      if (answer.results.length === 0 || answer.confidenceLevel === "low")
        output.note(await noteUnadopted(context, settings));
      const session = answer.results.find(({ source }) => source === "sessions");
      if (session) {
        const id = session.path.replace(/^sessions\//, "");
        const place = showOnOneLine(quoteForShell(`${id}:${session.startLine}`));
        output.note(output.paintNote("dim", `Read on in a transcript with: longhand sessions show ${place}`));
      }
      if (answer.results.length > 0 && isLinkedFolder(settings))
        output.note(renderWarnings([linkedFolder], output.paintNote));
      output.note(renderWarnings(answer.degraded, output.paintNote));
      if (answer.stale && !output.quiet && !output.json)
        output.note(renderWarnings(await describeStale(memory, context.now), output.paintNote));
    },
    { sessionKey: given.sessionKey, masksText: false },
  );
}

const linkedFolder = "memory/ is a symbolic link, which is not followed, so the notes in it are not searched";

/** Hits from MEMORY.md alone would hide that all other notes are missing. */
function isLinkedFolder({ workspaceDir }: Settings): boolean {
  return lstatSync(join(workspaceDir, "memory"), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function readOptions(
  { signal, now }: CommandContext,
  { input, settings }: { input: SearchInput; settings: Settings },
): SearchOptions {
  const { query: _, since, until, ...rest } = input;
  // Loading the rules of a time zone costs more than a search.
  const isDated = since !== undefined || until !== undefined;
  const today = isDated ? localTime(now, settings.configuredTimezone).day : "";
  const from = since === undefined ? undefined : parseDay(since, { option: "--since", today });
  const to = until === undefined ? undefined : parseDay(until, { option: "--until", today });
  const problem = findPeriodProblem({ since: from, until: to });
  if (problem !== null) {
    throw new LonghandError("usage", `--since and --until cannot be used: ${problem}.`, {
      hint: "Swap the two dates.",
    });
  }
  return {
    ...rest,
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
    signal,
  };
}

/** Paths as shown in hits. */
function withNotePaths(input: SearchInput, { workspaceDir }: Settings): SearchInput {
  const { path, whyNot, linksTo } = input;
  return {
    ...input,
    ...(path !== undefined && { path: relativeGlob(globArgument(path)) }),
    ...(whyNot !== undefined && { whyNot: noteArgument(whyNot, workspaceDir) }),
    ...(linksTo !== undefined && { linksTo: noteArgument(linksTo, workspaceDir) }),
  };
}

function checkWhyNot(whyNot: string | undefined): void {
  if (whyNot === undefined || parseLocation(whyNot).from !== undefined) return;
  throw new LonghandError("usage", `--why-not cannot be ${JSON.stringify(whyNot)}: it names no line.`, {
    hint: "Write PATH:LINE, such as MEMORY.md:7.",
  });
}

function checkPath(pattern: string | undefined): void {
  if (pattern === undefined) return;
  const problem = findPathProblem(pattern);
  if (problem === null) return;
  throw new LonghandError("usage", `--path cannot be ${JSON.stringify(pattern)}: ${problem}.`, {
    hint: pathHint,
  });
}

/** Only terminals show links, so the files are looked up only there. */
async function createFileUrl(settings: Settings): Promise<(path: string) => string | null> {
  const [{ locateNote }, { pathToFileURL }] = await Promise.all([
    import("../../notes/locate.ts"),
    import("node:url"),
  ]);
  const workspaceOf = ({ workspaceDir, memorySearch, notes }: Settings) => ({
    workspaceDir,
    extraPaths: memorySearch.extraPaths,
    include: notes.include,
  });
  return (path) => {
    try {
      const { layer, path: inLayer } = splitLayer(path);
      const owner = layer === "user" ? settings.userLayer?.settings() : settings;
      const { root, relative } = locateNote(workspaceOf(owner ?? settings), inLayer);
      return pathToFileURL(join(root, relative)).href;
    } catch {
      // A hit that is not a note (a session) is shown without a link.
      return null;
    }
  };
}

function renderFooter(
  { results, mode, confidence, confidenceLevel }: SearchAnswer,
  { durationMs, paint }: { durationMs: number; paint: Paint },
): string {
  const parts = [
    countOf(results.length, "hit"),
    `${confidenceLevel} confidence (${confidence.toFixed(2)})`,
    mode,
    formatDuration(durationMs),
  ];
  const footer = paint("dim", `\n${parts.join(" · ")}`);
  return confidenceLevel === "low" ? `${footer}\nThe notes most likely do not answer this.` : footer;
}

/** An empty result is no failure, but it should suggest a next step. */
async function renderNothing(
  memory: Memory,
  { input, answer, paint }: { input: SearchInput; answer: SearchAnswer; paint: Paint },
): Promise<string> {
  // Reported below, as a note.
  if (answer.degraded.includes(noWordsReason)) {
    return `Ask in plain words, such as: ${paint("cyan", "longhand search when do we ship")}`;
  }
  const { files, workspaceDir, onDisk } = await memory.status();
  const links = onDisk.skipped
    .filter(({ reason }) => reason === "symlink")
    .map(({ path }) => showOnOneLine(path));
  const notFollowed =
    links.length > 0 &&
    `  Not searched, because symbolic links are not followed: ${links.slice(0, 3).join(", ")}`;
  if (files === 0) {
    return compact([
      `There is no note yet in ${workspaceDir}.`,
      notFollowed,
      `  ${paint("cyan", "longhand init")}          start a memory in the current folder`,
      `  ${paint("cyan", 'longhand add "…"')}       write something down`,
      `  ${paint("cyan", "--workspace DIR")}        search another folder`,
    ]).join("\n");
  }
  if (input.path !== undefined && input.scope === undefined && input.source !== "sessions") {
    const isIncluded = compileGlob(input.path);
    const notes = await memory.listNotes({ sessionKey: input.sessionKey });
    if (!notes.some(({ path }) => isIncluded(path))) {
      const what = JSON.stringify(shorten(input.path));
      return `No note matches --path ${what}.\n  It is relative to the workspace, as hits show paths.`;
    }
  }
  const filtered =
    input.source ?? input.scope ?? input.since ?? input.until ?? input.path ?? input.tag ?? input.linksTo;
  const fewer = filtered === undefined ? "" : " or fewer filters";
  const weaker = input.minScore === 0 ? "" : ", or see weaker hits with --min-score 0";
  return compact([
    `Nothing in memory is about ${JSON.stringify(shorten(input.query))}.`,
    `  Try other words${fewer}${weaker}.`,
    notFollowed,
  ]).join("\n");
}

/** Notes that were never adopted are the usual reason for an empty answer. */
async function noteUnadopted({ currentDir, output }: CommandContext, settings: Settings): Promise<string> {
  const [{ findUnadopted }, { describeUnadopted }] = await Promise.all([
    import("../../memory/unadopted.ts"),
    import("../workspace-advice.ts"),
  ]);
  const unadopted = findUnadopted(settings, currentDir);
  return unadopted === null ? "" : describeUnadopted(unadopted, { currentDir, paint: output.paintNote });
}

/** How long a user with hits on the screen waits to learn whether something is missing. */
const checkMs = 2000;

/** An answer is stale if the time ran out, which says nothing about the notes: they are checked once more. */
async function describeStale(memory: Memory, since: Date): Promise<readonly string[]> {
  const status = await settleWithin(checkMs, memory.status());
  if (status === undefined) return ["the latest edits may be missing: the notes are still being checked"];
  if (status.readOnly !== undefined)
    return status.onDisk.changed > 0 ? ["notes that have changed are missing from this answer"] : [];
  // A sync that found nothing leaves no record.
  const isSynced = status.lastSync !== undefined && new Date(status.lastSync.at) >= since;
  return isSynced || status.onDisk.changed > 0
    ? ["some notes were not indexed in time for this answer; search again to include them"]
    : [];
}

function renderWarnings(reasons: readonly string[], paint: Paint): string {
  return reasons.map((reason) => `${paint("yellow", "note:")} ${showOnOneLine(reason)}`).join("\n");
}

function shorten(query: string): string {
  return query.length > 80 ? `${query.slice(0, 80)}…` : query;
}
