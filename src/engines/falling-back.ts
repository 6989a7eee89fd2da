import type { Fallback } from "../embedders/fallback-chain.ts";
import { LonghandError, messageOf } from "../errors.ts";
import type { SearchAnswer, SearchHit, SearchOptions } from "../search/search.ts";
import type { Engine, PreferredEngine } from "./engine.ts";

interface FallingBackOptions {
  readonly preferred: PreferredEngine;
  /** Always up to date, so it can take over at any moment. Closed with this engine. */
  readonly builtin: Engine;
  /** The default for an answer. */
  readonly maxResults: number;
  readonly now: () => Date;
}

/** How long the preferred engine is not used after a failure; doubles each time. */
const firstPauseMs = 30_000;
const longestPauseMs = 600_000;
const freshenEveryMs = 30_000;
/** To find hits of documents that the preferred engine lacks, this many times more results are requested. */
const moreResults = 4;

/**
 * Searches with one engine, and with the builtin one if that fails. Everything but searches goes to the builtin engine
 * in any case, so that nothing is lost while the other one is unavailable.
 */
export function createFallingBackEngine(parts: FallingBackOptions): Engine {
  const { preferred, builtin, maxResults, now } = parts;
  const { name } = preferred;
  let freshenedMs = Number.NEGATIVE_INFINITY;
  let failure: { reason: string; sinceMs: number; retryAtMs: number; pauseMs: number } | null = null;

  const isPausing = (): boolean => failure !== null && now().getTime() < failure.retryAtMs;

  function noteFailure(error: unknown): string {
    const reason = messageOf(error);
    const pauseMs = Math.min(longestPauseMs, failure === null ? firstPauseMs : 2 * failure.pauseMs);
    const nowMs = now().getTime();
    failure = { reason, pauseMs, sinceMs: failure?.sinceMs ?? nowMs, retryAtMs: nowMs + pauseMs };
    return reason;
  }

  /** In the background, so that the builtin engine can answer the next query at once. */
  function keepFresh(): void {
    if (now().getTime() - freshenedMs < freshenEveryMs) return;
    freshenedMs = now().getTime();
    builtin.freshen({ reason: "search", neverLong: true }).catch(() => {});
  }

  const describe = (reason: string): Fallback => ({
    from: name,
    to: "builtin",
    reason,
    since: new Date(failure?.sinceMs ?? now().getTime()).toISOString(),
    ...(failure && { retryAt: new Date(failure.retryAtMs).toISOString() }),
  });

  async function fallBack(query: string, options: SearchOptions, reason: string): Promise<SearchAnswer> {
    const answer = await builtin.search(query, options);
    return {
      ...answer,
      fallback: describe(reason),
      degraded: [`${name}: ${reason}`, ...answer.degraded],
    };
  }

  async function search(query: string, options: SearchOptions = {}): Promise<SearchAnswer> {
    if (failure !== null && isPausing()) return await fallBack(query, options, failure.reason);
    if (options.whyNot !== undefined) {
      return await fallBack(query, options, `${name} cannot say why a line is not among its hits`);
    }
    try {
      const { answer, outdated } = await preferred.search(query, options);
      failure = null;
      keepFresh();
      return outdated.size === 0 ? answer : await addMissing(answer, outdated, query, options);
    } catch (error) {
      if (isCallerError(error)) throw error;
      return await fallBack(query, options, noteFailure(error));
    }
  }

  /** The builtin index knows the latest writes. */
  async function addMissing(
    answer: SearchAnswer,
    outdated: ReadonlySet<string>,
    query: string,
    options: SearchOptions,
  ): Promise<SearchAnswer> {
    const wanted = options.maxResults ?? maxResults;
    const own = await builtin.search(query, { ...options, maxResults: Math.min(200, moreResults * wanted) });
    const fresh = own.results.filter(({ path }) => outdated.has(path));
    const known = answer.results.filter(({ path }) => !outdated.has(path));
    const results = [...known, ...fresh].sort(byScore).slice(0, wanted);
    return { ...answer, results, stale: own.stale };
  }

  return {
    search,
    async sync(options = {}) {
      const [report, degraded] = await Promise.all([
        builtin.sync(options),
        preferred.sync({ signal: options.signal }),
      ]);
      if (degraded.length === 0) failure = null;
      return { ...report, degraded: [...report.degraded, ...degraded] };
    },
    index: builtin.index,
    freshen: builtin.freshen,
    pendingRemovals: builtin.pendingRemovals,
    watch: builtin.watch,
    async preparePurge(paths) {
      const purge = await builtin.preparePurge(paths);
      return async (edited) => {
        const outcome = await purge(edited);
        try {
          await preferred.forget();
          return outcome;
        } catch (error) {
          const reason = messageOf(error);
          const detail = `the index of ${name} could not be removed: ${reason}`;
          return { ...outcome, rawSearch: "not-searched", detail };
        }
      };
    },
    async status() {
      const own = await preferred.status();
      const reason = failure?.reason ?? own.problem;
      return {
        ...(await builtin.status()),
        preferred: {
          ...own,
          name,
          ...(reason === undefined ? {} : { fallback: describe(reason) }),
          ...(failure === null ? {} : { retryAt: new Date(failure.retryAtMs).toISOString() }),
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await preferred[Symbol.asyncDispose]();
      await builtin[Symbol.asyncDispose]();
    },
  };
}

/** The builtin engine would refuse it, too. */
function isCallerError(error: unknown): boolean {
  return error instanceof LonghandError && (error.code === "aborted" || error.code === "query-invalid");
}

function byScore(left: SearchHit, right: SearchHit): number {
  return right.score - left.score;
}
