import { existsSync, statSync } from "node:fs";
import { LonghandError } from "../../errors.ts";
import type { CommandContext } from "../command.ts";
import { asLonghandError } from "../failure.ts";
import { readHookInput } from "../hooks/hook-input.ts";
import { placeOf } from "../with-memory.ts";

/** Work stops here; what is left of the two seconds is for closing. Counted from the start of the process. */
const workMs = 1600;
const lastMs = 1950;

/**
 * Answers one event of an agent host. Whatever happens, the host goes on: what went wrong is told on standard error,
 * and the process ends in time with exit code 0.
 */
export async function runHook(context: CommandContext, { event }: { event: string }): Promise<void> {
  const warn = (problem: string) => void process.stderr.write(`longhand hook ${event}: ${problem}\n`);
  const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(workMs - performance.now())));
  const signal = AbortSignal.any([context.signal, deadline]);
  const lastCall = setTimeout(
    () => {
      warn("it took too long and was given up");
      process.exit(0);
    },
    Math.max(1, lastMs - performance.now()),
  );
  try {
    await answer({ ...context, signal }, event, warn);
  } catch (error) {
    const { code, message, hint } = asLonghandError(error);
    warn(code === "aborted" ? "it took too long and was given up" : `${message} ${hint}`);
  } finally {
    clearTimeout(lastCall);
  }
}

async function answer(
  context: CommandContext,
  event: string,
  warn: (problem: string) => void,
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
  await using memory = await openConfiguredMemory(settings);
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  const text = await chosen({ memory, input, signal: context.signal, print, warn });
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
