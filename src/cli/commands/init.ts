import { existsSync, lstatSync } from "node:fs";
import { devNull } from "node:os";
import { resolve } from "node:path";
import { findConfigPath } from "../../config/locations.ts";
import { describeUnused, findUnusedServices, lacksKey } from "../../config/provider-access.ts";
import { resolveSettings, type Settings } from "../../config/settings.ts";
import { LonghandError, unlessRefused } from "../../errors.ts";
import {
  type ConnectedHost,
  type ConnectedPart,
  connectHosts,
  disconnectHosts,
  planRemoval,
  refuseUneditable,
} from "../../hosts/connect-host.ts";
import { quoteForShell } from "../../hosts/shell-line.ts";
import { trustWorkspace } from "../../memory/workspace-trust.ts";
import { initWorkspace } from "../../notes/init.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import { configTemplate, editConfig, withValue, writeConfig } from "../edit-config.ts";
import {
  chosenHosts,
  describeHost,
  describeSetup,
  type HostChoice,
  hasOwnWorkspaces,
  planHosts,
  renderAllowAdvice,
  renderHosts,
  renderSetups,
  renderSteps,
} from "../host-setup.ts";
import type { Paint } from "../output.ts";
import { checkFolder } from "../path-arguments.ts";
import { askLine, isYes } from "../read-input.ts";
import { locationsOf } from "../with-memory.ts";

interface InitInput extends HostChoice {
  readonly dir?: string;
  readonly provider?: string;
  readonly fromOpenclaw?: boolean;
}

export async function runInit(context: CommandContext, input: InitInput): Promise<void> {
  if (input.fromOpenclaw) {
    const { print: _, ...choice } = input;
    if (chosenHosts(choice).length > 0) throw refuseHosts();
    const { runInitFromOpenclaw } = await import("./init-from-openclaw.ts");
    return await runInitFromOpenclaw(context, input);
  }
  const { dir } = input;
  const { globals, output } = context;
  const locations = locationsOf(globals);
  const configPath = findConfigPath(locations);
  // This command creates a named file that does not exist, so its absence is no error here.
  const settings = await resolveSettings({ ...locations, ...noConfig(configPath) });
  const { currentDir } = context;
  checkFolder(dir, globals);
  const workspace = chooseFolder(settings, { dir, currentDir });
  const isNamed = dir !== undefined || globals.workspace !== undefined;
  const chosen = chosenHosts(input);
  const setups = planHosts(chosen, input, { globals, workspace, currentDir, isNamed });
  if (input.remove) {
    if (input.print) showPlannedRemoval(planRemoval(setups), context);
    else showRemoved(disconnectHosts(setups), context);
    return;
  }
  if (input.print) {
    const hosts = setups.map(describeSetup);
    output.show({ workspace, created: [], hosts }, () => renderSetups(setups));
    return;
  }
  if (!isNamed && hasOwnWorkspaces(chosen)) {
    const connected = connectHosts(setups);
    output.show({ hosts: connected.map(describeHost) }, ({ paint }) =>
      renderHosts(connected, paint).join("\n"),
    );
    output.note(renderSteps(connected));
    return;
  }
  if (input.provider !== undefined) refuseOverridden(settings);
  refuseUneditable(setups);
  const created = await initWorkspace(workspace);
  const hadNotes = created.length < 2;
  const { trust } = await resolveSettings({ ...locationsOf(globals), ...noConfig(configPath), workspace });
  const isNew = await trustWorkspace(trust, workspace, context.now);
  if (createConfig(configPath)) created.push(configPath);
  const provider = input.provider ?? (await askForProvider(context, settings));
  if (provider)
    await editConfig(locations, (before) =>
      withValue(before, ["agents", "defaults", "memorySearch", "provider"], provider),
    );
  const hosts = connectHosts(setups);
  output.show(
    { workspace, created, ...(hosts.length > 0 && { hosts: hosts.map(describeHost) }) },
    ({ paint }) =>
      [
        renderCreated({ workspace, created, isAll: hosts.length === 0 && !provider, paint }),
        ...renderHosts(hosts, paint),
      ].join("\n"),
  );
  // From now on, existing notes reach the agent, whoever wrote them.
  if (isNew && hadNotes) output.note(trustNotice);
  if (hosts.length > 0) output.note(renderSteps(hosts) + renderAllowAdvice(chosen, input));
  else output.note(renderNextSteps({ workspace, currentDir, settings, paint: output.paintNote }));
  const inEffect = provider ? await resolveSettings({ ...locationsOf(globals), workspace }) : settings;
  output.note(describeProvider(provider, inEffect));
}

function refuseHosts(): LonghandError {
  return new LonghandError("usage", "--from-openclaw and connecting a host are two steps.", {
    hint: "Run longhand init --from-openclaw first, then longhand init with the host.",
  });
}

function showRemoved(hosts: readonly ConnectedHost[], { output }: CommandContext): void {
  const removed = hosts.map((host) => ({ ...host, parts: host.parts.filter(isRemoved) }));
  output.show({ hosts: hosts.map(describeHost) }, ({ paint }) => {
    const lines = renderHosts(removed, paint);
    return lines.length === 0 ? nothingToRemove : lines.join("\n");
  });
  output.note(renderSteps(hosts));
}

