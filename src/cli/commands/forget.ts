import { LonghandError } from "../../errors.ts";
import type { ForgetPassage, ForgetRequest, ForgetResult } from "../../forget/forget.ts";
import type { ForgetReceipt } from "../../forget/receipt.ts";
import type { Memory } from "../../memory/memory.ts";
import { parseLocation } from "../../search/location.ts";
import { countOf } from "../../text/count-of.ts";
import { isTranscriptPath } from "../../text/layer-path.ts";
import { placeOf } from "../../text/lines-of.ts";
import { showHidden, showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import type { Paint } from "../output.ts";
import { noteArgument } from "../path-arguments.ts";
import { askLine, isYes, parseChoice } from "../read-input.ts";
import { withMemory } from "../with-memory.ts";

export interface ForgetInput {
  readonly path?: string;
  readonly query?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly maxResults?: number;
  readonly minScore?: number;
}

export async function runForget(context: CommandContext, input: ForgetInput): Promise<void> {
  const { output, signal } = context;
  checkRequest(input);
  refuseSilence(context, input);
  await withMemory(context, async (memory, { workspaceDir }) => {
    const request = readRequest(input, workspaceDir);
    if (input.yes && !input.dryRun) {
      show(context, await memory.forget({ ...request, signal }));
      return;
    }
    // A user who picks hits by number may also see merely related ones.
    const offered = "query" in request && !input.dryRun ? { ...request, words: "any" as const } : request;
    const preview = await memory.forget({ ...offered, dryRun: true, signal });
    const passages = preview.passages ?? [];
    const isWhole = isWholeNote(request);
    if (input.dryRun || passages.length === 0) {
      output.show(preview, ({ paint }) => renderPassages(passages, { isWhole, paint }));
      if (passages.length === 0) noteNothing(context, preview);
      else noteSkipped(context, preview);
      return;
    }
    output.note(renderPassages(passages, { isWhole, paint: output.paintNote }));
    noteSkipped(context, preview);
    const chosen = await choose(context, passages, input);
    if (chosen.length === 0) {
      output.note("Nothing was changed.");
      return;
    }
    show(context, await forgetSeen(memory, request, chosen, signal));
  });
}

/** The passages as they were shown: text that changed while the question was open is not removed. */
function forgetSeen(
  memory: Memory,
  request: ForgetRequest,
  chosen: readonly ForgetPassage[],
  signal: AbortSignal,
): Promise<ForgetResult> {
  if (isWholeNote(request)) return memory.forget({ path: request.path, text: chosen[0]!.text, signal });
  return memory.forget({ passages: chosen, signal });
}

/** In that case the file itself is deleted, too. */
function isWholeNote(request: ForgetRequest): request is Extract<ForgetRequest, { path: string }> {
  return "path" in request && request.startLine === undefined;
}

function checkRequest({ path, query }: ForgetInput): void {
  if ((path === undefined) === (query === undefined)) {
    throw new LonghandError("usage", "forget needs a path or --query, and not both.", {
      hint: "Write `longhand forget PATH[:FROM-TO]` or `longhand forget --query TEXT`.",
    });
  }
  if (query?.trim() === "")
    throw new LonghandError("usage", "--query is empty.", { hint: "Say what to forget." });
  if (path === undefined || /[/\\]|\.md/.test(parseLocation(path).path)) return;
  throw new LonghandError("usage", `${JSON.stringify(path.slice(0, 200))} is not the path of a note.`, {
    hint: "Name lines, such as MEMORY.md:12-14; entries that a question finds go with --query TEXT.",
  });
}

function readRequest(
  { path, query, maxResults, minScore }: ForgetInput,
  workspaceDir: string,
): ForgetRequest {
  if (query !== undefined) {
    return {
      query,
      ...(maxResults !== undefined && { maxResults }),
      ...(minScore !== undefined && { minScore }),
    };
  }
  const location = parseLocation(noteArgument(path!, workspaceDir));
  if (location.from === undefined) return { path: location.path };
  return { path: location.path, startLine: location.from, endLine: location.to ?? location.from };
}

/** Without a terminal to ask on, consent has to be given before anything is read. */
function refuseSilence({ input: stream, output }: CommandContext, { yes, dryRun }: ForgetInput): void {
  if (yes || dryRun || (stream.isTTY === true && !output.json)) return;
  const why = output.json ? "with --json no question can be asked" : "standard input is not a terminal";
  throw new LonghandError("usage", `forget would remove text without asking: ${why}.`, {
    hint: "Preview with --dry-run, then repeat with --yes.",
  });
}

async function choose(
  context: CommandContext,
  passages: readonly ForgetPassage[],
  { query }: ForgetInput,
): Promise<readonly ForgetPassage[]> {
  if (query === undefined || passages.length === 1) {
    const answer = await askLine(context, "Forget this? [y/N] ");
    return isYes(answer) ? passages : [];
  }
  const answer = await askLine(context, "Which ones? (numbers such as 1,3-4, all, or nothing) ");
  return parseChoice(answer, passages.length).map((number) => passages[number - 1]!);
}

/** The text to be removed is shown in full, with invisible characters made visible. */
function renderPassages(
  passages: readonly ForgetPassage[],
  { isWhole, paint }: { isWhole: boolean; paint: Paint },
): string {
  return passages
    .map(({ text, ...lines }, index) => {
      const number = passages.length > 1 ? `${index + 1}. ` : "";
      const whole = isWhole ? ", the whole note: the file is deleted" : "";
      const title = `${number}${paint(["cyan", "bold"], showOnOneLine(placeOf(lines)))}${whole}`;
      const shown = showHidden(text).split("\n");
      return [title, ...shown.map((line) => `  ${paint("red", `- ${line}`)}`)].join("\n");
    })
    .join("\n\n");
}

function show({ output, markFailed }: CommandContext, result: ForgetResult): void {
  const { removed, chunks, cacheEntries, receipt } = result;
  const isDeleted = (path: string) =>
    receipt?.notes.some((note) => note.path === path && note.after === null);
  output.show(result, ({ paint }) =>
    removed
      .map((lines) => {
        const whole = isDeleted(lines.path) ? ", and the file is deleted" : "";
        return `${paint("red", "forgotten")} ${showOnOneLine(placeOf(lines))}${whole}`;
      })
      .join("\n"),
  );
  if (receipt === undefined) {
    noteNothing({ output }, result);
    return;
  }
  const counts = `${countOf(chunks, "chunk")} and ${countOf(cacheEntries, "cached vector")} removed`;
  output.note(output.paintNote("dim", `${counts}; ${receipt.checked}.`));
  noteSame({ output }, receipt.stillIn);
  for (const file of receipt.deletedFiles) output.note(`Deleted a copy of the index: ${showOnOneLine(file)}`);
  for (const place of receipt.alsoPurged)
    output.note(`Purged an index that was used before: ${showOnOneLine(place)}`);
  noteSkipped({ output }, result);
  if (receipt.complete) {
    if (receipt.advice !== undefined) output.note(receipt.advice);
    return;
  }
  markFailed();
  const why = (receipt.problems.length > 0 ? receipt.problems.join("; ") : receipt.checked).replace(
    /\.$/,
    "",
  );
  output.note(
    `${output.paintNote("red", "error:")} The notes are edited, but not every trace is known to be gone: ${showOnOneLine(why)}.\n${receipt.advice}`,
  );
}

const maxSame = 10;

function noteSame({ output }: Pick<CommandContext, "output">, stillIn: ForgetReceipt["stillIn"]): void {
  const mark = output.paintNote("yellow", "note:");
  for (const { path, line } of stillIn.slice(0, maxSame)) {
    const whose = isTranscriptPath(path) ? " (a transcript, which longhand never edits)" : "";
    output.note(`${mark} the same text is still in ${showOnOneLine(path)}:${line}${whose}`);
  }
  const more = stillIn.length - maxSame;
  if (more > 0) output.note(`${mark} and in ${countOf(more, "more line")} (--json names up to 100)`);
}

function noteNothing({ output }: Pick<CommandContext, "output">, result: ForgetResult): void {
  const why =
    result.skipped.length > 0 ? "Nothing that may be changed matches" : "Nothing in the notes matches";
  output.note(`${why}; nothing was changed.`);
  noteSkipped({ output }, result);
}

function noteSkipped({ output }: Pick<CommandContext, "output">, { skipped }: ForgetResult): void {
  for (const { reason } of skipped) {
    output.note(`${output.paintNote("yellow", "note:")} left alone: ${showOnOneLine(reason)}`);
  }
}
