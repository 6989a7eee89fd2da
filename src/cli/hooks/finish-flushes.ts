import { adviceOf } from "../../errors.ts";
import type { HostSession } from "../../flush/flush-transcript.ts";
import type { HookRequest } from "./answers.ts";
import type { HookInput } from "./hook-input.ts";

/** Writes down what earlier hooks had no time for. Nothing here keeps the hook from the rest of its work. */
export async function finishFlushes(
  { flush: load, input, warn }: HookRequest,
  { looksForCompactions }: { looksForCompactions: boolean },
): Promise<void> {
  try {
    const flush = await load();
    const session = sessionOf(input);
    if (session !== null) {
      if (looksForCompactions) flush.oweCompacted(session);
      flush.begin(session);
    }
    const { problems } = await flush.finish();
    for (const problem of problems) warn(problem);
  } catch (error) {
    warn(adviceOf(error));
  }
}

/** Null when the host names no transcript. */
export function sessionOf({ transcriptPath, sessionId }: HookInput): HostSession | null {
  if (transcriptPath === undefined) return null;
  return { transcript: transcriptPath, ...(sessionId !== undefined && { sessionId }) };
}
