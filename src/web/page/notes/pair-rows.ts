import { diffLines } from "../text/diff.ts";

interface PairedRow {
  readonly left?: { readonly line: number; readonly text: string };
  readonly right?: { readonly line: number; readonly text: string };
  readonly isSame: boolean;
}

/** Two versions side by side: equal lines are aligned, and so are replaced lines. */
export function pairRows(left: readonly string[], right: readonly string[]): PairedRow[] {
  const rows: PairedRow[] = [];
  /** The rows of the last removed lines, waiting for the lines that replace them. */
  let open = 0;
  for (const { kind, text, left: leftLine, right: rightLine } of diffLines(left, right)) {
    if (kind === "removed") rows.push({ left: { line: leftLine!, text }, isSame: false });
    else if (kind === "added" && open < rows.length) {
      rows[open] = { ...rows[open]!, right: { line: rightLine!, text } };
      open++;
    } else if (kind === "added") {
      rows.push({ right: { line: rightLine!, text }, isSame: false });
      open = rows.length;
    } else {
      rows.push({ left: { line: leftLine!, text }, right: { line: rightLine!, text }, isSame: true });
      open = rows.length;
    }
  }
  return rows;
}
