import { resolve } from "node:path";
import { resolveSettings, type Settings } from "../../config/settings.ts";
import { LonghandError } from "../../errors.ts";
import {
  distrustWorkspace,
  isTrustedWorkspace,
  listTrusted,
  trustWorkspace,
} from "../../memory/workspace-trust.ts";
import { realFolder } from "../../notes/workspace.ts";
import { isFolder } from "../../paths.ts";
import { showOnOneLine } from "../../text/visible.ts";
import type { CommandContext } from "../command.ts";
import { checkFolder } from "../path-arguments.ts";
import { locationsOf } from "../with-memory.ts";

interface TrustInput {
  readonly dir?: string;
  readonly remove?: boolean;
  readonly list?: boolean;
}

export async function runTrust(context: CommandContext, input: TrustInput): Promise<void> {
  const { dir, remove = false, list = false } = input;
  const { globals, currentDir } = context;
  if (list && (remove || dir !== undefined)) throw refuseList();
  checkFolder(dir, globals);
  const named = dir === undefined ? {} : { workspace: resolve(currentDir, dir) };
  const settings = await resolveSettings({ ...locationsOf(globals), ...named });
  if (list) showList(context, settings);
  else if (remove) await distrust(context, settings);
  else await trust(context, settings);
}

async function trust({ output, now }: CommandContext, { trust, workspaceDir }: Settings): Promise<void> {
  if (!isFolder(workspaceDir)) throw refuseFolder(workspaceDir);
  const isNew = await trustWorkspace(trust, workspaceDir, now);
  output.show({ workspace: workspaceDir, trusted: true }, ({ paint }) =>
    isNew
      ? `Trusted: ${paint("cyan", showOnOneLine(workspaceDir))}. Hooks may now give its notes to your agents.`
      : `${showOnOneLine(workspaceDir)} was trusted already.`,
  );
}

async function distrust({ output }: CommandContext, settings: Settings): Promise<void> {
  const { trust, workspaceDir } = settings;
  const wasTrusted = await distrustWorkspace(trust, workspaceDir);
  const trusted = isTrustedWorkspace(settings);
  output.show({ workspace: workspaceDir, trusted }, () =>
    wasTrusted
      ? `No longer trusted: ${showOnOneLine(workspaceDir)}.`
      : `${showOnOneLine(workspaceDir)} is not on the list.`,
  );
  if (trusted)
    output.note("It stays trusted, because it is the default workspace or your configuration names it.");
}

function showList({ output }: CommandContext, { trust }: Settings): void {
  // By real path, because a folder can have several names and may be listed under another one.
  const named = [...new Set(trust.named.map(realFolder))];
  const listed = listTrusted(trust).filter(({ dir }) => !named.includes(dir));
  const workspaces = [
    ...named.map((dir) => ({ dir, by: "configuration" as const })),
    ...listed.map(({ dir, since, isThere }) => ({ dir, by: "trust" as const, since, isThere })),
  ];
  output.show({ workspaces }, ({ paint }) =>
    workspaces
      .map((workspace) => {
        const { dir, by } = workspace;
        const how =
          by === "configuration"
            ? "the default, or named by your configuration"
            : `${workspace.since.slice(0, 10)}${workspace.isThere ? "" : ", but another folder or none is there now"}`;
        return `${paint("cyan", showOnOneLine(dir))}  ${paint("dim", how)}`;
      })
      .join("\n"),
  );
}

function refuseFolder(dir: string): LonghandError {
  return new LonghandError("workspace-missing", `${showOnOneLine(dir)} is not a folder.`, {
    hint: "Name the folder that holds MEMORY.md or memory/.",
  });
}

function refuseList(): LonghandError {
  return new LonghandError("usage", "--list shows all trusted workspaces and takes nothing else.", {
    hint: "Use `longhand trust --list`, or leave --list out.",
  });
}
