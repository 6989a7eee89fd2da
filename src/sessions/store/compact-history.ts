import { isDeepStrictEqual } from "node:util";
import { LonghandError } from "../../errors.ts";
import type { StoredHistory } from "./history-file.ts";
import type { SessionMessage } from "./session-entry.ts";

export interface CompactRequest {
  /** What replaces the messages that go. */
  readonly summary: string;
  /** How many of the last messages stay: of those in `seen`, or else of those that are there by now. */
  readonly keepLast: number;
  /**
   * What the summary was made of, as `history` gave it. Writing one takes a while, and what was appended meanwhile is
   * not in it and stays. A history that begins otherwise by now is left alone, with `session-invalid`.
   */
  readonly seen?: { readonly messages: readonly SessionMessage[] };
}

/** Replaces all but the last messages by their summary; the history itself when there is nothing to replace. */
export function compactHistory(history: StoredHistory, request: CompactRequest, now: number): StoredHistory {
  const { messages } = history;
  const count = countCompacted(messages, request);
  if (count === 0) return history;
  return {
    ...history,
    updatedAt: Math.max(now, history.updatedAt),
    messages: messages.slice(count),
    compactedHistory: [
      ...history.compactedHistory,
      {
        role: "system",
        content: checkSummary(request.summary),
        compactedAt: now,
        originalMessageCount: count,
      },
    ],
  };
}

/**
 * How many messages from the beginning are compacted away. An answer of a tool is nothing without the message that
 * called it, so the kept part never begins with one.
 */
function countCompacted(
  messages: readonly SessionMessage[],
  { keepLast, seen = { messages } }: CompactRequest,
): number {
  if (!Number.isInteger(keepLast) || keepLast < 0) {
    throw new LonghandError("session-invalid", `keepLast cannot be ${keepLast}.`, {
      hint: "Give the number of messages to keep, 0 or more.",
    });
  }
  const seenCount = seen.messages.length;
  if (!isDeepStrictEqual(messages.slice(0, seenCount), seen.messages)) throw refuseSeen();
  let count = Math.max(0, seenCount - keepLast);
  while (count > 0 && count < messages.length && messages[count]?.role === "tool") count--;
  return count;
}

function refuseSeen(): LonghandError {
  return new LonghandError(
    "session-invalid",
    "A history cannot be compacted: its messages are not those that were summarised.",
    { hint: "Read it again with `history`, and summarise what is there now." },
  );
}

function checkSummary(summary: unknown): string {
  if (typeof summary === "string" && summary.trim() !== "") return summary;
  throw new LonghandError("session-invalid", "A history cannot be compacted into an empty summary.", {
    hint: "Give the summary that stands for the messages.",
  });
}
