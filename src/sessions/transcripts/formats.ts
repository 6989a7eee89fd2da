import { LonghandError } from "../../errors.ts";
import { type Fields, isFields } from "../../text/fields.ts";
import { isAutomatic } from "./automatic.ts";
import {
  automaticOf,
  type FormatName,
  type LineFormat,
  type LineOutcome,
  otherAt,
  parseLine,
  textOfContent,
  timed,
  toMoment,
  turnOf,
  type ValueFormat,
} from "./format.ts";
import { geminiFormat, geminiLinesFormat } from "./gemini-cli.ts";
import { dropInserted } from "./inserted-text.ts";
import type { OpenTranscript } from "./open-transcript.ts";
import { openclawFormat } from "./openclaw.ts";
import { chatgptFormat, claudeExportFormat, longhandFormat } from "./value-formats.ts";

const plainOtherRoles = new Set(["system", "developer", "tool", "toolResult", "function"]);

/** Messages in the format of model APIs, one per line: `{"role": "user", "content": "…"}`. */
const plainFormat: LineFormat = {
  name: "plain",
  recognises: ({ role, content }) =>
    (role === "user" || role === "assistant") && (typeof content === "string" || Array.isArray(content)),
  read(line) {
    const { role, content } = line;
    const at = toMoment(line["timestamp"]);
    if (plainOtherRoles.has(role as string)) return otherAt(at);
    const text = textOfContent(content);
    if ((role !== "user" && role !== "assistant") || text === null) return { kind: "malformed" };
    return turnOf(role, role === "user" ? dropInserted(text) : text, at);
  },
};

/** OpenCode: a message of its database with its parts, as `stores/transcripts/opencode-transcripts.ts` yields it. */
const opencodeFormat: LineFormat = {
  name: "opencode",
  recognises: ({ type, message, parts }) => type === "opencode" && isFields(message) && Array.isArray(parts),
  read({ message, parts }) {
    if (!isFields(message) || !Array.isArray(parts)) return { kind: "malformed" };
    const { role, time, summary } = message;
    const at = toMoment(isFields(time) ? time["created"] : undefined);
    if (role !== "user" && role !== "assistant") return { kind: "malformed" };
    // Plugins and the host add synthetic parts to a message.
    const said = parts.filter((part) => part["type"] === "text" && !part["synthetic"] && !part["ignored"]);
    const text = said.map((part) => String(part["text"] ?? "")).join("\n\n");
    if (text.trim() === "") return otherAt(at);
    if (role === "user") return turnOf(role, dropInserted(text), at);
    return turnOf(summary === true ? "summary" : role, text, at);
  },
};

const codexTypes = new Set(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]);
const codexOtherRoles = new Set(["system", "developer", "tool"]);

/** Codex CLI: a `payload` a line; a message is the payload of a `response_item`. */
const codexFormat: LineFormat = {
  name: "codex",
  recognises: ({ type, payload }) => codexTypes.has(type as string) && isFields(payload),
  read(line) {
    const { type, payload } = line;
    const at = toMoment(line["timestamp"]);
    if (typeof type !== "string" || !isFields(payload)) return { kind: "malformed" };
    if (type === "compacted") {
      const { message } = payload;
      return typeof message === "string" && message.trim() !== ""
        ? turnOf("summary", message, at)
        : otherAt(at);
    }
    if (type === "session_meta" && isOfSubagent(payload)) return { kind: "excluded" };
    if (type !== "response_item" || payload["type"] !== "message") return otherAt(at);
    return readCodexMessage(line, payload, at);
  },
};

/** In the thread of a subagent, the agent that started it has the role of the user. */
function isOfSubagent({ source, thread_source }: Fields): boolean {
  return thread_source === "subagent" || (isFields(source) && "subagent" in source);
}

function readCodexMessage(line: Fields, payload: Fields, at: number | undefined): LineOutcome {
  const { role } = payload;
  if (codexOtherRoles.has(role as string)) return otherAt(at);
  if (role !== "user" && role !== "assistant") return { kind: "malformed" };
  if (isAutomatic(line, payload)) return automaticOf(role);
  const content = textOfContent(payload["content"]);
  if (content === null) return { kind: "malformed" };
  if (role === "assistant") return turnOf(role, content, at);
  const blocks = Array.isArray(payload["content"]) ? payload["content"] : [content];
  const said = blocks.map((block) => dropInserted(textOfContent([block]) ?? "")).filter(isSaid);
  return said.length === 0 && content !== "" ? otherAt(at) : turnOf(role, said.join("\n\n"), at);
}

/** False for the blocks that the program puts before the first question; some have no closing tag. */
function isSaid(text: string): boolean {
  return text !== "" && !/^\s*<(environment_context|user_instructions)>/.test(text);
}

