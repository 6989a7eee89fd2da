import type { ProviderFailure } from "./provider-failure.ts";

/** A provider that fails, until it answers again. */
export interface Trouble extends ProviderFailure {
  /** In a row. */
  readonly failures: number;
  readonly sinceMs: number;
  /** Not asked before. */
  readonly retryAtMs: number;
}

/** Where the processes of one index leave each other what they found out; one text for all embedders. */
export interface FailureRecord {
  read(): Promise<string | null>;
  write(json: string): Promise<void>;
}

/** By embedder id. What cannot be understood was written by another version or a hand, and is forgotten. */
export function parseRecord(json: string | null): Map<string, Trouble> {
  const record = new Map<string, Trouble>();
  if (json === null) return record;
  try {
    for (const [id, value] of Object.entries(JSON.parse(json) as Record<string, unknown>)) {
      if (isTrouble(value)) record.set(id, value);
    }
  } catch {
    // As said above.
  }
  return record;
}

function isTrouble(value: unknown): value is Trouble {
  if (typeof value !== "object" || value === null) return false;
  const { reason, kind, failures, sinceMs, retryAtMs } = value as Partial<Trouble>;
  const times = [failures, sinceMs, retryAtMs];
  return (
    typeof reason === "string" &&
    (kind === "unreachable" || kind === "refused" || kind === "late") &&
    times.every((time) => typeof time === "number" && Math.abs(time) < 8.64e15)
  );
}
