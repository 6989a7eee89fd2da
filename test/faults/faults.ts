import { addVersusRename } from "./add-versus-rename.ts";
import { askedAtOnce } from "./asked-at-once.ts";
import { clockJumps } from "./clock-jumps.ts";
import { coldOpens } from "./cold-opens.ts";
import { crashConsolidate, crashFlush, crashForget, crashPoints } from "./crash-points.ts";
import { damagedIndex } from "./damaged-index.ts";
import { damagedWhileOpen } from "./damaged-while-open.ts";
import { diskRefuses } from "./disk-refuses.ts";
import { editVersusRename } from "./edit-versus-rename.ts";
import { editorSaves } from "./editor-saves.ts";
import { eightProcesses } from "./eight-processes.ts";
import { endedBySignal } from "./ended-by-signal.ts";
import { failingReads } from "./failing-reads.ts";
import type { Fault } from "./fault.ts";
import { fewDescriptors } from "./few-descriptors.ts";
import { fullDisk } from "./full-disk.ts";
import { killAdd } from "./kill-add.ts";
import { killFirstOpen } from "./kill-first-open.ts";
import { killForget } from "./kill-forget.ts";
import { killSessions } from "./kill-sessions.ts";
import { killSync } from "./kill-sync.ts";
import { manyEvents } from "./many-events.ts";
import { manyFiles } from "./many-files.ts";
import { oddContent } from "./odd-content.ts";
import { oneNote, oneNotePostgres } from "./one-note.ts";
import { pausedWriter } from "./paused-writer.ts";
import { quickRewrites } from "./quick-rewrites.ts";
import { randomOperations, randomOperationsPostgres } from "./random-operations.ts";
import { readOnly } from "./read-only.ts";
import { steadyAppends } from "./steady-appends.ts";
import { swappedWhileRead } from "./swapped-while-read.ts";
import { tornTranscripts } from "./torn-transcripts.ts";
import { vectorExtension } from "./vector-extension.ts";
import { watchesExhausted } from "./watches-exhausted.ts";

/** In the order in which they run: those that take a fixed time first, so that the others share what is left. */
export const faults: readonly Fault[] = [
  vectorExtension,
  oddContent,
  clockJumps,
  quickRewrites,
  editorSaves,
  askedAtOnce,
  addVersusRename,
  editVersusRename,
  swappedWhileRead,
  watchesExhausted,
  steadyAppends,
  tornTranscripts,
  damagedIndex,
  damagedWhileOpen,
  readOnly,
  failingReads,
  fewDescriptors,
  endedBySignal,
  pausedWriter,
  coldOpens,
  fullDisk,
  diskRefuses,
  crashPoints,
  crashForget,
  crashConsolidate,
  crashFlush,
  killFirstOpen,
  killSync,
  killAdd,
  killForget,
  killSessions,
  eightProcesses,
  oneNote,
  oneNotePostgres,
  randomOperations,
  randomOperationsPostgres,
  manyEvents,
  manyFiles,
];
