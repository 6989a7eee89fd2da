import type { Settings } from "../config/settings.ts";
import { quoteForShell } from "../hosts/shell-line.ts";
import type { Unadopted } from "../memory/unadopted.ts";
import { countOf } from "../text/count-of.ts";
import { showOnOneLine } from "../text/visible.ts";
import type { Paint } from "./output.ts";

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

/** "2,990 Markdown files here are not part of this memory", and the command to include them. */
export function describeUnadopted(
  { dir, files, isComplete }: Unadopted,
  { currentDir, paint }: { readonly currentDir: string; readonly paint: Paint },
): string {
  const isHere = dir === currentDir;
  const count = isComplete ? countOf(files, "Markdown file") : `More than ${countOf(files, "Markdown file")}`;
  const verb = files === 1 && isComplete ? "is" : "are";
  const command = `longhand adopt${isHere ? "" : ` ${quoteForShell(dir)}`}`;
  return `${count} ${isHere ? "here" : `in ${showOnOneLine(dir)}`} ${verb} not part of this memory. Include ${files === 1 ? "it" : "them"} with: ${paint("cyan", command)}`;
}
