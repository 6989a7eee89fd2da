import type { TranscriptFlush } from "../../flush/flush-transcript.ts";
import type { Memory } from "../../memory/memory.ts";
import type { HookInput } from "./hook-input.ts";

export interface HookRequest {
  readonly memory: Memory;
  readonly input: HookInput;
  /** Key sentences of the host's transcript; loaded when it is needed. */
  flush(): Promise<TranscriptFlush>;
  /** Shown to the user if the workspace is not trusted. */
  readonly untrusted: string;
  readonly signal: AbortSignal;
  /** Gives text to the host before the rest of the work, which there may be no time for. */
  print(text: string): void;
  /** What the host gets if there is no time for more. */
  onGivingUp(text: string): void;
  /** Reports a problem to the user; the host continues. */
  warn(problem: string): void;
}

/** Gives the text for the host's standard output; "" when there is nothing to say. */
export type HookAnswer = (request: HookRequest) => Promise<string>;

interface HookEvent {
  /** The default time limit. `longhand init` lets the host wait a little longer. */
  readonly withinSeconds: number;
  /** Each in a file of its own: a hook loads what it needs. */
  readonly load: () => Promise<HookAnswer>;
}

export const hookEvents: Readonly<Record<string, HookEvent>> = {
  "session-start": {
    withinSeconds: 5,
    load: async () => (await import("./session-start.ts")).answerSessionStart,
  },
  "user-prompt": { withinSeconds: 5, load: async () => (await import("./user-prompt.ts")).answerUserPrompt },
  // The host waits for this before it compacts, and what is not written then costs more than the wait.
  "pre-compact": { withinSeconds: 9, load: async () => (await import("./pre-compact.ts")).answerPreCompact },
  "session-end": { withinSeconds: 2, load: async () => (await import("./session-end.ts")).answerSessionEnd },
};

export function contextFor(hookEventName: string, additionalContext: string): string {
  return answerJson({ hookSpecificOutput: { hookEventName, additionalContext } });
}

/**
 * On Windows without a letter beyond ASCII: Codex and Gemini CLI run hooks with PowerShell, which may take what a program
 * prints for text in the code page of the machine.
 */
export function answerJson(value: unknown, platform: NodeJS.Platform = process.platform): string {
  const json = JSON.stringify(value);
  if (platform !== "win32") return json;
  const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replace(/[^\0-\x7f]/g, toEscape);
}
