import type { TranscriptFlush } from "../../flush/flush-transcript.ts";
import type { Memory } from "../../memory/memory.ts";
import type { HookInput } from "./hook-input.ts";

export interface HookRequest {
  readonly memory: Memory;
  readonly input: HookInput;
  /** Key sentences from the host's transcript; loaded on demand. */
  flush(): Promise<TranscriptFlush>;
  /** Shown to the user if the workspace is not trusted. */
  readonly untrusted: string;
  readonly signal: AbortSignal;
  /** Passes text to the host before the rest of the work, in case there is no time for that. */
  print(text: string): void;
  /** What the host gets if there is no time for more. */
  setFallback(text: string): void;
  /** Reports a problem to the user; the host continues. */
  warn(problem: string): void;
}

/** Returns the text for the host's standard output; "" if there is nothing to say. */
export type HookAnswer = (request: HookRequest) => Promise<string>;

interface HookEvent {
  /** The default time limit. `longhand init` lets the host wait a little longer. */
  readonly withinSeconds: number;
  /** Whether it may write what was said to a note. */
  readonly writes: boolean;
  /** Each in its own file, so that a hook loads only what it needs. */
  readonly load: () => Promise<HookAnswer>;
}

export const hookEvents: Readonly<Record<string, HookEvent>> = {
  "session-start": {
    withinSeconds: 5,
    writes: true,
    load: async () => (await import("./session-start.ts")).answerSessionStart,
  },
  "user-prompt": {
    withinSeconds: 5,
    writes: false,
    load: async () => (await import("./user-prompt.ts")).answerUserPrompt,
  },
  // The host waits for this before it compacts, and losing what is not written costs more than the wait.
  "pre-compact": {
    withinSeconds: 9,
    writes: true,
    load: async () => (await import("./pre-compact.ts")).answerPreCompact,
  },
  "session-end": {
    withinSeconds: 2,
    writes: true,
    load: async () => (await import("./session-end.ts")).answerSessionEnd,
  },
};

export function contextFor(hookEventName: string, additionalContext: string): string {
  return answerJson({ hookSpecificOutput: { hookEventName, additionalContext } });
}

/**
 * ASCII only on Windows: Codex and Gemini CLI run hooks with PowerShell, which may decode a program's output with the
 * code page of the machine.
 */
export function answerJson(value: unknown, platform: NodeJS.Platform = process.platform): string {
  const json = JSON.stringify(value);
  if (platform !== "win32") return json;
  const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replace(/[^\0-\x7f]/g, toEscape);
}
