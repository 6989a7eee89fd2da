import type { Settings } from "../../config/settings.ts";
import { LonghandError, throwIfAborted } from "../../errors.ts";
import { isUserPath, type MemoryLayer } from "../../text/layer-path.ts";
import { placeOf } from "../../text/lines-of.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import { noteArgument } from "../path-arguments.ts";
import { withMemory } from "../with-memory.ts";

export interface AddInput {
  readonly text: string;
  readonly to?: string;
  readonly heading?: string;
  readonly scope?: MemoryLayer;
  readonly force?: boolean;
}

/** Input beyond the size limit of an entry is not read, so that a wrong pipe cannot exhaust memory. */
const maxEntryBytes = 64 * 1024;

export async function runAdd(context: CommandContext, input: AddInput): Promise<void> {
  const { text, to, heading, scope, force } = input;
  const { output, signal } = context;
  await withMemory(context, async (memory, settings) => {
    const entry = text === "-" ? await readStandardInput(context) : text;
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

async function readStandardInput({ input, output, signal }: CommandContext): Promise<string> {
  throwIfAborted(signal);
  signal.addEventListener("abort", () => input.destroy(), { once: true });
  if (input.isTTY) {
    const end = process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D";
    output.note(`Type what to remember; end with ${end} on a line of its own.`);
  }
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of readUntilClosed(input)) {
    sizeBytes += part.byteLength;
    if (sizeBytes > maxEntryBytes) {
      throw new LonghandError("entry-invalid", "The text on standard input is over 64 KiB.", {
        hint: "Add it in smaller parts, or put the file into memory/ as a note of its own.",
      });
    }
    parts.push(part);
  }
  throwIfAborted(signal);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new LonghandError("entry-invalid", "The text on standard input is not UTF-8.", {
      hint: "Convert it first, for example with `iconv -t UTF-8`.",
      cause,
    });
  }
}

/** A stream that is closed while being read just ends; only the signal shows that it was closed. */
async function* readUntilClosed(input: CommandContext["input"]): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}
