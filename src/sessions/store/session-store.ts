import { LonghandError } from "../../errors.ts";
import { isGroupSession } from "../../text/session-key.ts";
import type { CompactRequest } from "./history-file.ts";

export type ListedSession = SessionEntry & { readonly key: string };

/** A damaged file, and where it was moved. */
export interface SessionRepair {
  readonly path: string;
  readonly movedTo: string;
  readonly reason: string;
}

/** Before its first update, an entry has no id and no time. */
export type EntryDraft = Partial<SessionEntry>;

/** Called again with the current entry if another program saved the file without the lock. */
export type EntryChange = (entry: EntryDraft) => EntryDraft | Promise<EntryDraft>;

/** Conversations that longhand stores for a host. Every change is on disk when its promise resolves. */
export interface SessionStore {
  /** The latest first. */
  list(): Promise<ListedSession[]>;
  get(key: string): Promise<SessionEntry | null>;
  /** Changes an entry atomically; a missing one is created with a new id. */
  update(key: string, change: EntryChange): Promise<SessionEntry>;
  /** Appends a message to the history, and creates the session when it is missing. */
  append(key: string, message: NewMessage): Promise<SessionHistory>;
  /** Replaces all but the last messages by a summary and counts the compaction. */
  compact(key: string, request: CompactRequest): Promise<SessionHistory>;
  /** null when there is no such session; a session without a message has an empty history. */
  history(key: string): Promise<SessionHistory | null>;
  /** The damaged files that were quarantined since the store was opened. */
  readonly repairs: readonly SessionRepair[];
}

export type NewMessage = Omit<SessionMessage, "timestamp"> & { readonly timestamp?: number | string };

/** The metadata of a session. Unknown fields are kept. */
export interface SessionEntry {
  /** Names the file of the history; a new one begins a new history. */
  readonly sessionId: string;
  /** The history, relative to the folder of the sessions. */
  readonly sessionFile?: string;
  /** Milliseconds since 1970; never goes back, whatever the clock does. */
  readonly updatedAt: number;

  readonly channel?: string;
  readonly origin?: unknown;
  readonly deliveryContext?: unknown;

  readonly modelOverride?: string;
  readonly providerOverride?: string;
  readonly thinkingLevel?: string;
  readonly authProfileOverride?: string;

  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly compactionCount?: number;
  /** Milliseconds since 1970. */
  readonly memoryFlushAt?: number;
  /** The `compactionCount` at the last flush. */
  readonly memoryFlushCompactionCount?: number;

  readonly skillsSnapshot?: SkillsSnapshot;
  readonly systemPromptReport?: SystemPromptReport;

  readonly groupActivation?: "mention" | "always";
  readonly groupId?: string;

  readonly execHost?: string;
  readonly execSecurity?: string;
  readonly execNode?: string;

  readonly responseUsage?: string;
  readonly ttsAuto?: string | boolean;

  readonly queueMode?: "steer" | "followup" | "collect" | "interrupt";
  readonly queueDebounceMs?: number;
  readonly queueCap?: number;
  readonly queueDrop?: "old" | "new" | "summarize";

  readonly [field: string]: unknown;
}

export interface SkillsSnapshot {
  readonly prompt: string;
  readonly skills: readonly { readonly name: string; readonly primaryEnv?: string }[];
  readonly resolvedSkills?: readonly unknown[];
  readonly version?: number;
}

export interface SystemPromptReport {
  readonly source: "run" | "estimate";
  readonly generatedAt: number;
  readonly provider?: string;
  readonly model?: string;
  readonly workspaceDir?: string;
  readonly systemPrompt: {
    readonly chars: number;
    readonly projectContextChars: number;
    readonly nonProjectContextChars: number;
  };
  readonly injectedWorkspaceFiles: readonly {
    readonly name: string;
    readonly path: string;
    readonly missing: boolean;
    readonly rawChars: number;
    readonly injectedChars: number;
    readonly truncated: boolean;
  }[];
}

export interface SessionMessage {
  readonly role: "user" | "assistant" | "tool" | "system";
  /** Text, or blocks such as `{type: "text", text}`. */
  readonly content: string | readonly unknown[];
  /** Milliseconds since 1970, or an ISO date. */
  readonly timestamp: number | string;
  readonly usage?: unknown;
  readonly thinkingBlocks?: readonly unknown[];
  readonly toolCalls?: readonly unknown[];
  readonly toolCallId?: string;
  readonly name?: string;
  readonly [field: string]: unknown;
}

/** The message that replaces compacted ones. */
export interface CompactedPart {
  readonly role: SessionMessage["role"];
  readonly content: string;
  readonly compactedAt: number;
  readonly originalMessageCount: number;
}

export interface SessionHistory {
  readonly sessionId: string;
  readonly version: 2;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly messages: readonly SessionMessage[];
  /** Oldest first. */
  readonly compactedHistory: readonly CompactedPart[];
  readonly [field: string]: unknown;
}

/**
 * The history file of a session, relative to the sessions folder. A session that later becomes a group session keeps
 * its file; any other path is ignored.
 */
export function historyPath(
  key: string,
  entry: { readonly sessionId: string; readonly sessionFile?: unknown; readonly groupId?: unknown },
): string {
  const [chat, group] = [`chats/${entry.sessionId}.json5`, `groups/${entry.sessionId}.json5`];
  if (entry.sessionFile === chat || entry.sessionFile === group) return entry.sessionFile as string;
  return isGroup(key, entry) ? group : chat;
}

/** Ids are file names, so they must be safe on every system. */
export function isSessionId(id: unknown): id is string {
  return (
    typeof id === "string" &&
    id.length <= 128 &&
    /^[A-Za-z0-9_-][A-Za-z0-9._@-]*$/.test(id) &&
    !id.endsWith(".")
  );
}

export function checkSessionId(id: unknown): string {
  if (isSessionId(id)) return id;
  throw new LonghandError("session-invalid", `A session cannot have the id ${JSON.stringify(id)}.`, {
    hint: "Use at most 128 letters, digits, dots, dashes and underscores, or omit the id to get a new one.",
  });
}

export function checkSessionKey(key: unknown): string {
  if (typeof key === "string" && key !== "" && key.length <= 512 && !/\p{Cc}/u.test(key)) return key;
  const shown = typeof key === "string" && key.length > 80 ? `${key.slice(0, 80)}…` : key;
  throw new LonghandError("session-invalid", `${JSON.stringify(shown)} is not a session key.`, {
    hint: "Use a text such as agent:main:main, of at most 512 characters and without control characters.",
  });
}

function isGroup(key: string, { groupId }: { readonly groupId?: unknown }): boolean {
  return (groupId !== undefined && groupId !== null) || isGroupSession(key);
}
