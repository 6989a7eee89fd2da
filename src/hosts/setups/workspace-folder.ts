import type { HostPlace } from "../host.ts";

/** For hosts that start a server in any folder but put the project's folder into its arguments. */
export function withWorkspaceFolder(place: HostPlace): HostPlace {
  const isNamed = place.options.includes("--workspace");
  if (place.scope === "user" || isNamed) return place;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the host replaces it.
  return { ...place, options: [...place.options, "--workspace", "${workspaceFolder}"] };
}
