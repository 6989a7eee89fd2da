/**
 * `%% a comment %%`, as Obsidian hides it. Over several lines only from the beginning of a line; `for %%i in …` of a
 * batch file is none.
 */
const comment = /(?<!\S)%%[^%]*(?:%(?!%)[^%]*)*%%(?![^\s.,;:!?)])[ \t]?/g;

/**
 * A part of a note without its comments, for display only: notes are searched and quoted whole. With `blank`, spaces
 * take their place, so that positions stay the same. A text of comments alone stays as it is.
 */
export function hideComments(text: string, { blank = false } = {}): string {
  if (!text.includes("%%")) return text;
  const shown = text.replace(comment, (found, at: number) => {
    if (found.includes("\n") && !/(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 80), at))) return found;
    return found.replace(/[^\n]/g, blank ? " " : "");
  });
  return shown.trim() === "" ? text : shown;
}
