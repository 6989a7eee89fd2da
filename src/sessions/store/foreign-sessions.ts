import { basename, join } from "node:path";
import { type Fields, isFields } from "../../text/fields.ts";
import { parseLine } from "../transcripts/format.ts";
import {
  type OpenTranscript,
  openTranscriptFile,
  type ReadTranscriptDatabase,
} from "../transcripts/open-transcript.ts";
import { openclawFormat } from "../transcripts/openclaw.ts";
import type { StoredHistory } from "./history-file.ts";
import { readJson5File } from "./json5-file.ts";
import { type CompactedPart, isSessionId, type SessionEntry, type SessionMessage } from "./session-store.ts";

/** Sessions that OpenClaw keeps in the same folder. They are only ever read. */
interface ForeignSessions {
  /** By session key. */
  entries(): Promise<Fields>;
  /** The messages that no compaction has summarised; null when there is no transcript. */
  history(entry: SessionEntry): StoredHistory | null;
}

export function createForeignSessions(dir: string, readDatabase: ReadTranscriptDatabase): ForeignSessions {
  const databaseFile = join(dir, "..", "agent", "openclaw-agent.sqlite");
  const stored = () => readDatabase(databaseFile)?.sessions ?? [];

  function open({ sessionId, sessionFile }: SessionEntry): OpenTranscript | null {
    const inDatabase = stored()
      .find(({ id }) => id === sessionId)
      ?.open();
    if (inDatabase) return inDatabase;
    // The path may be from another machine, so only its file name counts.
    const named = typeof sessionFile === "string" ? basename(sessionFile) : "";
    const names = [named, `${sessionId}.jsonl`].filter((name) => /^[^.].*\.jsonl$/.test(name));
    for (const name of names) {
      const transcript = openTranscriptFile(join(dir, name), { shown: `sessions/${name}` });
      if (transcript !== null) return transcript;
    }
    return null;
  }

  return {
    async entries() {
      const file = await readJson5File(join(dir, "sessions.json"));
      const listed = file.kind === "read" && !Array.isArray(file.value) ? (file.value as Fields) : {};
      const newest = stored()
        .filter(({ key, id, excluded }) => key !== undefined && excluded === undefined && isSessionId(id))
        .sort((a, b) => a.stats.mtime.getTime() - b.stats.mtime.getTime())
        .map(({ key, id, stats }) => [key!, { sessionId: id, updatedAt: stats.mtime.getTime() }] as const);
      return { ...listed, ...Object.fromEntries(newest) };
    },
    history(entry) {
      if (!isSessionId(entry.sessionId)) return null;
      using transcript = open(entry);
      return transcript === null ? null : toHistory(entry.sessionId, transcript);
    },
  };
}

function toHistory(sessionId: string, transcript: OpenTranscript): StoredHistory | null {
  let messages: { id: unknown; message: SessionMessage }[] = [];
  const compactedHistory: CompactedPart[] = [];
  let isOpenclaw = false;
  for (const { bytes } of transcript.lines(0, transcript.end())) {
    const line = bytes === null ? null : parseLine(bytes.toString("utf8"));
    if (!isFields(line)) continue;
    isOpenclaw ||= openclawFormat.recognises(line);
    const { type, id, timestamp, summary, firstKeptEntryId } = line;
    const message = type === "message" ? toMessage(line) : null;
    if (message !== null) messages.push({ id, message });
    if (type !== "compaction" || typeof summary !== "string") continue;
    const kept = messages.findIndex((each) => each.id === firstKeptEntryId);
    const count = kept === -1 ? messages.length : kept;
    messages = messages.slice(count);
    const compactedAt = Date.parse(String(timestamp)) || 0;
    compactedHistory.push({ role: "system", content: summary, compactedAt, originalMessageCount: count });
  }
  if (!isOpenclaw) return null;
  const times = messages.map(({ message }) => toMoment(message.timestamp)).filter((at) => at > 0);
  const updatedAt = transcript.stats().mtime.getTime();
  return {
    sessionId,
    version: 2,
    createdAt: times[0] ?? updatedAt,
    updatedAt: times.at(-1) ?? updatedAt,
    messages: messages.map(({ message }) => message),
    compactedHistory,
  };
}

const roles: Readonly<Record<string, SessionMessage["role"]>> = {
  user: "user",
  assistant: "assistant",
  system: "system",
  tool: "tool",
  toolResult: "tool",
};

function toMessage({ message, timestamp }: Fields): SessionMessage | null {
  if (typeof message !== "object" || message === null) return null;
  const fields = message as Fields;
  const { role, content } = fields;
  const known = typeof role === "string" && Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (known === undefined || (typeof content !== "string" && !Array.isArray(content))) return null;
  const at = fields["timestamp"] ?? timestamp;
  return { ...fields, role: known, content, timestamp: typeof at === "number" ? at : String(at ?? 0) };
}

function toMoment(timestamp: number | string): number {
  return typeof timestamp === "number" ? timestamp : Date.parse(timestamp) || 0;
}
