import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { computeWindow, scrollToRow } from "./virtual-window.ts";

interface VirtualListProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly rowPx: number;
  readonly draw: (row: T) => ComponentChildren;
  /** A row to scroll to when the list appears; negative for none. */
  readonly shownRow?: number;
}

/** A virtual list: only the rows around the viewport are rendered. */
export function VirtualList<T extends { readonly key: string }>(props: VirtualListProps<T>) {
  const { label, rows, rowPx, draw, shownRow = -1 } = props;
  const box = useRef<HTMLDivElement>(null);
  const scrollPx = useSignal(0);
  const heightPx = useSignal(600);
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => {
      heightPx.value = element.clientHeight;
    });
    observer.observe(element);
    heightPx.value = element.clientHeight;
    return () => observer.disconnect();
  }, [heightPx]);
  useEffect(() => {
    if (shownRow < 0 || box.current === null) return;
    box.current.scrollTop = scrollToRow(shownRow, {
      count: rows.length,
      rowPx,
      scrollPx: box.current.scrollTop,
      heightPx: box.current.clientHeight,
    });
  }, [shownRow, rowPx, rows.length]);

  const state = { count: rows.length, rowPx, scrollPx: scrollPx.value, heightPx: heightPx.value };
  const { first, end, offsetPx, totalPx } = computeWindow(state);
  return (
    <div
      ref={box}
      class="virtual-list"
      onScroll={({ currentTarget }) => {
        scrollPx.value = currentTarget.scrollTop;
      }}
    >
      <div style={{ height: `${totalPx}px` }}>
        <ul aria-label={label} style={{ transform: `translateY(${offsetPx}px)` }}>
          {rows.slice(first, end).map((row, index) => (
            <li key={row.key} aria-setsize={rows.length} aria-posinset={first + index + 1}>
              {draw(row)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
