import { coldOpens } from "./cold-opens.ts";
import { crashPoints } from "./crash-points.ts";
import { eightProcesses } from "./eight-processes.ts";
import { endedBySignal } from "./ended-by-signal.ts";
import type { Fault } from "./fault.ts";
import { fewDescriptors } from "./few-descriptors.ts";
import { fullDisk } from "./full-disk.ts";
import { killAdd } from "./kill-add.ts";
import { killFirstOpen } from "./kill-first-open.ts";
import { killForget } from "./kill-forget.ts";
import { killSessions } from "./kill-sessions.ts";
import { killSync } from "./kill-sync.ts";
import { pausedWriter } from "./paused-writer.ts";
import { readOnly } from "./read-only.ts";

/** In the order in which they run: those that take a fixed time first, so that the others share what is left. */
export const faults: readonly Fault[] = [
  readOnly,
  fewDescriptors,
  endedBySignal,
  pausedWriter,
  coldOpens,
  fullDisk,
  crashPoints,
  killFirstOpen,
  killSync,
  killAdd,
  killForget,
  killSessions,
  eightProcesses,
];
