import { useEffect, useRef } from "preact/hooks";
import { formatLineHash, type LineRange } from "../text/line-range.ts";

/**
 * Scrolls to the cited lines once per citation: if the text changes later, the reader's position stays. `find` returns
 * null until the lines are rendered.
 */
export function useScrollToCited(cited: LineRange | null, find: () => Element | null | undefined): void {
  const done = useRef("");
  useEffect(() => {
    const citation = formatLineHash(cited);
    if (citation === done.current) return;
    const element = cited === null ? null : find();
    if (cited !== null && !element) return;
    done.current = citation;
    if (element) scrollIntoReading(element);
  });
}

/** Unless it is visible already. */
function scrollIntoReading(element: Element): void {
  const { top, bottom } = element.getBoundingClientRect();
  if (top > 120 && bottom < innerHeight - 80) return;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ block: "center", behavior: isStill ? "auto" : "smooth" });
}
