import { LonghandError, messageOf } from "../errors.ts";
import { fieldsOf } from "../text/fields.ts";
import { parseJson } from "../text/parse-json.ts";
import type { Embedder } from "./embedder.ts";

/** One embedder of a chain. */
export interface ChainLink {
  readonly provider: string;
  /** Opens it on the first call; null if it cannot be opened. */
  open(): Promise<Embedder | null>;
}

/** A query cannot wait long, so one late answer says little about documents. */
type ChainPurpose = "query" | "documents";

/** Which provider replaces which. */
export interface Fallback {
  readonly from: string;
  /** `none`: keyword search only. */
  readonly to: string;
  readonly reason: string;
  readonly since: string;
  /** When the failing provider is tried again; absent if only opening the memory again does that. */
  readonly retryAt?: string;
}

/**
 * The embedders of a memory in order of preference: the chosen one, the configured fallback, the builtin model. A caller
 * that needs vectors uses the first usable link and reports the outcome. Each link has its own id, so its vectors are
 * only compared with each other.
 */
export interface FallbackChain extends AsyncDisposable {
  readonly links: readonly ChainLink[];
  /** The links to try now, best first. Those that failed are paused, with exponential backoff. */
  usable(purpose: ChainPurpose): ChainLink[];
  /** The first link has failed and has not answered since. */
  isFailing(): boolean;
  /** The first link that is not known to fail, here or in another process; null if all are. */
  inUse(): Promise<Embedder | null>;
  failed(link: ChainLink, failure: ProviderFailure): Promise<void>;
  answered(link: ChainLink, purpose: ChainPurpose): Promise<void>;
  /** Reads what other processes found out. */
  learn(): Promise<void>;
  /** Ends all pauses, for a caller who explicitly wants vectors. */
  retryNow(): Promise<void>;
  describe(): Promise<Fallback | null>;
}

interface ChainOptions {
  readonly links: readonly ChainLink[];
  /** Shared by the processes of an index, so that not each of them waits for the same dead service. */
  readonly record?: FailureRecord;
  readonly now: () => Date;
}

const firstPauseMs = 10_000;
const longestPauseMs = 600_000;

export function createFallbackChain({ links: given, record, now }: ChainOptions): FallbackChain {
  const opened = new Map<ChainLink, Promise<Embedder | null>>();
  const ids = new Map<ChainLink, string>();
  const troubles = new Map<ChainLink, Trouble>();
  /** Failures that are also in the record, so that another process can clear them. */
  const shared = new Set<ChainLink>();
  /** Pauses up to this moment were ended by `retryNow`. */
  const endedPauses = new Map<ChainLink, number>();
  let recorded: ReadonlyMap<string, Trouble> = new Map();

  const links = given.map((link): ChainLink => {
    const own: ChainLink = {
      provider: link.provider,
      async open() {
        const known = opened.get(own);
        if (known !== undefined) return await known;
        const opening = link.open();
        opened.set(own, opening);
        const embedder = await opening;
        if (embedder !== null) ids.set(own, embedder.id);
        return embedder;
      },
    };
    return own;
  });
  const [first] = links;

  const recordedOf = (link: ChainLink): Trouble | undefined => recorded.get(ids.get(link) ?? "");

  function isPaused(link: ChainLink, purpose: ChainPurpose): boolean {
    const trouble = troubles.get(link);
    if (trouble === undefined || now().getTime() >= trouble.retryAtMs) return false;
    return purpose === "query" || trouble.kind !== "late" || trouble.failures > 1;
  }

  /** Each link by the id it had when it was opened, which is the same in other processes. */
  async function write(link: ChainLink, trouble: Trouble | undefined): Promise<void> {
    const id = ids.get(link);
    if (id === undefined || record === undefined) return;
    const next = new Map(parseRecord(await record.read()));
    if (trouble === undefined) next.delete(id);
    else next.set(id, trouble);
    try {
      await record.write(JSON.stringify(Object.fromEntries(next)));
      recorded = next;
      if (trouble === undefined) shared.delete(link);
      else shared.add(link);
    } catch {
      // With a read-only index each process has to find out on its own.
    }
  }

  async function learn(): Promise<void> {
    if (record === undefined) return;
    recorded = parseRecord(await record.read());
    for (const link of links) {
      const [own, recorded] = [troubles.get(link), recordedOf(link)];
      const knownUntilMs = Math.max(own?.retryAtMs ?? 0, endedPauses.get(link) ?? 0);
      if (recorded?.kind === "unreachable" && recorded.retryAtMs > knownUntilMs) {
        troubles.set(link, recorded);
        shared.add(link);
      } else if (recorded === undefined && shared.delete(link)) {
        // Another process got an answer.
        troubles.delete(link);
      }
    }
  }

  const isTroubled = (link: ChainLink): boolean => troubles.has(link) || recordedOf(link) !== undefined;

  async function inUse(): Promise<Embedder | null> {
    await first?.open();
    await learn();
    for (const link of links) {
      const embedder = isTroubled(link) ? null : await link.open();
      if (embedder !== null && !isTroubled(link)) return embedder;
    }
    return null;
  }

  return {
    links,
    usable: (purpose) => links.filter((link) => !isPaused(link, purpose)),
    isFailing: () => first !== undefined && troubles.has(first),
    inUse,
    learn,
    async failed(link, { reason, kind }) {
      const before = troubles.get(link) ?? recordedOf(link);
      const failures = (troubles.get(link)?.failures ?? 0) + 1;
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
      const nowMs = now().getTime();
      const sinceMs = before?.sinceMs ?? nowMs;
      const trouble = { reason, kind, failures, sinceMs, retryAtMs: nowMs + pauseMs };
      troubles.set(link, trouble);
      const recorded = recordedOf(link);
      // The end of the pause matters only where the provider can be skipped.
      const isKnown = kind !== "unreachable" && recorded?.reason === reason && recorded.kind === kind;
      if (!isKnown) await write(link, trouble);
    },
    async answered(link, purpose) {
      const own = troubles.get(link);
      if (purpose === "documents" && own?.kind === "late") return;
      troubles.delete(link);
      if (own !== undefined || recordedOf(link) !== undefined) await write(link, undefined);
    },
    async retryNow() {
      await learn();
      for (const [link, trouble] of troubles) {
        endedPauses.set(link, trouble.retryAtMs);
        troubles.set(link, { ...trouble, retryAtMs: 0 });
      }
    },
    async describe() {
      const to = await inUse();
      const trouble = first && (troubles.get(first) ?? recordedOf(first));
      if (trouble === undefined) return null;
      return {
        from: first!.provider,
        to: to?.provider ?? "none",
        reason: trouble.reason,
        since: new Date(trouble.sinceMs).toISOString(),
        ...(trouble.retryAtMs > now().getTime() && {
          retryAt: new Date(trouble.retryAtMs).toISOString(),
        }),
      };
    },
    async [Symbol.asyncDispose]() {
      // The chosen one is open whether or not it was used.
      await first?.open().catch(() => null);
      for (const opening of opened.values()) {
        const embedder = await opening.catch(() => null);
        await embedder?.[Symbol.asyncDispose]();
      }
    },
  };
}

