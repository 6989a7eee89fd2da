import type { Store } from "../stores/store.ts";
import { fieldsOf } from "../text/fields.ts";
import { parseJson } from "../text/parse-json.ts";
import type { SyncFailure } from "./prepare.ts";

/** A sync that did something, or that was requested. */
export interface SyncRecord {
  readonly at: string;
  readonly reason: string;
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  /** How many documents could not be indexed; `failures` has the first few. */
  readonly failed: number;
  readonly failures: readonly SyncFailure[];
  readonly durationMs: number;
}

const historyFact = "sync_history";
const maxRecords = 20;
const maxFailures = 5;

/** If two processes write at once, one record is lost; the history is only for display, and nothing depends on it. */
export async function recordSync(
  store: Pick<Store, "readFact" | "writeFact">,
  { failed, ...pass }: Omit<SyncRecord, "failed" | "failures"> & { readonly failed: readonly SyncFailure[] },
): Promise<void> {
  const record = { ...pass, failed: failed.length, failures: failed.slice(0, maxFailures) };
  const history = [record, ...(await readSyncHistory(store))].slice(0, maxRecords);
  await store.writeFact(historyFact, JSON.stringify(history));
}

/** The newest first; empty when the record cannot be read. */
export async function readSyncHistory(store: Pick<Store, "readFact">): Promise<readonly SyncRecord[]> {
  const history = parseJson((await store.readFact(historyFact)) ?? "");
  return Array.isArray(history) ? history.filter(isRecord) : [];
}

function isRecord(value: unknown): value is SyncRecord {
  const record = value as SyncRecord | null;
  return (
    typeof record?.at === "string" && !Number.isNaN(Date.parse(record.at)) && Array.isArray(record.failures)
  );
}

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
  const { at, problems } = fieldsOf(parseJson((await store.readFact(sharingFact)) ?? ""));
  const isUsable = typeof at === "string" && Array.isArray(problems);
  return isUsable && now.getTime() - Date.parse(at) < rememberedMs ? { at, problems } : null;
}

const rememberedMs = 7 * 24 * 3_600_000;

function name(paths: readonly string[]): string {
  const [first, ...others] = paths;
  return others.length === 0 ? first! : `${first} and ${others.length} more`;
}
