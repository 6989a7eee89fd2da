import { type Fields, isFields } from "../../text/fields.ts";

const flags = ["heartbeat", "isHeartbeat", "cron", "isCron"];
const origins = ["trigger", "source", "origin", "kind", "channel", "provider", "runKind", "inputProvenance"];
const places = ["metadata", "meta", "provenance", "origin", "inputProvenance", "source"];

/** Whether a message was sent by a schedule, by its metadata alone, never by its text. */
export function isAutomatic(...carriers: readonly unknown[]): boolean {
  return carriers.some(
    (carrier) => isFields(carrier) && (isMarked(carrier) || places.some((place) => isMarked(carrier[place]))),
  );
}

/** Whether a session belongs to a schedule or to the program itself, by its key. */
export function isAutomaticKey(sessionKey: string): boolean {
  return sessionKey
    .split(":")
    .some((part) => part === "cron" || part === "heartbeat" || part.startsWith("dreaming-narrative-"));
}

/** Whether a session, or one of its ancestors, belongs to a schedule. */
export function isAutomaticSession(
  sessionKey: string,
  parentsOf: (sessionKey: string) => readonly string[],
): boolean {
  const visited = new Set<string>();
  const open = [sessionKey];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (visited.has(key)) continue;
    if (isAutomaticKey(key)) return true;
    visited.add(key);
    open.push(...parentsOf(key));
  }
  return false;
}

function isMarked(value: unknown): boolean {
  if (!isFields(value)) return false;
  const fields: Fields = value;
  return flags.some((flag) => fields[flag] === true) || origins.some((origin) => isClock(fields[origin]));
}

function isClock(value: unknown): boolean {
  return typeof value === "string" && /^(?:heartbeat|cron)(?:[-_:]|$)/i.test(value);
}
