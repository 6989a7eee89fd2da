import { LonghandError } from "../errors.ts";
import { createCoverage } from "../extract/coverage.ts";
import {
  type ConversationTurn,
  chooseSentences,
  type ExtractedSentence,
  sentencesOf,
} from "../extract/extract.ts";
import type { Memory } from "../memory/memory.ts";
import type { AddResult } from "../memory/note-requests.ts";
import { createSlices, sliceMs } from "../timing.ts";
import { byNeed } from "./flush-session.ts";

type NotesMemory = Pick<Memory, "add" | "readFile" | "maskSecrets">;

interface ExtractRequest {
  readonly turns: readonly ConversationTurn[];
  readonly sessionId: string;
  /** Paths of today's and yesterday's notes: what they already say is left out. */
  readonly knownPaths: readonly string[];
  /** Stops reading; user messages are read first, latest first. */
  readonly until?: AbortSignal | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface WrittenExtract {
  readonly added: AddResult | null;
  /** Turns that there was no time for. */
  readonly unread: number;
}

/** Copies the key sentences of a conversation into today's note, unless the notes already contain them. */
export async function writeExtract(memory: NotesMemory, request: ExtractRequest): Promise<WrittenExtract> {
  const { found, unread } = await readTurns(memory, request);
  if (found.length === 0) return { added: null, unread };
  const isKnown = createCoverage(await readNotes(memory, request.knownPaths));
  const lines = chooseSentences(found, { isKnown }).map(
    ({ text, line }) =>
      `- ${cleanLine(text)} <!-- from: session ${cleanName(request.sessionId)} line ${line} -->`,
  );
  if (lines.length === 0) return { added: null, unread };
  return { added: await addItems(memory, lines.join("\n"), { signal: request.signal }), unread };
}

async function readTurns(
  memory: NotesMemory,
  { turns, until }: ExtractRequest,
): Promise<{ found: ExtractedSentence[]; unread: number }> {
  const ordered = byNeed(turns);
  const byTurn = new Map<number, ExtractedSentence[]>();
  const slices = createSlices(sliceMs);
  for (const [order, turn] of ordered) {
    // Mask before splitting: the context that identifies a secret may be in another sentence.
    byTurn.set(order, sentencesOf({ ...turn, text: memory.maskSecrets(turn.text) }));
    if (!slices.isOver()) continue;
    // Timers run now.
    await slices.next();
    if (until?.aborted) break;
  }
  const inOrder = [...byTurn].sort(([a], [b]) => a - b);
  return { found: inOrder.flatMap(([, sentences]) => sentences), unread: ordered.length - byTurn.size };
}

/** Appends list items to today's note, masked and without those already there. */
export async function addItems(
  memory: Pick<Memory, "add" | "maskSecrets">,
  text: string,
  { origin, signal }: { origin?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<AddResult> {
  return await memory.add(memory.maskSecrets(text), {
    to: "daily",
    onlyNewItems: true,
    origin,
    signal,
  });
}

/** The text of the notes, up to a size that reads quickly. Unreadable notes are skipped. */
async function readNotes(memory: NotesMemory, paths: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const relPath of paths) {
    try {
      for (let from: number | undefined = 1, chars = 0; from !== undefined && chars < maxKnownChars; ) {
        const part = await memory.readFile({ relPath, from, lines: 10_000 });
        texts.push(part.text);
        chars += part.text.length;
        from = part.nextFrom;
      }
    } catch (error) {
      // A sentence may then be written twice, which loses nothing.
      if (!(error instanceof LonghandError)) throw error;
    }
  }
  return texts.join("\n");
}

const maxKnownChars = 400_000;

/**
 * One line of plain text that cannot start a comment, a heading or a list. Hosts cut long texts in the middle of an
 * emoji, and a note refuses half a character.
 */
function cleanLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ")
    .replaceAll("<!--", "<! --")
    .replace(/\s+/g, " ")
    .trim();
}

function cleanName(name: string): string {
  return name
    .replace(/[^\p{L}\p{N}._:@-]+/gu, " ")
    .replace(/-{2,}/g, "-")
    .trim()
    .slice(0, 80);
}
