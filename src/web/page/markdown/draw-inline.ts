import { renderInline } from "./render-inline.ts";
import { sanitise } from "./sanitise.ts";

/** One line of a note as DOM nodes. */
export function drawInline(text: string, marks: readonly (readonly [number, number])[]): DocumentFragment {
  return sanitise(renderInline(text, marks));
}
