import type { SourceName } from "../text/document.ts";
import { sha256 } from "../text/hash.ts";

export interface VanishedOptions {
  readonly knownCount: number;
  /** The `remember` value of an earlier sync, or null. */
  readonly remembered: string | null;
  readonly now: Date;
  readonly force: boolean;
}

export interface VanishedDecision {
  readonly removed: readonly string[];
  readonly pendingRemovals: readonly string[];
  /** Passed to the next sync; null when nothing is pending. */
  readonly remember: string | null;
}

/**
 * A folder that is not mounted looks like a folder whose notes were all deleted. So when more than half of at least
 * four known documents vanish at once, they stay until a later sync, no sooner than two seconds after, misses the very
 * same ones. Fewer than four are quickly indexed again.
 */
export function assessVanished(vanished: readonly string[], options: VanishedOptions): VanishedDecision {
  const { knownCount, remembered, now, force } = options;
  const isMass = knownCount >= 4 && vanished.length * 2 > knownCount;
  if (!isMass || force) return { removed: vanished, pendingRemovals: [], remember: null };

  const digest = sha256([...vanished].sort().join("\n"));
  const earlier = parse(remembered);
  const ageMs = earlier?.digest === digest ? now.getTime() - earlier.atMs : -1;
  if (ageMs >= minAgeMs) return { removed: vanished, pendingRemovals: [], remember: null };
  // A clock that was set back must not make the wait longer.
  const atMs = earlier && ageMs >= 0 ? earlier.atMs : now.getTime();
  return { removed: [], pendingRemovals: vanished, remember: JSON.stringify({ atMs, digest }) };
}

/** The store's fact about documents that may only seem to be gone: what `remember` said, or nothing. */
export function vanishedFact(source: SourceName): string {
  return `vanished_${source}`;
}

const minAgeMs = 2000;

function parse(remembered: string | null): { atMs: number; digest: string } | null {
  try {
    return JSON.parse(remembered ?? "null");
  } catch {
    return null;
  }
}
