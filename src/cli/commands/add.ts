import type { Settings } from "../../config/settings.ts";
import { LonghandError } from "../../errors.ts";
import { isUserPath, type MemoryLayer } from "../../text/layer-path.ts";
import { placeOf } from "../../text/lines-of.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import { noteArgument } from "../path-arguments.ts";
import { readAll } from "../read-input.ts";
import { withMemory } from "../with-memory.ts";

interface AddInput {
  readonly text: string;
  readonly to?: string;
  readonly heading?: string;
  readonly scope?: MemoryLayer;
  readonly force?: boolean;
}

/** The size limit of an entry. */
const maxEntryBytes = 64 * 1024;

export async function runAdd(
  context: CommandContext,
  { text, to, heading, scope, force }: AddInput,
): Promise<void> {
  const { output, signal } = context;
  await withMemory(context, async (memory, settings) => {
    const entry = text === "-" ? await readEntry(context) : text;
    const result = await memory.add(entry, {
      signal,
      ...(to !== undefined && { to: noteArgument(to, settings.workspaceDir) }),
      heading,
      scope,
      force,
    });
    const { path, duplicate, nearDuplicate, supersedes, indexProblem } = result;
    output.show(result, ({ paint }) => paint(["cyan", "bold"], showOnOneLine(placeOf(result))));
    output.note(
      output.paintNote(
        "dim",
        nearDuplicate
          ? "Already there in other words; nothing written. To write it anyway: --force"
          : duplicate
            ? "Already there; nothing written."
            : `Written down${describeElsewhere(path, settings)}`,
      ),
    );
    if (supersedes !== undefined) {
      const older = showOnOneLine(`${supersedes.path}:${supersedes.line}`);
      output.note(`${older} says something else and is possibly superseded by it.`);
    }
    if (indexProblem !== undefined) {
      output.note(`The index is stale; a later search or sync updates it: ${showOnOneLine(indexProblem)}`);
    }
  });
}

/** A user who never chose a folder should learn where the notes are, and how to keep them here instead. */
function describeElsewhere(path: string, { workspaceDir, workspaceOrigin, userLayer }: Settings): string {
  if (isUserPath(path)) return ` in your own memory, ${userLayer?.dir}, which every project searches.`;
  return workspaceOrigin.from === "default"
    ? ` in ${workspaceDir}. To keep notes in this folder instead: longhand init`
    : ".";
}

async function readEntry(context: CommandContext): Promise<string> {
  if (context.input.isTTY) {
    const end = process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D";
    context.output.note(`Type what to remember; end with ${end} on a line of its own.`);
  }
  const bytes = await readAll(context, maxEntryBytes);
  if (bytes === null) {
    throw new LonghandError("entry-invalid", "The text on standard input is over 64 KiB.", {
      hint: "Add it in smaller parts, or put the file into memory/ as a note of its own.",
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new LonghandError("entry-invalid", "The text on standard input is not UTF-8.", {
      hint: "Convert it first, for example with `iconv -t UTF-8`.",
      cause,
    });
  }
}
