import type { Engine } from "../engines/engine.ts";
import { compareRead, type ReadLine, readLine } from "../facts/compare-facts.ts";
import { mayRelate, wordsOfLine } from "../facts/may-relate.ts";
import type { Notes } from "../notes/notes.ts";
import type { SearchHit } from "../search/search.ts";
import { normaliseEntryLine } from "../text/entry-line.ts";
import { outlineMarkdown } from "../text/markdown.ts";

/** What the notes already say about a line that is to be added. */
export interface KnownFact {
  readonly kind: "same" | "near-duplicate" | "supersedes";
  readonly path: string;
  readonly line: number;
}

export interface KnownFactRequest {
  readonly text: string;
  /** Where it is to be written; see `AddOptions.to`. */
  readonly to: string;
  readonly heading: string | undefined;
  readonly sessionKey: string | undefined;
  readonly sharedOnly: boolean;
  readonly today: string;
}

const maxHits = 8;
const maxChars = 300;
/** Whoever adds a line waits no longer for what is known about it. */
const waitMs = 1500;

/**
 * Looks for a line that says the same as a new one, or that the new one supersedes. Only single lines are looked up; a
 * fact in a daily note does not keep anybody from writing it to a lasting one.
 */
export async function findKnownFact(
  request: KnownFactRequest,
  { openEngine, notes }: { openEngine: () => Promise<Engine>; notes: Notes },
): Promise<KnownFact | null> {
  const { text, to, heading, sessionKey, sharedOnly, today } = request;
  if (text.includes("\n") || text.length > maxChars) return null;
  const isDaily = to === "daily";
  const target = isDaily ? notes.daily.pathOf(today) : to === "long-term" ? "MEMORY.md" : to;
  const said = readLine({
    text,
    ...(heading === undefined ? {} : { headings: [heading] }),
    ...(isDaily ? { date: today } : {}),
  });
  if (said.facts.length === 0) return null;
  const engine = await openEngine();
  const { results } = await engine.search(text, {
    keywordOnly: true,
    maxResults: maxHits,
    minScore: 0,
    source: "memory",
    scope: "project",
    signal: AbortSignal.timeout(waitMs),
    ...(sessionKey === undefined ? {} : { sessionKey }),
  });
  let superseded: KnownFact | null = null;
  for (const hit of results) {
    const note = await notes.readWhole({ path: hit.path, sharedOnly });
    if (note === null) continue;
    for (const { line, written, read } of linesOf(note.text, hit, wordsOfLine(text))) {
      const { kind } = compareRead(read, said);
      if (kind === "unrelated") continue;
      const known = { kind, path: hit.path, line };
      if (kind === "supersedes") superseded ??= known;
      // Appending finds the same text in the same note itself, and makes sure that it is on the disk.
      else if (hit.path === target && normaliseEntryLine(written) === normaliseEntryLine(text)) return null;
      else if (isDaily || hit.date === undefined) return known;
    }
  }
  return superseded;
}

function* linesOf(
  text: string,
  { startLine, endLine, date }: SearchHit,
  words: ReadonlySet<string>,
): Generator<{ line: number; written: string; read: ReadLine }> {
  const lines = text.split("\n");
  const { headings } = outlineMarkdown(text, 0);
  for (let line = startLine; line <= Math.min(endLine, lines.length); line++) {
    const written = lines[line - 1]!.replace(/\r$/, "");
    if (!mayRelate(wordsOfLine(written), words)) continue;
    const heading = headings.findLast((each) => each.line < line);
    yield {
      line,
      written,
      read: readLine({
        text: written,
        ...(heading === undefined ? {} : { headings: [heading.text] }),
        ...(date === undefined ? {} : { date }),
      }),
    };
  }
}
