import type { Settings } from "../config/settings.ts";
import { LonghandError, systemErrorCode } from "../errors.ts";
import type { Memory } from "../memory.ts";
import type { CommandContext, GlobalOptions } from "./command.ts";

/** Opens the memory that the command line means, and closes it whatever happens. Says so when memory is disabled. */
export async function withMemory(
  context: CommandContext,
  use: (memory: Memory, settings: Settings) => Promise<void>,
): Promise<void> {
  const { globals, output } = context;
  const [{ resolveSettings }, { openConfiguredMemory }, { resolveWorkspace }] = await Promise.all([
    import("../config/settings.ts"),
    import("../memory.ts"),
    import("../notes/places.ts"),
  ]);
  const settings = await resolveSettings(placeOf(globals));
  if (settings.disabled) {
    output.show({ disabled: true }, () => "");
    output.note("Memory is disabled by the configuration. See where with: longhand config");
    return;
  }
  // The workspace of somebody who never chose one is ours to make; one that was named has to be there.
  if (settings.workspaceOrigin.from === "default") await makeDefaultWorkspace(settings.workspaceDir);
  else resolveWorkspace(settings.workspaceDir);
  await using memory = await openConfiguredMemory(settings);
  await use(memory, settings);
}

/** The options that say which memory is meant. */
export function placeOf({ workspace, agent, config, stateDir }: GlobalOptions) {
  return {
    ...(workspace !== undefined && { workspace }),
    ...(agent !== undefined && { agent }),
    ...(config !== undefined && { config }),
    ...(stateDir !== undefined && { stateDir }),
  };
}

async function makeDefaultWorkspace(dir: string): Promise<void> {
  const { makeFolder } = await import("../notes/make-folder.ts");
  try {
    makeFolder(dir);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new LonghandError("workspace-missing", `The default workspace ${dir} could not be made: ${code}.`, {
      hint: "Name a folder with --workspace, or another state folder with --state-dir.",
      cause: error,
    });
  }
}
