import { useEffect, useRef } from "preact/hooks";
import { formatLineHash, type LineRange } from "../text/line-range.ts";

/**
 * Brings cited lines to where people read, once for each citation: when somebody else changes the text afterwards, the
 * reader stays where they are. `find` gives nothing as long as the lines are not drawn yet.
 */
export function useScrollToCited(cited: LineRange | null, find: () => Element | null | undefined): void {
  const done = useRef("");
  useEffect(() => {
    const wanted = formatLineHash(cited);
    if (wanted === done.current) return;
    const element = cited === null ? null : find();
    if (cited !== null && !element) return;
    done.current = wanted;
    if (element) scrollIntoReading(element);
  });
}

/** Unless it can be seen there already. */
function scrollIntoReading(element: Element): void {
  const { top, bottom } = element.getBoundingClientRect();
  if (top > 120 && bottom < innerHeight - 80) return;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ block: "center", behavior: isStill ? "auto" : "smooth" });
}
