export interface VirtualWindow {
  /** First row to draw, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Height that the rows before `first` would take. */
  readonly offsetPx: number;
  readonly totalPx: number;
}

export interface ScrollState {
  readonly count: number;
  readonly rowPx: number;
  readonly scrollPx: number;
  readonly heightPx: number;
  /** Rows to draw beyond each edge, so that a quick scroll does not show a gap. */
  readonly overscan?: number;
}

/** Which rows of a long list have to be in the document. */
export function computeWindow({
  count,
  rowPx,
  scrollPx,
  heightPx,
  overscan = 8,
}: ScrollState): VirtualWindow {
  const totalPx = count * rowPx;
  // A list that has become shorter may still be scrolled to where it was longer.
  const top = Math.min(Math.max(scrollPx, 0), Math.max(totalPx - heightPx, 0));
  const first = Math.max(Math.floor(top / rowPx) - overscan, 0);
  const end = Math.min(Math.ceil((top + heightPx) / rowPx) + overscan, count);
  return { first: Math.min(first, end), end, offsetPx: Math.min(first, end) * rowPx, totalPx };
}

/** Where to scroll so that a row can be seen whole; the present place when it can be already. */
export function scrollToRow(row: number, { rowPx, scrollPx, heightPx }: ScrollState): number {
  const top = row * rowPx;
  if (top < scrollPx) return top;
  if (top + rowPx > scrollPx + heightPx) return top + rowPx - heightPx;
  return scrollPx;
}
