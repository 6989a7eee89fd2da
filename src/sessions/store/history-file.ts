import { LonghandError } from "../../errors.ts";
import type { Fields } from "./json5-file.ts";
import type { CompactedPart, SessionHistory, SessionMessage } from "./session-entry.ts";

/** The file of a history: what `history()` shows, and whose it is, so that a lost registry can be made again. */
export interface StoredHistory extends SessionHistory {
  readonly sessionKey?: string;
}

/** Understands a history of this version, of the one before it, and a bare list of messages; null when it is none. */
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

/** One message a line, so that version control shows what was said. */
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

/** The message as it will be kept. */
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

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
