/** The holder of a work lock. */
export interface WorkHolder {
  readonly pid: number;
  /** In its own words: "indexing 300 of 1000 documents". */
  readonly doing: string;
  readonly since: Date;
  /** Time since the last heartbeat. A running process sends one every second or two; a paused one does not. */
  readonly silentMs: number;
}

/** Released when disposed. */
export type HeldLock = (Disposable | AsyncDisposable) & {
  /** Reports progress; may be called often. */
  report(doing: string): void;
  /**
   * False if the lock was lost: it was deleted, or its connection broke, so that another process can acquire it too.
   */
  isIntact(): boolean;
};

/**
 * Lets one process at a time do some work. It is released as soon as its holder ends, however it ends. The holder may
 * be a process on another machine, and is then asked over the network.
 */
export interface WorkLock {
  /** Null if it is held already, in this process or another. */
  tryAcquire(doing: string): (HeldLock | null) | Promise<HeldLock | null>;
  /** Null if it is free, or if the holder is unknown. */
  holder(): (WorkHolder | null) | Promise<WorkHolder | null>;
}

/** Between the processes of one machine. */
export interface LocalWorkLock extends WorkLock {
  tryAcquire(doing: string): (HeldLock & Disposable) | null;
  holder(): WorkHolder | null;
}
