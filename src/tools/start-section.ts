import type { SessionStart } from "../memory/start-session.ts";
import { showHidden } from "../text/visible.ts";
import { dataNotice, fence } from "./fence.ts";

export interface StartSectionOptions {
  /** The conversation goes on after a compaction, and does not begin. */
  readonly isCompacted?: boolean;
}

/** What `startSession` gave, as text for a prompt: notes are fenced, so that none of them speaks as the host. */
export function startPromptSection(
  { notes, omitted }: Pick<SessionStart, "notes" | "omitted">,
  { isCompacted = false }: StartSectionOptions = {},
): string {
  if (notes.length === 0) return "";
  const parts = notes.map(({ path, text, from, lines, totalLines }) => {
    const isWhole = lines >= totalLines;
    const which = isWhole ? "" : `, lines ${from}-${from + lines - 1} of ${totalLines}`;
    return `${showHidden(path)}${which}\n${fence(text)}`;
  });
  return [
    isCompacted
      ? "This conversation was just compacted. What memory holds from before, and what was kept of it, is below."
      : "What memory holds from earlier conversations is below.",
    "Search it for anything that may have been settled before, and write down what later conversations will need.",
    dataNotice,
    ...parts,
    ...(omitted.length > 0 ? [`Not shown for length: ${omitted.join(", ")}.`] : []),
  ].join("\n\n");
}
