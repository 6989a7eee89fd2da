interface VirtualWindow {
  /** The first row to render, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** The height of the rows before `first`. */
  readonly offsetPx: number;
  readonly totalPx: number;
}

interface ScrollState {
  readonly count: number;
  readonly rowPx: number;
  readonly scrollPx: number;
  readonly heightPx: number;
  /** Rows rendered beyond each edge, so that a quick scroll shows no gap. */
  readonly overscan?: number;
}

/** Which rows of a virtual list have to be rendered. */
export function computeWindow({
  count,
  rowPx,
  scrollPx,
  heightPx,
  overscan = 8,
}: ScrollState): VirtualWindow {
  const totalPx = count * rowPx;
  // A list that has become shorter may still have its old scroll position.
  const top = Math.min(Math.max(scrollPx, 0), Math.max(totalPx - heightPx, 0));
  const first = Math.max(Math.floor(top / rowPx) - overscan, 0);
  const end = Math.min(Math.ceil((top + heightPx) / rowPx) + overscan, count);
  return { first: Math.min(first, end), end, offsetPx: Math.min(first, end) * rowPx, totalPx };
}

/** The scroll position at which a row is fully visible; unchanged if it already is. */
export function scrollToRow(row: number, { rowPx, scrollPx, heightPx }: ScrollState): number {
  const top = row * rowPx;
  if (top < scrollPx) return top;
  if (top + rowPx > scrollPx + heightPx) return top + rowPx - heightPx;
  return scrollPx;
}
