import type { Store } from "../stores/store.ts";
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
  try {
    const history: unknown = JSON.parse((await store.readFact(historyFact)) ?? "[]");
    return Array.isArray(history) ? history.filter(isRecord) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isRecord(value: unknown): value is SyncRecord {
  const record = value as SyncRecord | null;
  return (
    typeof record?.at === "string" && !Number.isNaN(Date.parse(record.at)) && Array.isArray(record.failures)
  );
}
