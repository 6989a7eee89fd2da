import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import type { AddResult } from "../../memory/note-requests.ts";
import { compact } from "../../text/compact.ts";
import { linesOf } from "../../text/lines-of.ts";
import { answerJson, type HookAnswer } from "./answers.ts";
import { runsBeforeEveryRequest, sessionOf } from "./hook-input.ts";

/** Hosts pass this text to the model that writes the summary. */
export const answerPreCompact: HookAnswer = async ({
  memory,
  input,
  flush: load,
  untrusted,
  setFallback,
  warn,
}) => {
  // Otherwise V8 first compiles each key-sentence pattern to bytecode, which takes half of a hook's CPU time. Switching
  // the tiers off (`--no-regexp-tier-up`) now and then crashed V8 when it ran an expression that it had compiled before.
  setFlagsFromString("--regexp-tier-up-ticks=0");
  // Only what the user and the agent said is written, and no note text goes back, so nothing is lost.
  if (!memory.workspace.isTrusted) warn(untrusted);
  const flush = await load();
  const session = sessionOf(input);
  const isCertain = !runsBeforeEveryRequest(input);
  const reply = isCertain ? (text: string) => text : toSystemMessage;
  if (session !== null && !existsSync(session.transcript))
    warn(`there is no transcript at ${session.transcript}`);
  else if (session !== null) {
    // The transcript remains after compaction, so there is time to see whether the host compacts.
    if (isCertain) flush.markPending(session);
    else {
      flush.begin(session);
      flush.markCompactedPending(session);
    }
  }
  setFallback(reply(isCertain ? `${reminder}\n${unfinished}` : unfinished));
  const { written, isComplete, problems } = await flush.finish();
  for (const problem of problems) warn(problem);
  if (!isCertain) return isComplete ? "" : reply(unfinished);
  return compact([reminder, describeWritten(written), !isComplete && unfinished]).join("\n");
};

const reminder =
  "Keep in the summary, with their exact values: decisions and their reasons, preferences of the user, people and\n" +
  "names, dates and deadlines, identifiers, open tasks.";

const unfinished =
  "longhand could not save all key sentences of this conversation in time. It saves the rest when the next session starts.";

function describeWritten(written: readonly AddResult[]): string {
  const where = written.map(({ path, ...range }) => `${path}, ${linesOf(range)}`).join("; ");
  return where === "" ? "" : `Sentences from this conversation were also kept in memory: ${where}.`;
}

/** Gemini CLI shows plain text to the user. */
function toSystemMessage(text: string): string {
  return answerJson({ systemMessage: text });
}
