import { showHidden } from "../../../text/visible.ts";
import { cutIntoParts } from "../text/marked-parts.ts";

/** Text of a note with some stretches of it marked. Cut first and shown after, because showing changes lengths. */
export function Marked({ text, ranges }: { text: string; ranges: readonly (readonly [number, number])[] }) {
  return (
    <>
      {cutIntoParts(text, ranges).map(({ text: part, isMarked }, index) =>
        isMarked ? <mark key={index}>{showHidden(part)}</mark> : showHidden(part),
      )}
    </>
  );
}
