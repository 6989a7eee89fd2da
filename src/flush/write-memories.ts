import { LonghandError } from "../errors.ts";
import type { AddResult, Memory } from "../memory.ts";
import { redactSecrets } from "../text/redact.ts";
import { createCoverage } from "./coverage.ts";
import { type ConversationTurn, extractSentences } from "./extract.ts";

export type NotesMemory = Pick<Memory, "add" | "readFile">;

export interface ExtractRequest {
  readonly turns: readonly ConversationTurn[];
  readonly sessionId: string;
  /** Today and yesterday, as paths of notes: what they say already is left out. */
  readonly knownPaths: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Copies the telling sentences of a conversation into today's note, as far as the notes do not say so already. */
export async function writeExtract(memory: NotesMemory, request: ExtractRequest): Promise<AddResult | null> {
  // Masked before it is cut: what tells a secret may stand in another sentence.
  const turns = request.turns.map((turn) => ({ ...turn, text: redactSecrets(turn.text).text }));
  const sentences = extractSentences(turns);
  if (sentences.length === 0) return null;
  const isKnown = createCoverage(await readNotes(memory, request.knownPaths));
  const lines = sentences
    .map(({ text, line }) => ({ text: cleanLine(text), line }))
    .filter(({ text }) => !isKnown(text))
    .map(({ text, line }) => `- ${text} <!-- from: session ${cleanName(request.sessionId)} line ${line} -->`);
  if (lines.length === 0) return null;
  return await addItems(memory, lines.join("\n"), { signal: request.signal });
}

/** Appends list items to today's note: without secrets, and none that stands there already. */
export async function addItems(
  memory: Pick<Memory, "add">,
  text: string,
  { origin, signal }: { origin?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<AddResult> {
  return await memory.add(redactSecrets(text).text, {
    to: "daily",
    onlyNewItems: true,
    ...(origin !== undefined && { origin }),
    ...(signal && { signal }),
  });
}

/** What the notes say, up to a size that is read in no time. A note that cannot be read says nothing. */
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
      // Then a sentence may be written that an unreadable note has too, which loses nothing.
      if (!(error instanceof LonghandError)) throw error;
    }
  }
  return texts.join("\n");
}

const maxKnownChars = 400_000;

/** One line of plain text: nothing in it begins a comment, a heading or a list. */
function cleanLine(text: string): string {
  return text
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
