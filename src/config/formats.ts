import { findPatternProblem } from "../notes/daily-pattern.ts";
import { agentIdRule, isAgentId } from "./agent-id.ts";
import { expandPath, type PathContext } from "./expand-path.ts";
import type { TextFormat } from "./option.ts";

/** `<system>` is the time zone of this machine. */
export const systemTimezone = "<system>";

/** Enough for an instruction; a long text before every note would dominate its embedding. */
export const maxPromptChars = 1000;

/** Why a string does not match its format, as the end of a sentence that begins with the key; null if it does. */
export function formatProblem(
  format: TextFormat,
  text: string,
  platform: NodeJS.Platform = process.platform,
): string | null {
  if (format === "prompt") {
    return text.length > maxPromptChars ? `must not be longer than ${maxPromptChars} characters` : null;
  }
  if (text.trim() === "") return "must not be empty";
  switch (format) {
    case "plain":
      return null;
    case "path":
    case "model":
    case "name-or-path":
      if (text.includes("\0")) return "must not contain a NUL character";
      return platform === "win32" && hasLostBackslash.test(text) ? lostBackslash : null;
    case "url":
      return isServiceAddress(text)
        ? null
        : "must be an http or https address without a user or password in it";
    case "timezone":
      return isTimezone(text) ? null : 'must be a time zone name such as "Europe/Berlin"';
    case "daily-pattern":
      return findPatternProblem(text);
    case "duration":
      return parseDuration(text) === null ? 'must be a time such as "30s", "5m" or "1h"' : null;
    case "agent-id":
      return isAgentId(text) ? null : `must be ${agentIdRule}`;
  }
}

/** JSON parses `"C:\Users\new"` as `C:Users`, a line break and `ew`. */
const hasLostBackslash = /^[a-z]:(?![\\/])|[\n\r\t\f\v\x08]/i;

const lostBackslash = 'must have slashes, or each backslash twice: "C:/notes" or "C:\\\\notes"';

/** The string as the program uses it: paths become absolute, anything else is unchanged. */
export function resolveFormat(format: TextFormat, text: string, context: PathContext): string {
  if (format === "path") return expandPath(text, context);
  if (format === "model") return /^(?:hf|https?):/i.test(text) ? text : expandPath(text, context);
  // A bare name is looked up later: a program on the PATH, or an installed package.
  if (format === "name-or-path") return /[/\\~]/.test(text) ? expandPath(text, context) : text;
  return text;
}

function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

function isTimezone(text: string): boolean {
  if (text === systemTimezone) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The milliseconds of a duration such as `30s`, `5m` or `1h30m`; a bare number is minutes. Null for anything else. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim().toLowerCase();
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return Number(trimmed) * units.m;
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(trimmed)) return null;
  return [...trimmed.matchAll(/([\d.]+)(ms|[smhd])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
    0,
  );
}
