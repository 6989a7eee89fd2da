import { showHidden } from "../../../text/visible.ts";
import type { ApiFailure } from "../api-failure.ts";

/** A message from the server, in which backquotes enclose code. */
export function WithCode({ text }: { text: string }) {
  const parts = showHidden(text).split("`");
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>;
}

/** Why the task of a dialog failed, and what to do. */
export function Problem({ failure }: { failure: ApiFailure | null }) {
  if (failure === null) return null;
  return (
    <p class="problem" role="alert">
      <WithCode text={`${failure.message} ${failure.hint}`} />
    </p>
  );
}
