import { adviceOf } from "../../errors.ts";
import type { HookAnswer, HookRequest } from "./answers.ts";
import { sessionOf } from "./hook-input.ts";

export const answerSessionEnd: HookAnswer = async (request) => {
  const { memory, signal, warn } = request;
  await finishFlushes(request, { detectsCompactions: true });
  const { failed } = await memory.sync({ signal });
  for (const { path, message } of failed) warn(`${path}: ${message}`);
  return "";
};

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
