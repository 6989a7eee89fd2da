import type { Settings } from "../config/settings.ts";
import { describeUnused, findUnusedServices } from "../config/unused-services.ts";
import { LonghandError } from "../errors.ts";
import { askLine } from "./ask.ts";
import type { CommandContext } from "./command.ts";

/**
 * On a terminal, whether the service whose key lies in the environment may be sent texts. A no is a choice as well;
 * an empty answer is none, and null. Undefined where nobody was asked.
 */
export async function askForProvider(
  context: Pick<CommandContext, "input" | "output" | "signal" | "globals">,
  settings: Pick<Settings, "memorySearch" | "models" | "origins">,
): Promise<string | null | undefined> {
  const unused = findUnusedServices(settings);
  const { input, globals } = context;
  if (unused === null || !input.isTTY || globals.json || globals.quiet) return undefined;
  const answer = await askLine(context, `${describeUnused(unused)}\nUse ${unused.provider}? [y/N] `);
  if (/^\s*y(?:es)?\s*$/i.test(answer)) return unused.provider;
  return /^\s*no?\s*$/i.test(answer) ? "builtin" : null;
}

/** Refuses a choice that the configuration would not follow. */
export function refuseOverridden({ origins, agentId }: Settings): void {
  const origin = origins.get("memorySearch.provider");
  if (origin?.from !== "file" || !origin.key.startsWith("agents.list")) return;
  throw new LonghandError(
    "config-invalid",
    `Could not set the provider: the agent ${agentId} has its own, ${origin.key} in ${origin.path}.`,
    { hint: "Change it there." },
  );
}
