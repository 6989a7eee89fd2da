import type { Store } from "../stores/store.ts";

/** What a sync did to documents that came from another machine on the same index. */
export interface SharingConflict {
  /** Indexed from here before, unchanged since, and yet not in the index as they are: put back. */
  readonly restored: readonly string[];
  /** In the index, never indexed from here, and not in this machine's folder: removed. */
  readonly foreign: readonly string[];
}

/** The store's fact about the last conflict: JSON `{at, problems}`. */
const sharingFact = "sharing";

export interface SharingTrouble {
  readonly at: string;
  readonly problems: readonly string[];
}

export function describeSharing({ restored, foreign }: SharingConflict): string[] {
  const advice =
    "Machines, clones and worktrees that share an index need the same notes; otherwise give each its own agent (--agent).";
  return [
    ...(restored.length === 0
      ? []
      : [
          `another machine replaced or removed ${name(restored)} in the shared index, put back now. ${advice}`,
        ]),
    ...(foreign.length === 0
      ? []
      : [`removed ${name(foreign)} from the shared index, which this machine never had. ${advice}`]),
  ];
}

export async function recordSharing(store: Pick<Store, "writeFact">, trouble: SharingTrouble): Promise<void> {
  if (trouble.problems.length > 0) await store.writeFact(sharingFact, JSON.stringify(trouble));
}

/** Null when there was no recent conflict. */
export async function readSharing(store: Pick<Store, "readFact">, now: Date): Promise<SharingTrouble | null> {
  try {
    const { at, problems } = JSON.parse(
      (await store.readFact(sharingFact)) ?? "{}",
    ) as Partial<SharingTrouble>;
    const isUsable = typeof at === "string" && Array.isArray(problems);
    return isUsable && now.getTime() - Date.parse(at) < rememberedMs ? { at, problems } : null;
  } catch {
    return null;
  }
}

const rememberedMs = 7 * 24 * 3_600_000;

function name(paths: readonly string[]): string {
  const [first, ...others] = paths;
  return others.length === 0 ? first! : `${first} and ${others.length} more`;
}
