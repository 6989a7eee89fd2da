/** One way in which the world is unkind, and a program that brings it about again and again. */
export interface Fault {
  /** For the command line, in kebab-case. */
  readonly name: string;
  /** What is done, for the table. */
  readonly what: string;
  /** How often in `npm run test:faults`; absent: never there, because it takes too long. */
  readonly shortCycles?: number;
  /** How often in a long run, as far as its time goes. */
  readonly longCycles: number;
  /** Why it cannot be tried on this machine; null when it can. */
  readonly obstacle?: () => string | null;
  readonly run: (options: FaultOptions) => Promise<FaultResult>;
}

export interface FaultOptions {
  readonly seed: number;
  readonly cycles: number;
  /** By `performance.now()`: no cycle begins after it. */
  readonly endsAtMs: number;
  /** By how much a time limit is multiplied; without limit in tests, whose machine may do other work as well. */
  readonly timeFactor: number;
  /** Empty, and for this run alone. */
  readonly folder: string;
}

export interface FaultResult {
  readonly cycles: number;
  /** Acknowledged text that is not in the files, or is torn. */
  readonly losses: readonly string[];
  /** An index that is not that of its notes after recovery, or an answer that is wrong. */
  readonly divergences: readonly string[];
  /** Calls that failed though the fault is no reason to. */
  readonly errors: readonly string[];
  /** Figures and remarks, for the table. */
  readonly notes: readonly string[];
}

/** Counts what happens in a run. */
export function createTally() {
  const [losses, divergences, errors, notes]: [string[], string[], string[], string[]] = [[], [], [], []];
  let cycles = 0;
  return {
    losses,
    divergences,
    errors,
    notes,
    /** The numbers of the cycles, as many as wanted and as time allows, but at least one. */
    *cycles({ cycles: wanted, endsAtMs }: FaultOptions): Generator<number> {
      while (cycles < wanted && (cycles === 0 || performance.now() < endsAtMs)) yield cycles++;
    },
    count: (more: number): void => {
      cycles += more;
    },
    result: (): FaultResult => ({ cycles, losses, divergences, errors, notes }),
  };
}

export type Tally = ReturnType<typeof createTally>;

/** What a promise was rejected with, in one line. */
export function describeError(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return `${code ?? "error"}: ${String(message ?? error)
    .split("\n")
    .slice(0, 3)
    .join(" ")}`;
}
