/**
 * What OpenClaw writes around and between the words of people. These texts are fixed by the program, so they are
 * recognised by their wording; what people say about them is not.
 */

/** `[Mon 2026-03-02 10:00 UTC] `, `[Telegram Ada id:7 2026-01-05T10:00Z] ` */
const stampedSender = /^\[[^\]\n]{0,200}\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d[^\]\n]{0,80}\] ?/;
const messageId = /^\[message_id: [^\]\n]*\]$/;
const replyTag = /^\[\[\s*reply_to(?:_current|:[^\]\n]*)\s*\]\]\s*/;
const contextMark = "⟦openclaw:ctx⟧";
const deliveryHint = /^Delivery: .*`message` tool/;

/** The wording by which runs begin that nobody asked for. */
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

/** Whether the program put this message in the place of the user's. */
export function isProgramMessage(text: string): boolean {
  return automaticStarts.some((start) => text.startsWith(start));
}

/** Replies that mean "nothing to say". */
export function isSilentReply(text: string): boolean {
  return /^["'*_`\s]*(?:NO_REPLY|HEARTBEAT_OK)["'*_`.!\s]*$/.test(text);
}

/** What a person wrote, without the envelope of metadata in which a channel delivered it. Empty when nothing is left. */
export function withoutEnvelope(text: string): string {
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

export function withoutReplyTag(text: string): string {
  return text.replace(replyTag, "");
}

/** The line behind metadata that begins here; `at` when none does. */
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

/** The line behind the next one that is `end`; all lines when there is none. */
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
