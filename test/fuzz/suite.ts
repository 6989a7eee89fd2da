/** The input of a fuzz suite. The same seed gives the same cases. */
export interface FuzzRequest {
  readonly seed: number;
  readonly count: number;
  /** An empty folder that is removed afterwards. */
  readonly dir: string;
}

export interface FuzzReport {
  /** How many cases were tried. */
  readonly cases: number;
  /** Failed cases, the first few with a description. */
  readonly failures: number;
  readonly examples: readonly string[];
  /** Other figures: how many were accepted, how many hits. */
  readonly remark?: string;
}

export type FuzzSuite = (request: FuzzRequest) => Promise<FuzzReport>;

const maxExamples = 12;

/** Counts failures and keeps the first few. */
export function createTally() {
  let failures = 0;
  const examples: string[] = [];
  return {
    fail(example: string): void {
      failures++;
      if (examples.length < maxExamples) examples.push(example.slice(0, 500));
    },
    report: (cases: number, remark?: string): FuzzReport => ({
      cases,
      failures,
      examples,
      ...(remark === undefined ? {} : { remark }),
    }),
  };
}
