import { startPromptSection } from "../../tools/start-section.ts";
import { answerJson, contextFor, type HookAnswer } from "./answers.ts";
import { finishFlushes } from "./session-end.ts";

export const answerSessionStart: HookAnswer = async (request) => {
  const { memory, input, signal, untrusted, setFallback, warn } = request;
  const isCompacted = input.source === "compact";
  const finish = () =>
    finishFlushes(request, { detectsCompactions: isCompacted || input.source === "resume" });
  if (!memory.workspace.isTrusted) {
    warn(untrusted);
    // Hosts do not show standard error. This is shown to the user, not to the model.
    const message = answerJson({ systemMessage: `longhand: ${untrusted}` });
    setFallback(message);
    await finish();
    return message;
  }
  // A long flush must not keep existing notes from the agent.
  const first = await readStart();
  setFallback(first.text);
  // What was said before a compaction belongs to what is read first.
  const { text, degraded } = (await finish()) ? await readStart() : first;
  for (const problem of degraded) warn(problem);
  return text;

  async function readStart(): Promise<{ text: string; degraded: readonly string[] }> {
    // The host's MCP server and the first search bring the index up to date; a session must not wait for that.
    const start = await memory.startSession({ indexing: "later", signal });
    const text = startPromptSection(start, { isCompacted });
    return { text: text === "" ? "" : contextFor("SessionStart", text), degraded: start.degraded };
  }
};
