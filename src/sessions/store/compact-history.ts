import { LonghandError } from "../../errors.ts";
import type { StoredHistory } from "./history-file.ts";
import type { SessionMessage } from "./session-entry.ts";

export interface CompactRequest {
  /** What will stand for the messages that go. */
  readonly summary: string;
  /** How many of the last messages stay. */
  readonly keepLast: number;
}

/** Replaces all but the last messages by their summary; the history itself when there is nothing to replace. */
export function compactHistory(history: StoredHistory, request: CompactRequest, now: number): StoredHistory {
  const { messages } = history;
  const count = countCompacted(messages, request.keepLast);
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
function countCompacted(messages: readonly SessionMessage[], keepLast: number): number {
  if (!Number.isInteger(keepLast) || keepLast < 0) {
    throw new LonghandError("session-invalid", `keepLast cannot be ${keepLast}.`, {
      hint: "Give the number of messages to keep, 0 or more.",
    });
  }
  let count = Math.max(0, messages.length - keepLast);
  while (count > 0 && count < messages.length && messages[count]?.role === "tool") count--;
  return count;
}

function checkSummary(summary: unknown): string {
  if (typeof summary === "string" && summary.trim() !== "") return summary;
  throw new LonghandError("session-invalid", "A history cannot be compacted into an empty summary.", {
    hint: "Give the summary that stands for the messages.",
  });
}
