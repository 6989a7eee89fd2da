import { startPromptSection } from "../../tools/start-section.ts";
import { contextFor, type HookAnswer } from "./answers.ts";
import { finishFlushes } from "./finish-flushes.ts";

export const answerSessionStart: HookAnswer = async (request) => {
  const { memory, input, signal, untrusted, warn } = request;
  const isCompacted = input.source === "compact";
  // Before the notes are read: what was said before a compaction belongs to what is read first.
  await finishFlushes(request, { looksForCompactions: isCompacted || input.source === "resume" });
  if (!memory.workspace.isTrusted) {
    warn(untrusted);
    // Hosts do not show standard error. This is shown to the user, and not to the model.
    return JSON.stringify({ systemMessage: `longhand: ${untrusted}` });
  }
  // The host's MCP server and the first search bring the index up to date; a session must not wait for that.
  const start = await memory.startSession({ indexing: "later", signal });
  for (const problem of start.degraded) warn(problem);
  const text = startPromptSection(start, { isCompacted });
  return text === "" ? "" : contextFor("SessionStart", text);
};