/** Claude Code: lines of type `user` and `assistant` that form a tree; side branches and inserted text are marked. */
const claudeCodeFormat: LineFormat = {
  name: "claude-code",
  recognises: ({ type, message, uuid, parentUuid, sessionId, summary, leafUuid }) =>
    ((type === "user" || type === "assistant") &&
      isFields(message) &&
      (uuid !== undefined ||
        parentUuid !== undefined ||
        sessionId !== undefined ||
        message["role"] === type)) ||
    (type === "summary" && typeof summary === "string" && leafUuid !== undefined),
  read(line) {
    const { type, message, summary } = line;
    const at = toMoment(line["timestamp"]);
    if (type === "summary") {
      return typeof summary === "string"
        ? { kind: "turn", role: "summary", text: summary, isTitle: true, ...timed(at) }
        : { kind: "malformed" };
    }
    if (type === "attachment") return readQueued(line, at);
    if (type !== "user" && type !== "assistant") {
      return typeof type === "string" ? otherAt(at) : { kind: "malformed" };
    }
    if (line["isSidechain"] === true || line["isMeta"] === true) return otherAt(at);
    // Service errors are stored as if the assistant had said them.
    if (line["isApiErrorMessage"] === true || isOfHost(line)) return otherAt(at);
    if (!isFields(message)) return { kind: "malformed" };
    const { role = type } = message;
    if (role !== "user" && role !== "assistant") return { kind: "malformed" };
    if (isAutomatic(line, message)) return automaticOf(role);
    const content = textOfContent(message["content"]);
    if (content === null) return { kind: "malformed" };
    const text = role === "user" ? dropInserted(content) : content;
    if (text === "" && content !== "") return otherAt(at);
    return turnOf(line["isCompactSummary"] === true ? "summary" : role, text, at);
  },
};

/** A prompt that the user queued while Claude Code was busy, and that it took up within the same turn. */
function readQueued(line: Fields, at: number | undefined): LineOutcome {
  const { attachment, isSidechain } = line;
  if (!isFields(attachment) || attachment["type"] !== "queued_command" || isSidechain === true)
    return otherAt(at);
  const isRepeated = attachment["carriedByCompaction"] === true || attachment["isMeta"] === true;
  const mode = attachment["commandMode"] ?? "prompt";
  const text = dropInserted(textOfContent(attachment["prompt"]) ?? "");
  return isRepeated || mode !== "prompt" || isOfHost(attachment) || text === ""
    ? otherAt(at)
    : turnOf("user", text, at);
}

const hostOrigins = new Set(["task-notification", "auto-continuation", "plugin", "peer", "unclassified"]);

/** Claude Code records the origin of a message with the role of the user, unless a person wrote it. */
function isOfHost({ origin }: Fields): boolean {
  return isFields(origin) && hostOrigins.has(origin["kind"] as string);
}

const lineFormats: readonly LineFormat[] = [
  openclawFormat,
  claudeCodeFormat,
  codexFormat,
  geminiLinesFormat,
  opencodeFormat,
  plainFormat,
];
const valueFormats: readonly ValueFormat[] = [
  longhandFormat,
  geminiFormat,
  chatgptFormat,
  claudeExportFormat,
];

/** The format of a transcript by one of its lines; null when this line is ambiguous. */
export function recogniseLine(line: Fields): LineFormat | null {
  return lineFormats.find((format) => format.recognises(line)) ?? null;
}

export function recogniseValue(value: unknown): ValueFormat | null {
  return valueFormats.find((format) => format.recognises(value)) ?? null;
}

export function lineFormatOf(name: FormatName | null): LineFormat | null {
  return lineFormats.find((format) => format.name === name) ?? null;
}

interface Peeked {
  readonly format: FormatName | null;
  readonly startedAt: number | null;
}

const peekBytes = 64 * 1024;
const peekLines = 20;

/**
 * The format and start of a transcript by its first kilobytes; null when it cannot be read. Exports are recognised by
 * field names near their beginning.
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
    // Inside of one JSON value, a line can be an object, too: the last message of a history.
    if (/^\s/.test(line)) continue;
    const value = parseLine(line);
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

function recogniseText(text: string): FormatName | null {
  if (/^\s*[[{]/.test(text) === false) return null;
  if (/["']?mapping["']?\s*:\s*\{/.test(text)) return "chatgpt";
  if (/"chat_messages"\s*:\s*\[/.test(text)) return "claude-export";
  if (!/["']?messages["']?\s*:/.test(text)) return null;
  if (/"type"\s*:\s*"(?:user|gemini)"/.test(text)) return "gemini";
  return /["']?sessionId["']?\s*:/.test(text) ? "longhand" : null;
}
