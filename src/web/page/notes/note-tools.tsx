import { Icon } from "../parts/icon.tsx";
import { tell } from "../state/toasts.ts";
import { formatLineHash, type LineRange } from "../text/line-range.ts";

export type ReadingMode = "read" | "source" | "edit";

interface NoteToolsProps {
  readonly path: string;
  readonly mode: ReadingMode;
  readonly chosen: LineRange | null;
  readonly isUnsaved: boolean;
  /** Why the note cannot be changed; absent when it can. */
  readonly readOnly: string | undefined;
  /** It can be read and forgotten, but not edited here. */
  readonly isTooLarge: boolean;
  readonly onMode: (mode: ReadingMode) => void;
  readonly onForget: () => void;
}

const modes: readonly { value: ReadingMode; name: string }[] = [
  { value: "read", name: "Read" },
  { value: "source", name: "Source" },
  { value: "edit", name: "Edit" },
];

export function NoteTools(props: NoteToolsProps) {
  const { path, mode, chosen, isUnsaved, readOnly, isTooLarge, onMode, onForget } = props;
  const citation = `${path}${formatLineHash(chosen)}`;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(citation);
      tell(`Copied ${citation}`);
    } catch {
      tell(`This browser does not let the page copy. The citation is ${citation}`);
    }
  };
  return (
    <div class="note-tools">
      <fieldset class="choice">
        <legend class="seen-by-none">How to show the note</legend>
        {modes.map(({ value, name }) => (
          <label key={value}>
            <input
              type="radio"
              name="mode"
              checked={mode === value}
              disabled={value === "edit" && (readOnly !== undefined || isTooLarge)}
              onChange={() => onMode(value)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      {readOnly === undefined ? null : <span class="faint">{readOnly}</span>}
      {isTooLarge ? <span class="faint">It is too large to be edited here.</span> : null}
      {isUnsaved && mode !== "edit" ? <span class="flag">unsaved changes</span> : null}
      <span class="tools-end">
        <button type="button" class="quiet" onClick={copy}>
          <Icon name="copy" />
          Copy citation{chosen === null ? "" : ` ${formatLineHash(chosen).slice(1).replace("-L", "–")}`}
        </button>
        <button
          type="button"
          class="quiet danger"
          onClick={onForget}
          disabled={mode === "edit" || readOnly !== undefined}
        >
          Forget {chosen === null ? "…" : "lines …"}
        </button>
      </span>
    </div>
  );
}
