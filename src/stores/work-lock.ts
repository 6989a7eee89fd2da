/** Who does the work that a lock keeps others from. */
export interface WorkHolder {
  readonly pid: number;
  /** In its own words: "indexing 300 of 1000 documents". */
  readonly doing: string;
  readonly since: Date;
  /** How long nothing was heard of it. A process that runs is heard of every second or two; a paused one is not. */
  readonly silentMs: number;
}

/** Ends with it, whichever way it is disposed of. */
export type HeldWork = (Disposable | AsyncDisposable) & {
  /** Says how far the work is; may be called often. */
  report(doing: string): void;
  /** False when the lock was lost: it was deleted, or its connection broke, so that another process can acquire it too. */
  isIntact(): boolean;
};

/**
 * Lets one process at a time do some work. It is free as soon as its holder has ended, whatever the end. It may be held
 * by a process of another machine, and then has to be asked for over a network.
 */
export interface WorkLock {
  /** Null when it is held already, in this process or another. */
  tryTake(doing: string): (HeldWork | null) | Promise<HeldWork | null>;
  /** The holder. Null when it is free, and when the holder is not known. */
  holder(): (WorkHolder | null) | Promise<WorkHolder | null>;
}

/** Between the processes of one machine. */
export interface LocalWorkLock extends WorkLock {
  tryTake(doing: string): (HeldWork & Disposable) | null;
  holder(): WorkHolder | null;
}
