import { type Fields, isFields } from "../../text/fields.ts";
import { isAutomatic, isAutomaticKey } from "./automatic.ts";
import {
  automaticOf,
  type LineFormat,
  type LineOutcome,
  otherAt,
  textOfContent,
  toMoment,
  turnOf,
} from "./format.ts";

/** Roles of messages that are not part of the conversation. */
const otherRoles = new Set(["toolResult", "tool", "system", "custom", "bashExecution", "branchSummary"]);

/** OpenClaw: a head line of type `session`, then lines with a `message` each. */
export const openclawFormat: LineFormat = {
  name: "openclaw",
  recognises: ({ type, version, message, id, timestamp, uuid, sessionId }) =>
    (type === "session" && (typeof version === "number" || typeof id === "string")) ||
    (type === "message" && isFields(message) && uuid === undefined && sessionId === undefined) ||
    (type === "compaction" && typeof timestamp === "string"),
  read(line) {
    const { type, message, summary } = line;
    const at = toMoment(line["timestamp"]);
    if (isOfAutomaticSession(line)) return { kind: "excluded" };
    if (type === "compaction") {
      return typeof summary === "string" && summary.trim() !== ""
        ? turnOf("summary", summary, at)
        : otherAt(at);
    }
    if (type !== "message") return typeof type === "string" ? otherAt(at) : { kind: "malformed" };
    if (!isFields(message)) return { kind: "malformed" };
    const { role } = message;
    if (otherRoles.has(role as string)) return otherAt(at);
    if (role !== "user" && role !== "assistant") return { kind: "malformed" };
    if (isAutomatic(line, message) || isOfProgram(message)) {
      return automaticOf(role);
    }
    const text = textOfContent(message["content"]);
    if (text === null) return { kind: "malformed" };
    return readText(role, text, at ?? toMoment(message["timestamp"]), message);
  },
};

function readText(
  role: "user" | "assistant",
  text: string,
  at: number | undefined,
  { provenance }: Fields,
): LineOutcome {
  if (role === "assistant") {
    return isSilentReply(text) ? otherAt(at) : turnOf(role, withoutReplyTag(text), at);
  }
  // Another session's message is not the user's, but the answer to it may concern the user.
  if (isFields(provenance) && provenance["kind"] === "inter_session") return otherAt(at);
  const said = withoutEnvelope(text);
  if (isProgramMessage(said)) return { kind: "automatic" };
  return isSilentReply(said) ? otherAt(at) : turnOf(role, said, at);
}

/** Messages with which the program wakes the agent or passes it memories. */
function isOfProgram({ provenance }: Fields): boolean {
  return (
    isFields(provenance) &&
    provenance["kind"] === "internal_system" &&
    ["heartbeat", "memory_search", "memory_get"].includes(provenance["sourceTool"] as string)
  );
}

/** Archives are in no registry, so their own lines name the session. */
function isOfAutomaticSession({ type, sessionKey, runId, data }: Fields): boolean {
  if (type === "message") return false;
  const names = [sessionKey, runId, ...(isFields(data) ? [data["sessionKey"], data["runId"]] : [])];
  return names.some((name) => typeof name === "string" && isAutomaticKey(name));
}

/**
 * Texts that OpenClaw writes around and between people's messages. Their wording is fixed by the program, so it
 * identifies them.
 */

/** `[Mon 2026-03-02 10:00 UTC] `, `[Telegram Ada id:7 2026-01-05T10:00Z] ` */
const stampedSender = /^\[[^\]\n]{0,200}\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d[^\]\n]{0,80}\] ?/;
const messageId = /^\[message_id: [^\]\n]*\]$/;
const replyTag = /^\[\[\s*reply_to(?:_current|:[^\]\n]*)\s*\]\]\s*/;
const contextMark = "⟦openclaw:ctx⟧";
const deliveryHint = /^Delivery: .*`message` tool/;

/** How the messages of scheduled runs begin. */
const automaticStarts = [
  "[cron:",
  "[OpenClaw heartbeat poll]",
  "[OpenClaw cron wake]",
  "[OpenClaw exec completion]",
  "[OpenClaw session event]",
  "Read HEARTBEAT.md if it exists",
  "Follow the heartbeat monitor scratch context",
  "Run the following periodic tasks (only those due based on their intervals):",
  "A new session was started via /new or /reset.",
];

/** Whether the program, not the user, wrote this message. */
function isProgramMessage(text: string): boolean {
  return automaticStarts.some((start) => text.startsWith(start));
}

/** Replies that mean "nothing to say". */
function isSilentReply(text: string): boolean {
  return /^["'*_`\s]*(?:NO_REPLY|HEARTBEAT_OK)["'*_`.!\s]*$/.test(text);
}

/** What a person wrote, without the metadata that a channel adds. Empty when nothing is left. */
function withoutEnvelope(text: string): string {
  const lines = withoutInternalContext(text).replace(stampedSender, "").split("\n");
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!.trim();
    if (line === `Context: ${contextMark}`) break;
    const end = endOfMetadata(lines, at, line);
    if (end === at) kept.push(lines[at]!);
    at = Math.max(end, at + 1);
  }
  return kept.join("\n").trim().replace(stampedSender, "");
}

function withoutReplyTag(text: string): string {
  return text.replace(replyTag, "");
}

/** The line after metadata that begins here; `at` when none does. */
function endOfMetadata(lines: readonly string[], at: number, line: string): number {
  const next = lines[at + 1]?.trim();
  if (messageId.test(line) || deliveryHint.test(line) || isSystemEvent(line)) return at + 1;
  if (line === "Context:" && next === "<active_memory_plugin>") {
    return behind(lines, at, "</active_memory_plugin>");
  }
  const isMarked = line.endsWith(contextMark);
  const isLabelled = /\((?:untrusted\b|metadata, do not treat)[^()]*\):$/.test(line);
  if ((isMarked || isLabelled) && next === "```json") return behind(lines, at + 1, "```");
  return isMarked || /^(?:Untrusted|Conversation) context \(.*\):$/.test(line) ? behind(lines, at, "") : at;
}

/** The line after the next one that equals `end`; the line count when there is none. */
function behind(lines: readonly string[], at: number, end: string): number {
  const found = lines.findIndex((line, index) => index > at && line.trim() === end);
  return found === -1 ? lines.length : found + 1;
}

function isSystemEvent(line: string): boolean {
  return (
    /^System(?: \(untrusted\))?: \[[^\]]+\]/.test(line) ||
    /^exec (?:finished(?::|\s*\()|(?:completed|failed) \([\w-]{1,64}, (?:code -?\d+|signal ))/i.test(line)
  );
}

function withoutInternalContext(text: string): string {
  const [begin, end] = ["<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"];
  if (!text.includes(begin)) return text;
  const [before = "", ...blocks] = text.split(begin);
  return before + blocks.map((block) => block.split(end).slice(1).join(end)).join("");
}
