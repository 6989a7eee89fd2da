import { agentIdRule, isAgentId, mainAgentId } from "./config/agent-id.ts";
import { findLocations } from "./config/locations.ts";
import { LonghandError } from "./errors.ts";
import { sessionsFolder, sessionsLockPath } from "./sessions/session-paths.ts";
import { openSessionFiles } from "./sessions/store/session-files.ts";
import type { SessionStore } from "./sessions/store/session-store.ts";
import { withFileLock } from "./stores/lock.ts";
import { createTranscriptDatabases } from "./stores/transcripts/read-transcript-database.ts";

export interface OpenSessionStoreOptions {
  /** `main` by default. */
  readonly agent?: string;
  /** The state folder; by default `LONGHAND_STATE_DIR` or `~/.longhand`. */
  readonly stateDir?: string;
  /** How long a change waits for another process before it fails with `store-busy`. */
  readonly waitMs?: number;
  readonly now?: () => Date;
}

/**
 * Opens the conversations that longhand stores for an agent. Any number of processes may do so; nothing has to be
 * closed.
 */
export function openSessionStore(options: OpenSessionStoreOptions = {}): SessionStore {
  const { agent = mainAgentId, waitMs = 10_000, now } = options;
  if (!isAgentId(agent)) throw refuseAgent(agent);
  const { stateDir } = findLocations(options.stateDir === undefined ? {} : { stateDir: options.stateDir });
  const owner = { stateDir, agentId: agent };
  return openSessionFiles({
    dir: sessionsFolder(owner),
    readDatabase: createTranscriptDatabases(),
    ...(now && { now }),
    withLock: async (work) => {
      let isHeld = false;
      try {
        return await withFileLock(sessionsLockPath(owner), { timeoutMs: waitMs }, () => {
          isHeld = true;
          return work();
        });
      } catch (error) {
        throw isHeld ? error : explain(error, agent);
      }
    },
  });
}

/** The message of the lock names an index; here it guards sessions. */
function explain(error: unknown, agent: string): unknown {
  if (!(error instanceof LonghandError)) return error;
  const isBusy = error.code === "index-busy";
  const message = `The sessions of ${agent} could not be changed: ${error.message}`;
  return new LonghandError(isBusy ? "store-busy" : "session-unusable", message, {
    hint: error.hint,
    retryable: isBusy,
    cause: error,
  });
}

function refuseAgent(agent: string): LonghandError {
  return new LonghandError("session-invalid", `${JSON.stringify(agent)} cannot be the id of an agent.`, {
    hint: `Use ${agentIdRule}.`,
  });
}
