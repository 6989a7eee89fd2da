/** A kind of fault, and a program that provokes it repeatedly. */
export interface Fault {
  /** For the command line, in kebab-case. */
  readonly name: string;
  /** The description for the table. */
  readonly what: string;
  /** Number of cycles in `npm run test:faults`; absent: left out there, because it takes too long. */
  readonly shortCycles?: number;
  /** Number of cycles in a long run, time permitting. */
  readonly longCycles: number;
  /** Why it cannot be tried on this machine; null when it can. */
  readonly obstacle?: () => string | null;
  readonly run: (options: FaultOptions) => Promise<FaultResult>;
}

export interface FaultOptions {
  readonly seed: number;
  readonly cycles: number;
  /** On the clock of `performance.now()`: no cycle begins after it. */
  readonly endsAtMs: number;
  /** The factor for time limits; infinite in tests, whose machine may be busy. */
  readonly timeFactor: number;
  /** Empty, and for this run alone. */
  readonly folder: string;
}

export interface FaultResult {
  readonly cycles: number;
  /** Acknowledged text that is missing from the files, or torn. */
  readonly losses: readonly string[];
  /** An index that does not match its notes after recovery, or a wrong answer. */
  readonly divergences: readonly string[];
  /** Calls that failed although the fault does not justify it. */
  readonly errors: readonly string[];
  /** Figures and remarks for the table. */
  readonly notes: readonly string[];
}

/** Counts the events of a run. */
export function createTally() {
  const [losses, divergences, errors, notes]: [string[], string[], string[], string[]] = [[], [], [], []];
  let cycles = 0;
  return {
    losses,
    divergences,
    errors,
    notes,
    /** The numbers of the cycles: as many as requested, time permitting, but at least one. */
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

/** The reason of a rejection, in one line. */
export function describeError(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return `${code ?? "error"}: ${String(message ?? error)
    .split("\n")
    .slice(0, 3)
    .join(" ")}`;
}
