import { join } from "node:path";

/** The agent whose sessions are meant, and the state folder. */
export interface SessionsOwner {
  readonly stateDir: string;
  readonly agentId: string;
}

/** Transcripts, the session store and the list of imports lie side by side. */
export function sessionsFolder({ stateDir, agentId }: SessionsOwner): string {
  return join(stateDir, "agents", agentId, "sessions");
}

/** How far the transcripts of hosts were flushed. Not among the sessions, where every file is taken for a transcript. */
export function flushProgressFolder({ stateDir, agentId }: SessionsOwner): string {
  return join(stateDir, "agents", agentId, "flushes");
}

/** One lock for all that is written there. */
export function sessionsLockPath({ stateDir, agentId }: SessionsOwner): string {
  return join(stateDir, "locks", `sessions-${agentId}.lock`);
}
