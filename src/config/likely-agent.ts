import { mainAgentId } from "./agent-id.ts";
import { nearestKey } from "./nearest-key.ts";
import type { Settings } from "./settings.ts";

/** Any id is an agent with a memory of its own; this is the configured agent that one with a typo probably means. */
export function likelyAgent({
  agentId,
  configuredAgents,
  origins,
}: Pick<Settings, "agentId" | "configuredAgents" | "origins">): string | null {
  const isNamed = ["caller", "environment"].includes(origins.get("agentId")?.from ?? "");
  if (!isNamed || [...configuredAgents, mainAgentId].includes(agentId)) return null;
  const nearest = nearestKey(agentId, configuredAgents);
  // agent-3 beside agent-2 is the next in a series.
  const name = (id: string): string => id.replaceAll(/\d+/g, "0");
  return nearest === null || name(nearest) === name(agentId) ? null : nearest;
}