/** A chain of one embedder, without a fallback. */
export function chainOf(embedder: Embedder): FallbackChain {
  const link = { provider: embedder.provider, open: async () => embedder };
  return createFallbackChain({ links: [link], now: () => new Date() });
}

/** For `degraded`. */
export function describeFallback({ from, to, reason }: Pick<Fallback, "from" | "to" | "reason">): string {
  const instead = to === "none" ? "only keyword search answers" : `${to} takes over`;
  return `${from} cannot be used: ${reason.replace(/\.$/, "")}; ${instead}`;
}

/** A provider that fails, until it answers again. */
interface Trouble extends ProviderFailure {
  /** In a row. */
  readonly failures: number;
  readonly sinceMs: number;
  /** Not used before this time. */
  readonly retryAtMs: number;
}

/** Where the processes of one index share the state of failing providers; one string for all embedders. */
export interface FailureRecord {
  read(): Promise<string | null>;
  write(json: string): Promise<void>;
}

/** By embedder id. Malformed records, from another version or an edit by hand, are ignored. */
function parseRecord(json: string | null): Map<string, Trouble> {
  const entries = Object.entries(fieldsOf(parseJson(json ?? "")));
  return new Map(entries.filter((entry): entry is [string, Trouble] => isTrouble(entry[1])));
}

function isTrouble(value: unknown): value is Trouble {
  const { reason, kind, failures, sinceMs, retryAtMs } = fieldsOf(value);
  const times = [failures, sinceMs, retryAtMs];
  return (
    typeof reason === "string" &&
    (kind === "unreachable" || kind === "refused" || kind === "late") &&
    times.every((time) => typeof time === "number" && Math.abs(time) < 8.64e15)
  );
}

/** Why an embedder gave no vectors, and which processes that concerns. */
export interface ProviderFailure {
  readonly reason: string;
  /**
   * `unreachable`: every process on this machine would have the same failure. `refused`: it may be due to this process,
   * such as its key or its model process. `late`: a query stopped waiting, and the next one may be answered in time.
   */
  readonly kind: "unreachable" | "refused" | "late";
}

export function failureOf(error: unknown): ProviderFailure {
  const isDown = error instanceof LonghandError && error.code === "provider-unreachable";
  return { reason: messageOf(error), kind: isDown ? "unreachable" : "refused" };
}