function showPlannedRemoval(hosts: readonly ConnectedHost[], { output }: CommandContext): void {
  const removed = hosts.flatMap(({ parts }) => parts.filter(isRemoved));
  output.show({ hosts: hosts.map(describeHost) }, () =>
    removed.length === 0
      ? nothingToRemove
      : `Would be removed:\n${removed.map(({ path, purpose }) => `  ${path} (${purpose})`).join("\n")}`,
  );
}

function isRemoved({ state }: ConnectedPart): boolean {
  return state === "removed";
}

const nothingToRemove = "The settings of these hosts contained nothing from longhand.";

const trustNotice =
  "Hooks may now give the notes that were here already to your agents. Undo with: longhand trust --remove";

function noConfig(configPath: string): { config?: string } {
  return existsSync(configPath) ? {} : { config: devNull };
}

/** The named folder, otherwise the current one, even if a parent folder already has a memory. */
function chooseFolder(
  { workspaceDir, workspaceOrigin }: Settings,
  { dir, currentDir }: { dir: string | undefined; currentDir: string },
): string {
  if (dir !== undefined) return resolve(currentDir, dir);
  const isNamed = workspaceOrigin.from !== "default" && workspaceOrigin.from !== "found";
  return isNamed ? workspaceDir : currentDir;
}

/** True if it was created, false if it already exists. */
function createConfig(path: string): boolean {
  // If the system does not say whether it exists, writing it fails, too, and says why.
  const isThere = unlessRefused(
    () => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
    () => false,
  );
  if (path === devNull || isThere) return false;
  writeConfig(path, configTemplate, null);
  return true;
}

/** The chosen provider, otherwise the keys that are not used. */
function describeProvider(provider: string | null | undefined, settings: Settings): string {
  if (provider === null) return "";
  if (provider !== undefined) {
    const missing = lacksKey(settings, provider);
    return missing === null
      ? `\nEmbeddings now come from ${provider}. Check it with: longhand status`
      : `\n${provider} is set, but has no key, so the builtin model is used until you set ${missing} in the environment, or memorySearch.remote.apiKey in the configuration.`;
  }
  const unused = findUnusedServices(settings);
  return unused === null ? "" : `\n${describeUnused(unused)}`;
}

interface Made {
  readonly workspace: string;
  readonly created: readonly string[];
  /** Whether nothing else was to be created. */
  readonly isAll: boolean;
  readonly paint: Paint;
}

function renderCreated({ workspace, created, isAll, paint }: Made): string {
  const lines = created.map((name) => `  ${paint("green", "created")}  ${showOnOneLine(name)}`);
  if (lines.length === 0 && isAll) lines.push("  Everything was there already; nothing was changed.");
  return [`Memory in ${paint(["cyan", "bold"], showOnOneLine(workspace))}`, ...lines].join("\n");
}

interface NextSteps {
  readonly workspace: string;
  readonly currentDir: string;
  readonly settings: Settings;
  readonly paint: Paint;
}

function renderNextSteps({ workspace, currentDir, settings, paint }: NextSteps): string {
  const { workspaceDir, workspaceOrigin } = settings;
  const lines: string[] = [];
  if (workspaceOrigin.from === "found" && workspaceDir !== workspace && workspace === currentDir) {
    lines.push(`From here, this memory is used instead of the one in ${workspaceDir}.`, "");
  }
  const locations = workspace === currentDir ? "" : ` --workspace ${quoteForShell(workspace)}`;
  lines.push(
    "Try next:",
    `  ${paint("cyan", `longhand add "We ship on Fridays only." --to long-term${locations}`)}`,
    `  ${paint("cyan", `longhand search "when do we ship?"${locations}`)}`,
    `  ${paint("cyan", `longhand status${locations}`)}`,
    `  ${paint("cyan", "longhand init --all")}    connect the agents on this machine`,
  );
  return `\n${lines.join("\n")}`;
}

/**
 * On a terminal, asks whether the service whose key is in the environment may receive texts. "No" is a choice as well;
 * an empty answer is not, and returns null. Undefined if nothing was asked.
 */
export async function askForProvider(
  context: Pick<CommandContext, "input" | "output" | "signal" | "globals">,
  settings: Pick<Settings, "memorySearch" | "models" | "origins">,
): Promise<string | null | undefined> {
  const unused = findUnusedServices(settings);
  const { input, globals } = context;
  if (unused === null || !input.isTTY || globals.json || globals.quiet) return undefined;
  const answer = await askLine(context, `${describeUnused(unused)}\nUse ${unused.provider}? [y/N] `);
  if (isYes(answer)) return unused.provider;
  return /^\s*no?\s*$/i.test(answer) ? "builtin" : null;
}

/** Refuses a choice that the configuration would override. */
function refuseOverridden({ origins, agentId }: Settings): void {
  const origin = origins.get("memorySearch.provider");
  if (origin?.from !== "file" || !origin.key.startsWith("agents.list")) return;
  throw new LonghandError(
    "config-invalid",
    `Could not set the provider: the agent ${agentId} has its own, ${origin.key} in ${origin.path}.`,
    { hint: "Change it there." },
  );
}
