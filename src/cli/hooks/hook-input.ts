import { LonghandError, messageOf } from "../../errors.ts";
import type { HostSession } from "../../flush/flush-transcript.ts";
import type { CommandContext } from "../command.ts";
import { readAll } from "../read-input.ts";

/** What hosts send with an event; every field but the text may be missing. */
export interface HookInput {
  /** The complete input, as the host wrote it. */
  readonly text: string;
  readonly sessionId?: string;
  readonly transcriptPath?: string;
  readonly cwd?: string;
  /** How a session began: startup, resume, clear, compact. */
  readonly source?: string;
  readonly prompt?: string;
  /** The host's own name of the event. */
  readonly eventName?: string;
  /** Why a host compacts: auto, manual. */
  readonly trigger?: string;
  /** The transcript was written for this hook alone, which deletes it when it is done. */
  readonly isCopy?: boolean;
}

/**
 * Gemini CLI runs its PreCompress hooks before every model request, and only then decides whether to compact; a manual
 * request always compacts.
 */
export function runsBeforeEveryRequest({ eventName, trigger }: HookInput): boolean {
  return eventName === "PreCompress" && trigger !== "manual";
}

/** Null if the host names no transcript. */
export function sessionOf({ transcriptPath, sessionId, isCopy }: HookInput): HostSession | null {
  if (transcriptPath === undefined) return null;
  return {
    transcript: transcriptPath,
    ...(sessionId !== undefined && { sessionId }),
    ...(isCopy && { isCopy }),
  };
}

/** A prompt may include a pasted file; anything larger is not a prompt. */
const maxInputBytes = 16 * 1024 * 1024;

/** Reads the JSON that a host writes to a hook. */
export async function readHookInput(
  { input, signal }: Pick<CommandContext, "input" | "signal">,
  platform: NodeJS.Platform = process.platform,
): Promise<HookInput> {
  if (input.isTTY) throw refuseInput("nothing is written to it");
  const text = await readText(input, signal);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuseInput(text.trim() === "" ? "it is empty" : "it is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuseInput("it is not a JSON object");
  const given = value as Readonly<Record<string, unknown>>;
  const read = (...names: string[]) =>
    names.map((name) => given[name]).find((field) => typeof field === "string" && field !== "");
  const roots = given["workspace_roots"];
  // On Windows, Cursor passes the path of a file URL, `/c:/project`.
  const asPath = (path: unknown) =>
    platform === "win32" && typeof path === "string" ? path.replace(/^\/(?=[a-z]:)/i, "") : path;
  const fields = Object.fromEntries(
    Object.entries({
      // VS Code and Cursor also run the hooks of Claude Code, with field names of their own.
      sessionId: read("session_id", "sessionId", "conversation_id"),
      transcriptPath: asPath(read("transcript_path")),
      cwd: asPath(
        read("cwd") ?? (Array.isArray(roots) && typeof roots[0] === "string" ? roots[0] : undefined),
      ),
      source: read("source"),
      prompt: read("prompt"),
      eventName: read("hook_event_name", "hookEventName"),
      trigger: read("trigger"),
    }).filter(([, field]) => field !== undefined),
  );
  return { text, ...fields, ...(given["transcript_is_copy"] === true && { isCopy: true }) };
}

async function readText(input: CommandContext["input"], signal: AbortSignal): Promise<string> {
  const bytes = await readAll({ input, signal }, maxInputBytes).catch((error: unknown) => {
    throw refuseInput(signal.aborted ? "it was not closed in time" : messageOf(error));
  });
  if (bytes === null) throw refuseInput(`it has over ${maxInputBytes} bytes`);
  // With its encoding set to UTF-8, Windows PowerShell starts piped text with a byte order mark.
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

function refuseInput(why: string): LonghandError {
  return new LonghandError("usage", `The hook's input on standard input cannot be used: ${why}.`, {
    hint: "This command is for agent hosts; `longhand init --claude-code` sets it up.",
  });
}
