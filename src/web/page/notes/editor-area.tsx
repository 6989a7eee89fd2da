import { useLayoutEffect, useRef } from "preact/hooks";
import { startOfLine } from "../text/line-range.ts";

interface EditorAreaProps {
  readonly label: string;
  readonly text: string;
  /** Where the cursor begins; the top otherwise. */
  readonly line: number | null;
  readonly onInput: (text: string) => void;
  readonly onSave: () => void;
}

/** Up to here every line has its number; drawing more of them at each key would be felt. */
const maxNumberedLines = 3000;
const maxNumberedChars = 200_000;

/**
 * A text area that wraps its lines and grows with them, so that only the page scrolls. Behind it the same lines stand
 * unseen, in the same letters and the same width: they give the area its height, and each line its number.
 */
export function EditorArea({ label, text, line, onInput, onSave }: EditorAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const mirror = useRef<HTMLDivElement>(null);
  const lines = text.split("\n");
  const isNumbered = lines.length <= maxNumberedLines && text.length <= maxNumberedChars;
  useLayoutEffect(() => {
    const element = area.current!;
    const at = startOfLine(text, line ?? 1);
    element.setSelectionRange(at, at);
    element.focus({ preventScroll: true });
    if (line === null) scrollTo(0, 0);
    else mirror.current?.children[line - 1]?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <div class={isNumbered ? "paper editing" : "paper editing long"}>
      {isNumbered ? (
        <div ref={mirror} class="editor-mirror" aria-hidden="true">
          {lines.map((content, index) => (
            <div key={index} data-number={index + 1}>
              {content === "" ? " " : content}
            </div>
          ))}
        </div>
      ) : null}
      <textarea
        ref={area}
        aria-label={label}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onKeyDown={(event) => {
          const isSave = event.key === "s" || event.key === "Enter";
          if (!isSave || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSave();
        }}
      />
    </div>
  );
}
