import type { Settings } from "../config/settings.ts";
import { tokenPath } from "../http/token.ts";

/** The file with the HTTP token of an agent: the current one, or another one from the configuration. */
export function tokenFileOf(settings: Settings, agentId: string): string {
  const { stateDir, configuredAgents, origins } = settings;
  const origin = origins.get("agentId")?.from;
  const isGiven = agentId === settings.agentId && (origin === "caller" || origin === "environment");
  const isOneOfMany =
    configuredAgents.includes(agentId) && new Set([settings.agentId, ...configuredAgents]).size > 1;
  return tokenPath(stateDir, { agentId, isNamed: agentId !== "main" && (isGiven || isOneOfMany) });
}
