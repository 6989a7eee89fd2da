import { LonghandError } from "../../errors.ts";
import { quoteForShell } from "../../hosts/shell-line.ts";
import type { ReadFileRequest, ReadFileResult } from "../../memory/note-requests.ts";
import { type Location, parseLocation } from "../../search/location.ts";
import { showHidden, showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import { findNotePath } from "../find-note.ts";
import { renderNumbered, type View } from "../output.ts";
import { noteArgument } from "../path-arguments.ts";
import { withMemory } from "../with-memory.ts";

interface GetInput {
  readonly path: string;
  readonly from?: number;
  readonly lines?: number;
  readonly sessionKey?: string;
}

export async function runGet(context: CommandContext, input: GetInput): Promise<void> {
  const { output, signal } = context;
  await withMemory(
    context,
    async (memory, { workspaceDir }) => {
      const { sessionKey } = input;
      const location = parseLocation(noteArgument(input.path, workspaceDir));
      const { from, lines } = chooseLines(location, input);
      const result = await memory.readFile({
        relPath: await findNotePath(memory, location.path, { signal, sessionKey }),
        signal,
        from,
        lines,
        sessionKey: input.sessionKey,
      });
      output.show(result, (view) => renderLines(result, view));
      // A caller that received every requested line learns that there may be more.
      if (result.lines !== lines || result.omittedChars !== undefined)
        output.note(output.paintNote("dim", describeRest(result, from)));
    },
    { sessionKey: input.sessionKey },
  );
}

/** Lines are given once: in the path or by the options. */
function chooseLines(location: Location, input: GetInput): Pick<ReadFileRequest, "from" | "lines"> {
  const clash = location.from !== undefined && input.from !== undefined ? "--from" : null;
  if (clash !== null || (location.to !== undefined && input.lines !== undefined)) {
    throw new LonghandError("usage", `${input.path} names lines, and so does ${clash ?? "--lines"}.`, {
      hint: "Name them once: `longhand get PATH:FROM-TO` or `longhand get PATH --from N --lines N`.",
    });
  }
  const from = location.from ?? input.from;
  const lines = location.to === undefined ? input.lines : location.to - (location.from ?? 1) + 1;
  return { from, lines };
}

/** Numbered and escaped on a terminal; verbatim through a pipe, for other programs. */
function renderLines({ text, from, lines: count }: ReadFileResult, view: View): string {
  if (count === 0) return "";
  if (!view.terminal) return `${text}\n`;
  const lines = showHidden(text).split("\n");
  const digits = String(from + lines.length - 1).length;
  return lines
    .map((line, index) => renderNumbered({ number: from + index, digits, text: line }, view))
    .join("\n");
}

function describeRest(result: ReadFileResult, asked?: number): string {
  const { path, from, lines, totalLines, nextFrom, omittedChars } = result;
  const name = showOnOneLine(path);
  if (lines === 0) {
    return totalLines === 0
      ? `There is nothing in ${name}, or no such note yet.`
      : `${name} has ${totalLines} lines; there is no line ${asked ?? from}.`;
  }
  const cut =
    omittedChars === undefined ? "" : `Line ${from} is too long: ${omittedChars} characters are left out.`;
  const rest =
    nextFrom === undefined
      ? ""
      : `Lines ${from}-${from + lines - 1} of ${totalLines}. Continue with: longhand get ${showOnOneLine(quoteForShell(`${path}:${nextFrom}`))}`;
  return `${cut} ${rest}`.trim();
}
