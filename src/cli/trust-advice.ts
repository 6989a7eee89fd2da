import type { Settings } from "../config/settings.ts";
import { quoteForShell } from "../hosts/shell-line.ts";
import { showOnOneLine } from "../text/visible.ts";

type WorkspaceSettings = Pick<Settings, "workspaceDir" | "stateDir" | "origins">;

/** The command that trusts this workspace, in the state folder that will be used. */
export function trustCommand({ workspaceDir, stateDir, origins }: WorkspaceSettings): string {
  const isGiven = origins.get("stateDir")?.from === "caller";
  const state = isGiven ? ` --state-dir ${quoteForShell(stateDir)}` : "";
  return showOnOneLine(`longhand trust ${quoteForShell(workspaceDir)}${state}`);
}

/** One line for the user; the agent never sees the command, because it could run it. */
export function describeUntrusted(settings: WorkspaceSettings): string {
  return (
    `the agent is given none of the notes in ${showOnOneLine(settings.workspaceDir)}, because you have not trusted ` +
    `this workspace. If you know who wrote them: ${trustCommand(settings)}`
  );
}
