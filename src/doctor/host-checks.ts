import { findHostPlaces } from "../config/host-places.ts";
import { LonghandError } from "../errors.ts";
import { checkHost, type HostCheck } from "../hosts/connect-host.ts";
import type { HostScope } from "../hosts/host.ts";
import { hostNames, hostSetup } from "../hosts/hosts.ts";
import { type Check, type CheckGroup, unwell, well } from "./check.ts";

/** Which agent hosts use this memory, in its own folder or in all projects of the user. */
export const checkHosts: CheckGroup = ({ settings }) => {
  if (settings instanceof LonghandError) return [];
  const { home, codexHome, isOnPath } = findHostPlaces();
  const place = {
    projectDir: settings.workspaceDir,
    home,
    codexHome,
    launch: { command: "longhand", args: [] },
  };
  const found = hostNames.flatMap((name) =>
    (["project", "user"] as const satisfies HostScope[]).flatMap((scope) => {
      const checks = checkHost(hostSetup(name, { ...place, scope, options: [] }));
      // A host that nobody has connected is nothing to speak of.
      if (!checks.some(({ state }) => state !== "absent")) return [];
      return checks.map((check) => describe(check, { isOnPath, scope }));
    }),
  );
  if (found.length > 0) return found;
  const fix = "Connect one: longhand init --claude-code (or --codex, --cursor, --vscode).";
  return [well("hosts", "no agent host is connected to this memory", fix)];
};

function describe(
  { host, state, detail, startsByName }: HostCheck,
  { isOnPath, scope }: { isOnPath: boolean; scope: HostScope },
): Check {
  const command = `longhand init --${host}${scope === "user" ? " --user" : ""}`;
  if (state === "unusable")
    return unwell(host, detail, `Correct the file; ${command} --print shows what belongs into it.`);
  // Whoever wants a server without hooks may have it so.
  if (state === "absent") return well(host, detail, `Add it: ${command}`);
  if (startsByName && !isOnPath) {
    return unwell(
      host,
      `${detail}, but longhand is not on the PATH`,
      "Install it so that the host finds it, as README.md says.",
    );
  }
  return well(host, detail);
}
