import { readFileSync } from "node:fs";
import { isOpenclawFile } from "../config/openclaw/openclaw-file.ts";
import type { Settings } from "../config/settings.ts";
import { describeUnused, findUnusedServices } from "../config/unused-services.ts";
import { LonghandError } from "../errors.ts";
import { replaceFile } from "../hosts/connect-host.ts";
import { patchJson } from "../text/json-patch.ts";
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

/** Writes the choice for all agents of a configuration file; everything else in it stays as it is. */
export async function setProvider(configPath: string, provider: string): Promise<void> {
  if (isOpenclawFile(configPath)) throw refuseOpenclaw(configPath);
  const { default: json5 } = await import("json5");
  const text = readFileSync(configPath, "utf8");
  const before: Fields = text.trim() === "" ? {} : json5.parse(text);
  const agents = fieldsOf(before["agents"]);
  const defaults = fieldsOf(agents["defaults"]);
  const memorySearch = { ...fieldsOf(defaults["memorySearch"]), provider };
  const after = { ...before, agents: { ...agents, defaults: { ...defaults, memorySearch } } };
  replaceFile(
    configPath,
    text.trim() === "" ? `${JSON.stringify(after, null, 2)}\n` : patchJson(text, before, after),
    text,
  );
}

function refuseOpenclaw(configPath: string): LonghandError {
  return new LonghandError(
    "config-invalid",
    `Could not set the provider: ${configPath} is OpenClaw's, and longhand does not change it.`,
    {
      hint: "Set memorySearch.provider there, or move to a configuration of your own: longhand init --from-openclaw.",
    },
  );
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

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
