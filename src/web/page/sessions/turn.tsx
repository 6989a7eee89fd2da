import { showHidden } from "../../../text/visible.ts";

/** What somebody said, with the line of the transcript that holds it. */
export function Turn({ line, text, isCited }: { line: number; text: string; isCited: boolean }) {
  const [, speaker = "", said = text] = /^(User|Assistant|Summary): ([\s\S]*)$/.exec(text) ?? [];
  return (
    <li class={isCited ? "turn cited" : "turn"} data-speaker={speaker.toLowerCase()}>
      <a class="number" href={`#L${line}`} aria-label={`Line ${line}`}>
        {line}
      </a>
      {speaker === "" ? null : <strong>{speaker}</strong>}
      <p>{showHidden(said)}</p>
    </li>
  );
}
