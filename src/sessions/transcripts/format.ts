import { type Fields, fieldsOf, isFields } from "../../text/fields.ts";
import { parseJson } from "../../text/parse-json.ts";
import { isAutomatic } from "./automatic.ts";

/** The known transcript formats. */
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

/** One message of a conversation. */
export interface Turn {
  readonly role: Role;
  readonly text: string;
  /** Milliseconds since 1970; absent if the transcript does not say. */
  readonly at?: number;
  /** 1-based: the line of the file, or the number of the message where a file is one large value. */
  readonly line: number;
}

/** The meaning of one line of a transcript. */
export type LineOutcome =
  | {
      readonly kind: "turn";
      readonly role: Role;
      readonly text: string;
      readonly at?: number;
      /** A summary that only names a conversation, without a compaction. */
      readonly isTitle?: true;
      /** Of the message; a later line with the same id and text is a duplicate. */
      readonly id?: string;
    }
  /** A scheduled run (heartbeat, cron): it is skipped with its answers. */
  | { readonly kind: "automatic" }
  /** This line and the rest of the session belong to a schedule or to the program, not to the user. */
  | { readonly kind: "excluded" }
  /** Not part of the conversation: tools, thoughts, settings. */
  | { readonly kind: "other"; readonly at?: number }
  | { readonly kind: "malformed" };

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

/** The value of a line; null for a blank one, undefined for one that is not JSON. */
export function parseLine(line: string): unknown {
  // A byte-order mark counts as white space.
  const text = line.trim();
  return text === "" ? null : (parseJson(text) ?? undefined);
}

/** A timestamp in ISO 8601, in milliseconds, or in seconds (in some exports). */
export function toMoment(value: unknown): number | undefined {
  const number = typeof value === "string" ? Date.parse(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number <= 0) return undefined;
  const ms = typeof value === "number" && value < 100_000_000_000 ? number * 1000 : number;
  // Later timestamps have no calendar date.
  return ms < 253_402_300_800_000 ? Math.trunc(ms) : undefined;
}

export function timed(at: number | undefined): { at?: number } {
  return at === undefined ? {} : { at };
}

export function turnOf(role: Role, text: string, at: number | undefined): LineOutcome {
  return { kind: "turn", role, text, ...timed(at) };
}

/** A message of a scheduled run, which is skipped with the answers to it. */
export function automaticOf(role: unknown): LineOutcome {
  return role === "user" ? { kind: "automatic" } : { kind: "other" };
}

export function otherAt(at: number | undefined): LineOutcome {
  return { kind: "other", ...timed(at) };
}

/**
 * The messages of a file that is one value, numbered from `first`. The role of a message is null if it is not part of
 * the conversation, undefined if it is malformed.
 */
export function readMessages(
  messages: readonly unknown[],
  first: number,
  roleOf: (message: Fields) => "user" | "assistant" | null | undefined,
): ReadTurns {
  const turns: Turn[] = [];
  let malformed = 0;
  let isMuted = false;
  for (const [index, given] of messages.entries()) {
    const message = fieldsOf(given);
    const role = roleOf(message);
    if (role === null) continue;
    const text = textOfContent(message["content"]);
    if (role === undefined || text === null) {
      malformed++;
      continue;
    }
    if (role === "user") isMuted = isAutomatic(message);
    if (!isMuted) turns.push({ role, text, line: first + index, ...timed(toMoment(message["timestamp"])) });
  }
  return { turns, malformed };
}

/** Types of text blocks; all others are tools, thoughts, images. */
const textTypes = new Set(["text", "input_text", "output_text"]);

/**
 * The text in the content of a message, which is a string or a list of blocks. Empty when it has no text, null when it
 * is not content at all.
 */
export function textOfContent(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (isFields(content)) return textOfContent([content]);
  if (!Array.isArray(content)) return null;
  const texts: string[] = [];
  for (const block of content) {
    if (typeof block === "string") texts.push(block);
    else if (isFields(block) && isText(block["type"]) && typeof block["text"] === "string") {
      texts.push(block["text"]);
    }
  }
  return texts.join("\n\n");
}

function isText(type: unknown): boolean {
  return type === undefined || textTypes.has(type as string);
}
