/** The lines around one, with blank lines in place of those before it, so that each keeps its number. */
export function excerptAround(lines: readonly string[], line: number, around: number): string {
  const first = Math.max(0, line - 1 - around);
  return [...Array.from({ length: first }, () => ""), ...lines.slice(first, line + around)].join("\n");
}
