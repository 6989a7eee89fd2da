import { existsSync } from "node:fs";
import type { Settings } from "../config/settings.ts";
import { LonghandError, unlessRefused } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import type { MemoryLayer } from "../text/layer-path.ts";
import type { CommandContext, GlobalOptions } from "./command.ts";
import type { Output } from "./output.ts";

/** Opens the memory that the command line selects, and always closes it. Reports it if memory is disabled. */
export async function withMemory(
  context: CommandContext,
  use: (memory: Memory, settings: Settings) => Promise<void>,
  { whenDisabled, sessionKey, scope = "project", masksText }: WithMemoryOptions = {},
): Promise<void> {
  const { globals, output } = context;
  const [{ resolveSettings }, { openConfiguredMemory }] = await Promise.all([
    import("../config/settings.ts"),
    import("../memory/open-memory.ts"),
  ]);
  const settings = await resolveSettings({ ...locationsOf(globals), sessionKey });
  if (settings.disabled) {
    if (!whenDisabled) return showDisabled(output);
    output.note(disabledNote);
    return await whenDisabled();
  }
  await noteUnknownAgent(settings, output);
  const own = scope === "user" ? findUserSettings(settings) : null;
  if (own === null) await prepareWorkspace(settings);
  await using memory = await openConfiguredMemory(own ?? settings, {
    masksText,
    ...(own && { isTrusted: () => true }),
  });
  // A server that could never answer should not start.
  if (sessionKey !== undefined) memory.checkSession(sessionKey);
  await use(memory, own ?? settings);
}

const disabledNote = "Memory is disabled by the configuration. See where with: longhand config";

export function showDisabled(output: Output): void {
  output.show({ disabled: true }, () => "");
  output.note(disabledNote);
}

async function noteUnknownAgent(settings: Settings, output: Output): Promise<void> {
  const { agentId, configuredAgents, workspaceDir } = settings;
  if (configuredAgents.length === 0) return;
  const { likelyAgent } = await import("../config/choose-agent.ts");
  const likely = likelyAgent(settings);
  if (likely === null) return;
  output.note(
    `No agent ${agentId} is configured, so this is another memory, with notes in ${workspaceDir}. Did you mean ${likely}?`,
  );
}

/** The settings of the user's memory alone. */
function findUserSettings(settings: Settings): Settings {
  const { userLayer } = settings;
  if (userLayer === null) {
    throw new LonghandError("not-supported", "Your own memory is switched off by layers.user.enabled.", {
      hint: "Switch it on with: longhand config set layers.user.enabled true",
    });
  }
  if (!existsSync(userLayer.dir)) {
    throw new LonghandError("workspace-missing", `You have no memory of your own in ${userLayer.dir} yet.`, {
      hint: "Start one with: longhand add --scope user TEXT",
    });
  }
  return userLayer.isWorkspace ? settings : userLayer.settings();
}

interface WithMemoryOptions {
  readonly whenDisabled?: (() => Promise<void>) | undefined;
  /** The caller: `agent:<id>:…` selects the memory of that agent. */
  readonly sessionKey?: string | undefined;
  /** `user` selects the user's memory alone, wherever the command is run. */
  readonly scope?: MemoryLayer | undefined;
  /** See `ConfiguredMemoryOptions`. */
  readonly masksText?: boolean | undefined;
}

/**
 * The memory of another agent in the same configuration. It uses the workspace that the configuration names for it:
 * command line, environment and current folder only apply to the requested agent.
 */
export async function openOtherAgent({ globals }: CommandContext, agent: string): Promise<Memory> {
  const [{ resolveSettings }, { openConfiguredMemory }] = await Promise.all([
    import("../config/settings.ts"),
    import("../memory/open-memory.ts"),
  ]);
  const { workspace: _, ...locations } = locationsOf(globals);
  const settings = await resolveSettings({ ...locations, agent, workspaceFrom: "configuration" });
  if (!settings.disabled) await prepareWorkspace(settings);
  return await openConfiguredMemory(settings);
}

/** The default workspace is created if necessary; one given explicitly must exist. */
export async function prepareWorkspace({ workspaceDir, workspaceOrigin }: Settings): Promise<void> {
  const { resolveWorkspace } = await import("../notes/note-locations.ts");
  if (workspaceOrigin.from === "default") await makeDefaultWorkspace(workspaceDir);
  else resolveWorkspace(workspaceDir);
}

/** The options that select a memory. */
export function locationsOf({ workspace, agent, config, stateDir }: GlobalOptions) {
  return { workspace, agent, config, stateDir };
}

async function makeDefaultWorkspace(dir: string): Promise<void> {
  const { makeFolder } = await import("../files.ts");
  unlessRefused(
    () => makeFolder(dir, 0o700),
    (code, cause) => {
      throw new LonghandError(
        "workspace-missing",
        `The default workspace ${dir} could not be created: ${code}.`,
        { hint: "Name a folder with --workspace, or another state folder with --state-dir.", cause },
      );
    },
  );
}
