import { join } from "node:path";

/** The agent that owns the sessions, and the state folder. */
interface SessionsOwner {
  readonly stateDir: string;
  readonly agentId: string;
}

/** The folder of transcripts, the session store and the list of imports. */
export function sessionsFolder({ stateDir, agentId }: SessionsOwner): string {
  return join(stateDir, "agents", agentId, "sessions");
}

/**
 * How far the transcripts of hosts have been flushed. Not in the sessions folder, where every file may be a transcript.
 */
export function flushProgressFolder({ stateDir, agentId }: SessionsOwner): string {
  return join(stateDir, "agents", agentId, "flushes");
}

/** Marks for events of hosts that were answered in the last seconds. */
export function hookMarksFolder({ stateDir, agentId }: SessionsOwner): string {
  return join(stateDir, "agents", agentId, "hooks");
}

/** One lock for all writes to that folder. */
export function sessionsLockPath({ stateDir, agentId }: SessionsOwner): string {
  return join(stateDir, "locks", `sessions-${agentId}.lock`);
}
