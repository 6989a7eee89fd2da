interface Lines {
  readonly startLine: number;
  readonly endLine: number;
}

/** `line 4` or `lines 4-6`. */
export function linesOf({ startLine, endLine }: Lines): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

/** `memory/tea.md:4` or `memory/tea.md:4-6`, as commands take it. */
export function placeOf({ path, startLine, endLine }: Lines & { readonly path: string }): string {
  return `${path}:${endLine > startLine ? `${startLine}-${endLine}` : startLine}`;
}
