import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFlushProgress } from "../../src/flush/flush-progress.ts";
import { createTranscriptFlush, type HostSession } from "../../src/flush/flush-transcript.ts";
import type { Tally } from "./fault.ts";
import type { FaultFixture } from "./fault-fixture.ts";

type Folders = Pick<FaultFixture, "workspace" | "stateDir">;

export const progressFolder = ({ stateDir }: Pick<Folders, "stateDir">): string => join(stateDir, "flushes");

const sessionOf = ({ stateDir }: Pick<Folders, "stateDir">): HostSession => ({
  transcript: join(stateDir, "transcript.jsonl"),
  sessionId: "planted",
});

const line = (content: string, more: object = {}) =>
  `${JSON.stringify({ type: "user", uuid: "u", message: { role: "user", content }, ...more })}\n`;

/** A conversation of a host with one sentence worth keeping. */
export function writeTranscript(fixture: Pick<Folders, "stateDir">, sentence: string): HostSession {
  const session = sessionOf(fixture);
  mkdirSync(fixture.stateDir, { recursive: true });
  const around = "Look at the file again and run it.";
  writeFileSync(session.transcript, [around, sentence, around].map((text) => line(text)).join(""));
  return session;
}

/** The host compacts and continues, whatever happened to its hook; then the sentence must be in the notes exactly once. */
export async function checkFlushed(
  fixture: FaultFixture,
  { planted, tally, when }: { planted: string; tally: Tally; when: string },
): Promise<void> {
  const session = sessionOf(fixture);
  appendFileSync(session.transcript, line("A summary.", { isCompactSummary: true }) + line("Go on."));
  await fixture.use(async (memory) => {
    const flush = createTranscriptFlush({ memory, progress: openFlushProgress(progressFolder(fixture)) });
    flush.markCompactedPending(session);
    const { isComplete, problems } = await flush.finish();
    if (!isComplete) tally.errors.push(`${when}: ${problems.join(" ")}`);
  });
  const notes = readdirSync(fixture.at("memory")).map((name) =>
    readFileSync(fixture.at(`memory/${name}`), "utf8"),
  );
  const count = notes.join("\n").split(planted).length - 1;
  if (count !== 1) tally.losses.push(`${when}: the sentence is in the notes ${count} times`);
}
