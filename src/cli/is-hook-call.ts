import { globalOptions } from "./global-options.ts";

/**
 * True when a command line may be that of a hook, however wrong it is otherwise. Hosts take some exit codes of a hook
 * for an order to stop, so a hook never ends with one; that has to hold for a command line that cannot be parsed too.
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

const flags = globalOptions.filter(({ type }) => type.kind === "flag").map((option) => option.flags);
