import type { RecallAnswer } from "../entries/entries.ts";
import { checkArgument, checkMemory } from "../memory/check-options.ts";
import type { Memory } from "../memory/memory.ts";
import { fitRecall, renderRecall } from "./entry-tools.ts";

export interface RecallForPromptOptions {
  readonly sessionKey?: string | undefined;
  readonly limit?: number | undefined;
  /** The maximum number of characters; by default the size limit of a tool's result. */
  readonly maxChars?: number | undefined;
  /** Called with anything that went wrong. */
  readonly onDegraded?: (reason: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** A prompt may contain a pasted file; the question is at its beginning. */
const maxQueryChars = 2000;
/** Unasked, only a certain match is worth the space. */
const minScore = 0.4;

/**
 * The stored facts that match a user's prompt, as text to put before a model: fenced and labelled as data. Empty if
 * nothing matches, in a session that others can read, and without the entries plugin.
 */
export async function recallForPrompt(
  memory: Pick<Memory, "entries" | "limits" | "workspace">,
  prompt: string,
  options: RecallForPromptOptions = {},
): Promise<string> {
  checkMemory("recallForPrompt", memory as Memory);
  checkArgument("recallForPrompt", { name: "prompt", kind: "a string" }, prompt);
  const { sessionKey, limit, maxChars = memory.limits.maxInjectedChars, onDegraded, signal } = options;
  const query = prompt.trim().slice(0, maxQueryChars);
  if (memory.entries === null || query === "") return "";
  const answer: RecallAnswer = await memory.entries.recall(query, {
    minScore,
    limit,
    sessionKey,
    signal,
  });
  for (const reason of answer.degraded) onDegraded?.(reason);
  const head = "Facts that were stored earlier and may fit the prompt.";
  const { isTrusted } = memory.workspace;
  const shown = fitRecall({ ...answer, degraded: [] }, maxChars - head.length - 1, isTrusted);
  return shown.results.length === 0 ? "" : `${head} ${renderRecall(shown, isTrusted)}`;
}
