import { globalOptions } from "./global-options.ts";

/**
 * Whether a command line may be a hook, however invalid it is otherwise. Hosts take some exit codes of a hook as an
 * order to stop, so a hook never exits with one, even if its command line cannot be parsed.
 */
export function isHookCall(argv: readonly string[]): boolean {
  let mayBeValue = false;
  for (const word of argv) {
    if (word === "--") return false;
    if (word.startsWith("-")) {
      // An unknown option may have a value as well.
      mayBeValue = !word.includes("=") && !flags.includes(word);
    } else if (word === "hook") {
      return true;
    } else {
      if (!mayBeValue) return false;
      mayBeValue = false;
    }
  }
  return false;
}

const flags = globalOptions.filter(({ type }) => type === undefined).map((option) => option.flags);
