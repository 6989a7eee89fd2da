import { existsSync, statSync } from "node:fs";
import { LonghandError } from "../../errors.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import { asLonghandError } from "../failure.ts";
import type { HookRequest } from "../hooks/answers.ts";
import { readHookInput } from "../hooks/hook-input.ts";
import { standardStreams } from "../standard-streams.ts";
import { describeUntrusted } from "../trust-advice.ts";
import { placeOf } from "../with-memory.ts";

/** Of the time there is: when work stops, and the rest is for closing; when what was found by then is written down. */
const workShare = 0.8;
const readShare = 0.65;
/** The last moment is so long before the end. */
const exitMs = 50;

/**
 * Answers one event of an agent host. Whatever happens, the host goes on: what went wrong is told on standard error,
 * and the process ends in time with exit code 0.
 */
export async function runHook(
  context: CommandContext,
  { event, within = 2 }: { event: string; within?: number },
): Promise<void> {
  const warn = (problem: string) =>
    void standardStreams().stderr.write(`longhand hook ${event}: ${showOnOneLine(problem)}\n`);
  const tooLong = `it took longer than ${within} s and was given up; --within gives it more time`;
  /** From now to a moment counted from the start of the process: whoever waits has waited since then. */
  const leftMs = (atMs: number) => Math.max(1, Math.ceil(atMs - performance.now()));
  const endMs = within * 1000;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(leftMs(endMs * workShare))]);
  const readUntil = AbortSignal.timeout(leftMs(endMs * readShare));
  const lastCall = setTimeout(
    () => {
      warn(tooLong);
      process.exit(0);
    },
    leftMs(endMs - exitMs),
  );
  try {
    await answer({ ...context, signal }, { event, readUntil, warn });
  } catch (error) {
    const { code, message, hint } = asLonghandError(error);
    warn(code === "aborted" ? tooLong : `${message} ${hint}`);
  } finally {
    clearTimeout(lastCall);
  }
}

async function answer(
  context: CommandContext,
  { event, readUntil, warn }: { event: string } & Pick<HookRequest, "readUntil" | "warn">,
): Promise<void> {
  const { hookAnswers } = await import("../hooks/answers.ts");
  const chosen = Object.hasOwn(hookAnswers, event) ? hookAnswers[event] : undefined;
  if (chosen === undefined) throw refuseEvent(event, Object.keys(hookAnswers));
  const input = await readHookInput(context);
  const { resolveSettings } = await import("../../config/settings.ts");
  const cwd = input.cwd !== undefined && isFolder(input.cwd) ? { cwd: input.cwd } : {};
  const settings = await resolveSettings({ ...placeOf(context.globals), ...cwd });
  if (settings.disabled) return;
  // Nobody has made a memory yet, and a hook is not the one to do so.
  if (settings.workspaceOrigin.from === "default" && !existsSync(settings.workspaceDir)) {
    warn(`there is no memory for ${input.cwd ?? "this folder"} yet; make one with: longhand init`);
    return;
  }
  const { openConfiguredMemory } = await import("../../memory/open-memory.ts");
  await using memory = await openConfiguredMemory(settings, { followsIndex: true });
  const print = (text: string) => void standardStreams().stdout.write(`${text}\n`);
  const untrusted = describeUntrusted(settings);
  const text = await chosen({ memory, input, untrusted, signal: context.signal, readUntil, print, warn });
  // Before the memory is closed, which may take a while.
  if (text !== "") print(text);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // A folder that may not be looked at is none to start from.
    return false;
  }
}

function refuseEvent(event: string, known: readonly string[]): LonghandError {
  return new LonghandError("usage", `There is no hook ${JSON.stringify(event)}.`, {
    hint: `Use one of ${known.join(", ")}.`,
  });
}
