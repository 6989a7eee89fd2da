import { monotonicMs } from "../timing.ts";
import type { BarStream } from "./output.ts";
import { displayWidth } from "./text-width.ts";

export interface Progress {
  report(state: { completed: number; total: number; label: string }): void;
  /** Removes the bar from the screen. */
  clear(): void;
}

const redrawMs = 80;
const eraseLine = "\r\u001b[2K";

/** A rate measured over less time is meaningless. */
const minRateMs = 500;

/** A bar of one line, redrawn at most every 80 ms; without a terminal it does nothing. */
export function createProgress(
  stream: BarStream | null,
  clock: () => number = () => monotonicMs(),
): Progress {
  if (stream === null) return { report: () => {}, clear: () => {} };
  let startedAt = clock();
  let lastCompleted = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let visible = false;
  return {
    report({ completed, total, label }) {
      const now = clock();
      // Counting restarts with each phase, and so does the rate.
      if (completed < lastCompleted) startedAt = now;
      lastCompleted = completed;
      if (now - drawnAt < redrawMs && completed < total) return;
      drawnAt = now;
      visible = true;
      const elapsedMs = now - startedAt;
      const perSecond = elapsedMs >= minRateMs ? (completed / elapsedMs) * 1000 : 0;
      stream.write(`${eraseLine}${drawLine({ completed, total, label, perSecond }, stream)}`);
    },
    clear() {
      if (visible) stream.write(eraseLine);
      visible = false;
    },
  };
}

/** Shows the progress of work, and removes it from the screen when the work has ended. */
export async function withProgress<T>(
  stream: BarStream | null,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = createProgress(stream);
  try {
    return await work(progress);
  } finally {
    progress.clear();
  }
}

/** The same for work that does not report its progress. */
export async function whileShown<T>(
  stream: BarStream | null,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  stream?.write(stream.paint("dim", text));
  try {
    return await work();
  } finally {
    stream?.write(eraseLine);
  }
}

function drawLine(
  state: { completed: number; total: number; label: string; perSecond: number },
  { columns, paint }: Pick<BarStream, "columns" | "paint">,
): string {
  const share = state.total > 0 ? Math.min(1, state.completed / state.total) : 0;
  const cells = Math.max(8, Math.min(30, Math.floor(columns / 4)));
  const filled = Math.round(share * cells);
  const rate = state.perSecond >= 1 ? ` · ${Math.round(state.perSecond)}/s` : "";
  const count = ` ${state.completed}/${state.total}${rate}  `;
  const room = columns - cells - count.length - 1;
  const bar = paint("cyan", "━".repeat(filled)) + paint("dim", "─".repeat(cells - filled));
  return bar + count + paint("dim", endOf(state.label, room));
}

/** The end of a path is more informative than its beginning. */
function endOf(label: string, room: number): string {
  const clean = label.replace(/[\p{Cc}\p{Cf}]/gu, "");
  if (displayWidth(clean) <= room) return clean;
  const characters = [...clean];
  while (characters.length > 0 && displayWidth(characters.join("")) > room - 1) characters.shift();
  return room > 1 ? `…${characters.join("")}` : "";
}
