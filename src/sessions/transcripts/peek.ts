import { LonghandError } from "../../errors.ts";
import { type FormatName, isFields, toMoment } from "./format.ts";
import { recogniseLine } from "./formats.ts";
import { openFile } from "./open-file.ts";

export interface Peeked {
  readonly format: FormatName | null;
  readonly startedAt: number | null;
}

const peekBytes = 64 * 1024;

/**
 * What a file looks like by its first kilobytes, without reading it all; null when it cannot be read. Exports are
 * known by names that stand near their beginning.
 */
export function peekTranscript(file: string, shown: string): Peeked | null {
  let text: string;
  try {
    using open = openFile(file, { shown });
    if (open === null) return null;
    text = open
      .read(0, peekBytes)
      .toString("utf8")
      .replace(/^\ufeff/, "");
  } catch (error) {
    if (error instanceof LonghandError) return null;
    throw error;
  }
  let format: FormatName | null = null;
  let startedAt: number | null = null;
  for (const line of text.split("\n").slice(0, -1)) {
    const value = parse(line);
    if (!isFields(value)) continue;
    startedAt ??= toMoment(value["timestamp"]) ?? null;
    format ??= recogniseLine(value)?.name ?? null;
    if (format !== null && startedAt !== null) break;
  }
  return format === null ? { format: recogniseText(text), startedAt: null } : { format, startedAt };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function recogniseText(text: string): FormatName | null {
  if (/^\s*[[{]/.test(text) === false) return null;
  if (/["']?mapping["']?\s*:\s*\{/.test(text)) return "chatgpt";
  if (/"chat_messages"\s*:\s*\[/.test(text)) return "claude-export";
  if (!/["']?messages["']?\s*:/.test(text)) return null;
  if (/"type"\s*:\s*"(?:user|gemini)"/.test(text)) return "gemini";
  return /["']?sessionId["']?\s*:/.test(text) ? "longhand" : null;
}
