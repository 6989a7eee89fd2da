/** What is known of a session besides its messages. Fields that are not named here are kept as they are. */
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
  /** The `compactionCount` for which memories were written down. */
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

/** What replaces messages that were compacted away. */
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
