import { isDeepStrictEqual } from "node:util";
import { LonghandError } from "../../errors.ts";
import { type Fields, isFields } from "../../text/fields.ts";
import type { CompactedPart, SessionHistory, SessionMessage } from "./session-store.ts";

/** A history file: what `history()` returns, and its session key, so that a lost registry can be rebuilt. */
export interface StoredHistory extends SessionHistory {
  readonly sessionKey?: string;
}

/** Reads a history of this version or the one before, or a bare list of messages; null for anything else. */
export function toHistory(value: unknown, sessionId: string): StoredHistory | null {
  const fields: Fields | null = Array.isArray(value) ? { messages: value } : isFields(value) ? value : null;
  if (fields === null) return null;
  const { version = 1, messages = [], compactedHistory = [] } = fields;
  if (typeof version === "number" && version > 2) throw refuseNewer(sessionId, version);
  if (!Array.isArray(messages) || !Array.isArray(compactedHistory)) return null;
  const times = (messages as { timestamp?: unknown }[])
    .map((message) => toMoment(message?.timestamp))
    .filter((at) => at !== null);
  const createdAt = toMoment(fields["createdAt"]) ?? times[0] ?? 0;
  return {
    ...fields,
    sessionId: typeof fields["sessionId"] === "string" ? fields["sessionId"] : sessionId,
    version: 2,
    createdAt,
    updatedAt: toMoment(fields["updatedAt"]) ?? times.at(-1) ?? createdAt,
    messages: messages as SessionMessage[],
    compactedHistory: compactedHistory as CompactedPart[],
  };
}

export function emptyHistory(key: string, sessionId: string, now: number): StoredHistory {
  return {
    sessionId,
    sessionKey: key,
    version: 2,
    createdAt: now,
    updatedAt: now,
    messages: [],
    compactedHistory: [],
  };
}

/** One message a line, for readable diffs in version control. */
export function formatHistory(history: Fields): string {
  const fields = Object.entries(history).map(([name, value]) => {
    const isList = Array.isArray(value) && value.length > 0;
    const written = isList
      ? `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(",\n")}\n  ]`
      : JSON.stringify(value);
    return `  ${JSON.stringify(name)}: ${written}`;
  });
  return `{\n${fields.join(",\n")}\n}\n`;
}

/** The message as it will be stored. */
export function checkMessage(message: unknown, now: number): SessionMessage {
  const { role, content, timestamp } = isFields(message) ? message : {};
  const isText = typeof content === "string" || Array.isArray(content);
  if (!["user", "assistant", "tool", "system"].includes(role as string) || !isText) {
    const what = isText
      ? `its role is ${JSON.stringify(role)}`
      : "its content is neither text nor a list of blocks";
    throw new LonghandError("session-invalid", `The message cannot be kept: ${what}.`, {
      hint: "Give {role, content} with the role user, assistant, tool or system.",
    });
  }
  const isTimed =
    typeof timestamp === "string" || (typeof timestamp === "number" && Number.isFinite(timestamp));
  return { ...(message as SessionMessage), timestamp: isTimed ? timestamp : now };
}

function toMoment(value: unknown): number | null {
  const moment = typeof value === "string" ? Date.parse(value) : value;
  return typeof moment === "number" && Number.isFinite(moment) ? moment : null;
}

function refuseNewer(sessionId: string, version: number): LonghandError {
  return new LonghandError(
    "session-unusable",
    `The history of session ${sessionId} has version ${version}, and this longhand knows 2. It is left alone.`,
    { hint: "Use the newer longhand that wrote it." },
  );
}

export interface CompactRequest {
  /** Replaces the messages that are compacted. */
  readonly summary: string;
  /** How many of the last messages are kept: of those in `seen`, or else of the current ones. */
  readonly keepLast: number;
  /**
   * What the summary was made of, as `history` returned it. Messages that were appended meanwhile are not in the summary
   * and stay. If the history no longer begins with these messages, it is left alone, with `session-invalid`. Null, of a
   * session that did not exist yet, stands for no messages.
   */
  readonly seen?: { readonly messages: readonly SessionMessage[] } | null;
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
 * How many messages from the beginning are compacted. A tool result is meaningless without the message that called the
 * tool, so the kept part never begins with one.
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
  const seenMessages = seen?.messages ?? [];
  const seenCount = seenMessages.length;
  if (!isDeepStrictEqual(messages.slice(0, seenCount), seenMessages)) throw refuseSeen();
  let count = Math.max(0, seenCount - keepLast);
  while (count > 0 && count < messages.length && messages[count]?.role === "tool") count--;
  return count;
}

function refuseSeen(): LonghandError {
  return new LonghandError(
    "session-invalid",
    "A history cannot be compacted: its messages are not those that were summarised.",
    { hint: "Read it again with `history`, and summarise the current messages." },
  );
}

function checkSummary(summary: unknown): string {
  if (typeof summary === "string" && summary.trim() !== "") return summary;
  throw new LonghandError("session-invalid", "A history cannot be compacted into an empty summary.", {
    hint: "Give the summary that replaces the messages.",
  });
}
