import { adviceOf } from "../../errors.ts";
import type { HostSession } from "../../flush/flush-transcript.ts";
import type { HookRequest } from "./answers.ts";
import type { HookInput } from "./hook-input.ts";

/**
 * Completes flushes that earlier hooks had no time for, and returns whether the notes have changed. Nothing here keeps
 * the hook from the rest of its work.
 */
export async function finishFlushes(
  { flush: load, input, warn }: HookRequest,
  { detectsCompactions }: { detectsCompactions: boolean },
): Promise<boolean> {
  try {
    const flush = await load();
    const session = sessionOf(input);
    if (session !== null) {
      if (detectsCompactions) flush.markCompactedPending(session);
      flush.begin(session);
    }
    const { written, problems } = await flush.finish();
    for (const problem of problems) warn(problem);
    return written.length > 0;
  } catch (error) {
    warn(adviceOf(error));
    return false;
  }
}

/** Null if the host names no transcript. */
export function sessionOf({ transcriptPath, sessionId, isCopy }: HookInput): HostSession | null {
  if (transcriptPath === undefined) return null;
  return {
    transcript: transcriptPath,
    ...(sessionId !== undefined && { sessionId }),
    ...(isCopy && { isCopy }),
  };
}
