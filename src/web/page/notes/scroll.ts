/** Brings an element to where people read, unless it can be seen there already. */
export function scrollIntoReading(element: Element | null | undefined): void {
  if (!element) return;
  const { top, bottom } = element.getBoundingClientRect();
  if (top > 120 && bottom < innerHeight - 80) return;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ block: "center", behavior: isStill ? "auto" : "smooth" });
}
