import { messageOf } from "../errors.ts";
import { checkOptions, type Kind, oneOf, type Shape } from "../memory/check-options.ts";
import type { BeforeCompactOptions } from "./run-flush.ts";

/** Memory and session are checked before, so neither is missing here. */
const shape: Record<keyof Shape<BeforeCompactOptions>, Kind> = {
  session: "anything",
  memory: "anything",
  runTurn: "a function",
  tools: "a list",
  prompts: "an object",
  fallback: oneOf("off", "extract"),
  // Both have a value for one that cannot be used.
  keepLast: "anything",
  timeoutMs: "anything",
  readUntil: "an AbortSignal",
  signal: "an AbortSignal",
  now: "a function",
  enabled: "a boolean",
  heartbeat: "a boolean",
  cliProvider: "a boolean",
  readOnly: "a boolean",
};

/**
 * The options that can be used, and what is wrong with the others. A flush goes on without them: a misspelled name must
 * not cost what is about to be compacted away, and must not go unnoticed either.
 */
export function usableOptions<Options extends object>(
  call: string,
  options: Options,
): { usable: Options; problems: string[] } {
  const problems: string[] = [];
  const usable = Object.entries(options).filter(([name, value]) => {
    try {
      checkOptions(call, shape, { [name]: value });
      return true;
    } catch (error) {
      problems.push(messageOf(error));
      return false;
    }
  });
  return { usable: Object.fromEntries(usable) as Options, problems };
}
