import { showHidden } from "../../../text/visible.ts";

/** A message from the server, in which backquotes enclose code. */
export function WithCode({ text }: { text: string }) {
  const parts = showHidden(text).split("`");
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>;
}
