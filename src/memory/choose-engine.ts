import { existsSync } from "node:fs";
import { join } from "node:path";
import { qmdEnvironment } from "../config/child-environment.ts";
import { parseDuration } from "../config/formats.ts";
import type { Settings } from "../config/settings.ts";
import type { Engine } from "../engines/engine.ts";
import { messageOf } from "../errors.ts";
import { removeFolderSync } from "../files.ts";
import type { Source } from "../sources/source.ts";
import { withFileLock } from "../stores/lock.ts";
import type { Store } from "../stores/store.ts";
import type { Chunker } from "../text/document.ts";
import type { Analyzer } from "../text/words/analyze.ts";

interface EngineChoiceParts {
  readonly builtin: Engine;
  readonly store: Store;
  readonly sources: readonly Source[];
  readonly analyzer: Analyzer;
  readonly chunker: Chunker;
  readonly dayOf: (moment: Date) => string;
  readonly dayModified: (path: string) => string | undefined;
  readonly now: () => Date;
}

/** The engine that the settings ask for: the builtin one, or qmd with the builtin one as its fallback. */
export async function chooseEngine(settings: Settings, parts: EngineChoiceParts): Promise<Engine> {
  const { stateDir, agentId, memory, memorySearch } = settings;
  const { builtin, store, sources, analyzer, chunker, dayOf, dayModified, now } = parts;
  const folder = join(stateDir, "agents", agentId, "qmd");
  if (memory.backend !== "qmd") return purgingLeftovers(builtin, folder);
  const { createQmdEngine } = await import("../engines/qmd/qmd-engine.ts");
  const { createFallingBackEngine } = await import("../engines/falling-back.ts");
  const { query, sync } = memorySearch;
  const { update, limits, scope } = memory.qmd;
  const maxResults = limits.maxResults ?? query.maxResults;
  const interval = update.interval === undefined ? null : parseDuration(update.interval);
  const environment = qmdEnvironment();
  const lock = join(stateDir, "locks", `qmd-${agentId}.lock`);
  const preferred = createQmdEngine({
    command: memory.qmd.command,
    searchPath: environment.PATH ?? environment.Path ?? "",
    besideFolder: import.meta.dirname,
    environment,
    folder,
    sources,
    analyzer,
    chunker,
    vocabulary: store,
    mode: memory.qmd.searchMode,
    reranks: memory.qmd.rerank,
    settings: {
      ...query,
      ...query.hybrid,
      maxResults,
      maxSnippetChars: limits.maxSnippetChars ?? query.maxSnippetChars,
    },
    today: () => dayOf(now()),
    dayModified,
    timeoutMs: limits.timeoutMs ?? memory.qmd.timeoutMs,
    searchWaitMs: sync.onSearch ? sync.searchWaitMs : null,
    updateIntervalMs: interval ?? memory.qmd.updateIntervalMinutes * 60_000,
    updateDebounceMs: update.debounceMs,
    updateTimeoutMs: update.updateTimeoutMs,
    embedIntervalMs: parseDuration(update.embedInterval) ?? 0,
    embedTimeoutMs: update.embedTimeoutMs,
    withLock: (work) => withFileLock(lock, {}, work),
    now,
  });
  const engine = createFallingBackEngine({ preferred, builtin, maxResults, now });
  return scopedEngine(engine, (sessionKey) => isSessionAllowed(scope, sessionKey));
}

/** The sessions that a rule applies to; all given fields must match. */
interface SessionMatch {
  readonly chatType?: "any" | "direct" | "group" | "channel" | undefined;
  readonly channel?: string | undefined;
  readonly keyPrefix?: string | undefined;
  readonly rawKeyPrefix?: string | undefined;
}

export interface SessionRules {
  readonly default: "allow" | "deny";
  readonly rules: readonly {
    readonly action?: "allow" | "deny" | undefined;
    readonly match?: SessionMatch | undefined;
  }[];
}

/** Whether a session may search. The first matching rule decides; a session without a key is the user's own. */
export function isSessionAllowed(
  { default: otherwise, rules }: SessionRules,
  sessionKey: string | undefined,
): boolean {
  if (sessionKey === undefined) return true;
  const key = sessionKey.trim().toLowerCase();
  const rule = rules.find(({ match }) => matches(key, match ?? {}));
  return (rule === undefined ? otherwise : (rule.action ?? "allow")) === "allow";
}

function matches(key: string, { chatType, channel, keyPrefix, rawKeyPrefix }: SessionMatch): boolean {
  // The part of `agent:<id>:<channel>:<kind>:<peer>` after the agent.
  const rest = key.replace(/^agent:[^:]*:/, "");
  const parts = rest.split(":");
  const prefix = keyPrefix?.trim().toLowerCase();
  if (prefix !== undefined && !key.startsWith(prefix) && !rest.startsWith(prefix)) return false;
  const rawPrefix = rawKeyPrefix?.trim().toLowerCase();
  if (rawPrefix !== undefined && !key.startsWith(rawPrefix)) return false;
  if (channel !== undefined && parts[0] !== channel.trim().toLowerCase()) return false;
  return chatType === undefined || chatType === "any" || chatType === chatTypeOf(parts);
}

function chatTypeOf(parts: readonly string[]): SessionMatch["chatType"] {
  if (parts.includes("channel")) return "channel";
  return parts.includes("group") ? "group" : "direct";
}

/** An engine that answers only in permitted sessions; in others it finds nothing, and the answer says why. */
function scopedEngine(engine: Engine, isAllowed: (sessionKey: string | undefined) => boolean): Engine {
  return {
    ...engine,
    async search(query, options = {}) {
      if (isAllowed(options.sessionKey)) return await engine.search(query, options);
      return {
        results: [],
        confidence: 0,
        confidenceLevel: "low",
        mode: "keyword",
        provider: "none",
        model: null,
        degraded: ["memory.qmd.scope does not allow searches in this session"],
        stale: false,
      };
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** For an engine without qmd: a purge also deletes what an earlier use of qmd has left. */
function purgingLeftovers(engine: Engine, folder: string): Engine {
  if (!existsSync(folder)) return engine;
  return {
    ...engine,
    async preparePurge(paths) {
      const purge = await engine.preparePurge(paths);
      return async (edited) => {
        const outcome = await purge(edited);
        try {
          removeFolderSync(folder);
          return outcome;
        } catch (error) {
          const why = messageOf(error);
          return {
            ...outcome,
            rawSearch: "not-searched",
            detail: `what qmd has left at ${folder} could not be removed: ${why}`,
          };
        }
      };
    },
  };
}
