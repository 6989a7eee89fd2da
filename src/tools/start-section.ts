import type { SessionStart } from "../memory/start-session.ts";
import { showOnOneLine } from "../text/visible.ts";
import { type Quote, quoteNotes } from "./quote-notes.ts";

export interface StartSectionOptions {
  /** The conversation continues after a compaction. */
  readonly isCompacted?: boolean;
}

/** The number of omitted notes that are named; more names would add nothing. */
const maxOmittedNames = 20;

/** The result of `startSession` as text for a prompt: notes are fenced, so that none can impersonate the host. */
export function startPromptSection(
  { notes, omitted, trusted = true }: Pick<SessionStart, "notes" | "omitted"> & Partial<SessionStart>,
  { isCompacted = false }: StartSectionOptions = {},
): string {
  if (notes.length === 0) return "";
  const quotes = notes.map(({ path, text, from, lines, totalLines }): Quote => {
    const isWhole = lines >= totalLines;
    return {
      ...(!isWhole && { label: `lines ${from}-${from + lines - 1} of ${totalLines}` }),
      place: path,
      text,
    };
  });
  const names = omitted.slice(0, maxOmittedNames).map((path) => showOnOneLine(path, 200));
  const left: Quote = { label: `${omitted.length} not shown for length`, text: names.join("\n") };
  return [
    isCompacted
      ? "This conversation was just compacted. These notes are from before; sentences of this conversation are among them."
      : "These notes are from earlier conversations; memory_search finds more.",
    quoteNotes(omitted.length === 0 ? quotes : [...quotes, left], { isTrusted: trusted }),
  ].join("\n\n");
}
