import { existsSync } from "node:fs";
import { LonghandError, unlessRefused } from "../../errors.ts";
import { isFolder } from "../../paths.ts";
import { flushProgressFolder, hookMarksFolder } from "../../sessions/session-paths.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import { asLonghandError } from "../failure.ts";
import { type HookRequest, hookEvents } from "../hooks/answers.ts";
import { claimEvent } from "../hooks/claim-event.ts";
import { readHookInput } from "../hooks/hook-input.ts";
import { locationsOf, prepareWorkspace } from "../with-memory.ts";
import { describeUntrusted } from "../workspace-advice.ts";

/** Fractions of the time limit: when to stop working, to leave time for closing; when to write partial results. */
const workShare = 0.8;
const readShare = 0.65;
/** The minimum time between the last fraction and the limit. */
const exitMs = 50;

/**
 * Answers one event of an agent host. The host must continue whatever happens: problems are reported on standard error,
 * and the process exits in time with code 0.
 */
export async function runHook(
  context: CommandContext,
  { event, within: asked }: { event: string; within?: number },
): Promise<void> {
  const { caller } = context;
  const warn = (problem: string) =>
    void caller.stderr.write(`longhand hook ${event}: ${showOnOneLine(problem)}\n`);
  const chosen = Object.hasOwn(hookEvents, event) ? hookEvents[event] : undefined;
  const within = asked ?? chosen?.withinSeconds ?? 2;
  const tooLong = `it took longer than ${within} s and was stopped; --within allows more time`;
  /**
   * The remaining time until a deadline counted from the start of the process, because the host has waited since then.
   */
  const leftMs = (atMs: number) => Math.max(1, Math.ceil(atMs - caller.elapsedMs()));
  const endMs = within * 1000;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(leftMs(endMs * workShare))]);
  const readUntil = AbortSignal.timeout(leftMs(endMs * readShare));
  const print = (text: string) => {
    if (text !== "") caller.stdout.write(`${text}\n`);
  };
  let fallback = "";
  const setFallback = (text: string) => {
    fallback = text;
  };
  const answerWith = (text: string) => {
    fallback = "";
    print(text);
  };
  const deadline = setTimeout(
    () => {
      warn(tooLong);
      answerWith(fallback);
      caller.exit(0);
    },
    leftMs(endMs - exitMs),
  );
  try {
    if (chosen === undefined) throw refuseEvent(event);
    await answer(
      { ...context, signal },
      { event, ...chosen },
      { readUntil, warn, print, setFallback, answerWith },
    );
  } catch (error) {
    const { code, message, hint } = asLonghandError(error);
    warn(code === "aborted" ? tooLong : `${message} ${hint}`);
    answerWith(fallback);
  } finally {
    clearTimeout(deadline);
  }
}

async function answer(
  context: CommandContext,
  { event, writes, load }: { readonly event: string } & (typeof hookEvents)[string],
  { readUntil, warn, print, setFallback, answerWith }: AnswerParts,
): Promise<void> {
  const { signal, caller } = context;
  const input = await readHookInput(context);
  const { resolveSettings } = await import("../../config/settings.ts");
  const cwd = input.cwd !== undefined && isThere(input.cwd) ? { cwd: input.cwd } : {};
  const settings = await resolveSettings({ ...locationsOf(context.globals), ...cwd });
  if (settings.disabled) return;
  // The folder has no memory yet, and a hook must not create one; but the user's own memory is available everywhere.
  if (settings.workspaceOrigin.from === "default" && !existsSync(settings.workspaceDir)) {
    if (settings.userLayer !== null && isThere(settings.userLayer.dir)) await prepareWorkspace(settings);
    else {
      warn(`there is no memory for ${input.cwd ?? "this folder"} yet; start one with: longhand init`);
      return;
    }
  }
  const folder = hookMarksFolder(settings);
  if (!claimEvent({ folder, event, input, workspaceDir: settings.workspaceDir, pid: caller.pid })) {
    warn("another hook of longhand answers this event; longhand doctor says where both are set up");
    return;
  }
  const { openConfiguredMemory } = await import("../../memory/open-memory.ts");
  await using memory = await openConfiguredMemory(settings, { asksNoService: true, masksText: writes });
  const text = await (await load())({
    memory,
    input,
    flush: async () => {
      const [{ createTranscriptFlush }, { openFlushProgress }] = await Promise.all([
        import("../../flush/flush-transcript.ts"),
        import("../../flush/flush-progress.ts"),
      ]);
      const progress = openFlushProgress(flushProgressFolder(settings));
      return createTranscriptFlush({ memory, progress, readUntil, signal });
    },
    untrusted: describeUntrusted(settings),
    signal,
    print,
    setFallback,
    warn,
  });
  // Before the memory is closed, which may take a while.
  answerWith(text);
}

interface AnswerParts extends Pick<HookRequest, "warn" | "print" | "setFallback"> {
  /** When partial results are written, whether or not everything was read. */
  readonly readUntil: AbortSignal;
  answerWith(text: string): void;
}

/** A folder that cannot be inspected cannot be the starting point. */
function isThere(folder: string): boolean {
  return unlessRefused(
    () => isFolder(folder),
    () => false,
  );
}

function refuseEvent(event: string): LonghandError {
  return new LonghandError("usage", `There is no hook ${JSON.stringify(event)}.`, {
    hint: `Use one of ${Object.keys(hookEvents).join(", ")}.`,
  });
}
