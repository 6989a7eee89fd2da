import { LonghandError } from "../../errors.ts";
import { type FormatName, isFields, toMoment } from "./format.ts";
import { recogniseLine } from "./formats.ts";
import type { OpenTranscript } from "./open-transcript.ts";

export interface Peeked {
  readonly format: FormatName | null;
  readonly startedAt: number | null;
}

const peekBytes = 64 * 1024;
const peekLines = 20;

/**
 * What a transcript looks like by its first kilobytes, without reading it all; null when it cannot be read. Exports are
 * known by names that stand near their beginning.
 */
export function peekTranscript({ open }: { open(): OpenTranscript | null }): Peeked | null {
  let text: string;
  try {
    using transcript = open();
    if (transcript === null) return null;
    text = readStart(transcript);
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

function readStart(transcript: OpenTranscript): string {
  if (transcript.file !== null) {
    return transcript.file
      .read(0, peekBytes)
      .toString("utf8")
      .replace(/^\ufeff/, "");
  }
  let text = "";
  let lines = 0;
  for (const { bytes } of transcript.lines(0, transcript.end())) {
    text += `${bytes?.toString("utf8") ?? ""}\n`;
    if (++lines >= peekLines || text.length >= peekBytes) break;
  }
  return text;
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
