/** What a transcript can be recognised as. */
export type FormatName =
  | "openclaw"
  | "longhand"
  | "claude-code"
  | "codex"
  | "gemini"
  | "gemini-jsonl"
  | "chatgpt"
  | "claude-export"
  | "opencode"
  | "plain";

export type Role = "user" | "assistant" | "summary";

/** One thing that was said. */
export interface Turn {
  readonly role: Role;
  readonly text: string;
  /** Milliseconds since 1970; absent when the transcript does not say. */
  readonly at?: number;
  /** 1-based: the line of the file, or the number of the message where a file is one large value. */
  readonly line: number;
}

/** What one line of a transcript says. */
export type LineOutcome =
  | {
      readonly kind: "turn";
      readonly role: Role;
      readonly text: string;
      readonly at?: number;
      /** A summary that only names a conversation: nothing was compacted where it stands. */
      readonly isTitle?: true;
      /** Of the message; a later line with the same id and text says nothing new. */
      readonly id?: string;
    }
  /** A run that nobody asked for (heartbeat, schedule): it is left out, and so are the answers to it. */
  | { readonly kind: "automatic" }
  /** This and all that follows is no conversation of the user: the whole session belongs to a clock or to the program. */
  | { readonly kind: "excluded" }
  /** Nothing that was said: tools, thoughts, settings. */
  | { readonly kind: "other"; readonly at?: number }
  | { readonly kind: "malformed" };

export type Fields = Readonly<Record<string, unknown>>;

/** A format with one JSON value a line, which grows at its end. */
export interface LineFormat {
  readonly name: FormatName;
  /** True only for lines that no other format has. */
  recognises(line: Fields): boolean;
  read(line: Fields): LineOutcome;
}

/** A format that is one JSON value. */
export interface ValueFormat {
  readonly name: FormatName;
  recognises(value: unknown): boolean;
  read(value: unknown): ReadTurns;
}

export interface ReadTurns {
  readonly turns: Turn[];
  readonly malformed: number;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A moment in ISO 8601, in milliseconds, or in seconds (as some exports write it). */
export function toMoment(value: unknown): number | undefined {
  const number = typeof value === "string" ? Date.parse(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number <= 0) return undefined;
  const ms = typeof value === "number" && value < 100_000_000_000 ? number * 1000 : number;
  // What no calendar day can be made of is no moment.
  return ms < 253_402_300_800_000 ? Math.trunc(ms) : undefined;
}

export function timed(at: number | undefined): { at?: number } {
  return at === undefined ? {} : { at };
}
