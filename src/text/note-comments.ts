/**
 * `%% a comment %%`, as Obsidian hides it. Over several lines only from the beginning of a line; `for %%i in …` of a
 * batch file is none.
 */
const comment = /(?<!\S)%%[^%]*(?:%(?!%)[^%]*)*%%(?![^\s.,;:!?)])[ \t]?/g;

/** What Logseq keeps below a block and does not show: its id, whether it is folded, and when it was worked on. */
const logseqLine =
  /^[ \t]*(?:id:: [\da-f-]{36}|collapsed:: (?:true|false)|:LOGBOOK:|CLOCK: \[[^\n]*|:END:)[ \t]*$/gm;

/**
 * A part of a note without its comments, for display only: notes are searched and quoted whole. With `blank`, spaces
 * take their place, so that positions stay the same. A text of comments alone stays as it is.
 */
export function hideComments(text: string, { blank = false } = {}): string {
  const isLogseq = text.includes(":: ") || text.includes(":LOGBOOK:");
  if (!isLogseq && !text.includes("%%")) return text;
  const hide = (found: string): string => found.replace(/[^\n]/g, blank ? " " : "");
  const blocks = isLogseq ? text.replace(logseqLine, hide) : text;
  const shown = blocks.replace(comment, (found, at: number) => {
    if (found.includes("\n") && !/(?:^|\n)[ \t]*$/.test(blocks.slice(Math.max(0, at - 80), at))) return found;
    return hide(found);
  });
  return shown.trim() === "" ? text : shown;
}
