export interface EvalProgress {
  readonly completed: number;
  readonly total: number;
  readonly label: string;
}

/** Counts questions over several sets and configurations as one task. */
export interface Steps {
  advance(label: string): void;
  /** Says what is being done while no question is asked. */
  say(label: string): void;
}

export function createSteps(total: number, report: ((progress: EvalProgress) => void) | undefined): Steps {
  let completed = 0;
  return {
    advance: (label) => report?.({ completed: ++completed, total, label }),
    say: (label) => report?.({ completed, total, label }),
  };
}
