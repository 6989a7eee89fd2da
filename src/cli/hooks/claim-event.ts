import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemErrorCode, unlessRefused } from "../../errors.ts";
import { removeFileSync } from "../../files.ts";
import { checksum } from "../../text/hash.ts";
import type { HookInput } from "./hook-input.ts";

/** Hosts wait at most this long for their hooks; later, the same input is another event. */
const sameEventMs = 10_000;

/** Two prompts differ before the end of a pasted file, so it need not be read completely. */
const maxComparedChars = 20_000;

export interface ClaimOptions {
  /** For the marks; only this agent's hooks write there. */
  readonly folder: string;
  readonly event: string;
  readonly input: HookInput;
  /** Another memory gives another answer to the same event. */
  readonly workspaceDir: string;
  /** The process of the hook. It may claim an event again, if the process that answered for it was killed. */
  readonly pid: number;
  readonly now?: number | undefined;
}

/**
 * Whether this process should answer the event. A host that runs longhand both from its settings and from a plugin
 * starts two hooks with the same input, and the agent must not get everything twice.
 */
export function claimEvent(options: ClaimOptions): boolean {
  const { folder, event, input, workspaceDir, pid, now = Date.now() } = options;
  // Only a host that runs hooks by itself names the event; a program that asks again wants a new answer.
  if (input.sessionId === undefined || input.eventName === undefined) return true;
  const { text } = input;
  const compared =
    text.length <= maxComparedChars
      ? text
      : text.length + text.slice(0, maxComparedChars) + text.slice(-maxComparedChars);
  const mark = join(folder, `${event}-${checksum(workspaceDir)}${checksum(compared)}`);
  try {
    // A prompt must not wait for anything but its own mark.
    if (event !== "user-prompt") removeOld(folder, now);
    return make(mark, pid) || isOwn(mark, pid) || (isOld(mark, now) && replace(mark, pid));
  } catch (error) {
    // Two answers are better than none.
    if (systemErrorCode(error) === undefined) throw error;
    return true;
  }
}

/** False if it already exists. */
function make(mark: string, pid: number): boolean {
  try {
    writeFileSync(mark, `${pid}`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "EEXIST") return false;
    if (code !== "ENOENT") throw error;
    mkdirSync(dirname(mark), { recursive: true, mode: 0o700 });
    return make(mark, pid);
  }
}

function isOwn(mark: string, pid: number): boolean {
  return unlessRefused(
    () => readFileSync(mark, "utf8") === `${pid}`,
    () => false,
  );
}

function replace(mark: string, pid: number): boolean {
  removeFileSync(mark);
  return make(mark, pid);
}

function removeOld(folder: string, now: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const mark = join(folder, name);
    if (isOld(mark, now)) removeFileSync(mark);
  }
}

/** A clock that was set back must not suppress hooks until it has caught up. */
function isOld(mark: string, now: number): boolean {
  const made = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? now;
  return Math.abs(now - made) > sameEventMs;
}
