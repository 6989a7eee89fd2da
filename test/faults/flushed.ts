import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFlushProgress } from "../../src/flush/flush-progress.ts";
import { createTranscriptFlush, type HostSession } from "../../src/flush/flush-transcript.ts";
import type { Tally } from "./fault.ts";
import type { FaultPlace } from "./fault-place.ts";

type Folders = Pick<FaultPlace, "workspace" | "stateDir">;

export const progressFolder = ({ stateDir }: Pick<Folders, "stateDir">): string => join(stateDir, "flushes");

const sessionOf = ({ stateDir }: Pick<Folders, "stateDir">): HostSession => ({
  transcript: join(stateDir, "transcript.jsonl"),
  sessionId: "planted",
});

const line = (content: string, more: object = {}) =>
  `${JSON.stringify({ type: "user", uuid: "u", message: { role: "user", content }, ...more })}\n`;

/** A conversation of a host, in which one sentence is to be kept. */
export function writeTranscript(place: Pick<Folders, "stateDir">, sentence: string): HostSession {
  const session = sessionOf(place);
  mkdirSync(place.stateDir, { recursive: true });
  const around = "Look at the file again and run it.";
  writeFileSync(session.transcript, [around, sentence, around].map((text) => line(text)).join(""));
  return session;
}

/** The host compacts and goes on, as it does whatever has become of its hook; then the sentence is in the notes, once. */
export async function checkFlushed(
  place: FaultPlace,
  { planted, tally, when }: { planted: string; tally: Tally; when: string },
): Promise<void> {
  const session = sessionOf(place);
  appendFileSync(session.transcript, line("A summary.", { isCompactSummary: true }) + line("Go on."));
  await place.use(async (memory) => {
    const flush = createTranscriptFlush({ memory, progress: openFlushProgress(progressFolder(place)) });
    flush.oweCompacted(session);
    const { isComplete, problems } = await flush.finish();
    if (!isComplete) tally.errors.push(`${when}: ${problems.join(" ")}`);
  });
  const notes = readdirSync(place.at("memory")).map((name) =>
    readFileSync(place.at(`memory/${name}`), "utf8"),
  );
  const count = notes.join("\n").split(planted).length - 1;
  if (count !== 1) tally.losses.push(`${when}: the sentence stands in the notes ${count} times`);
}
