import { adviceOf } from "../../errors.ts";
import type { Memory } from "../../memory/memory.ts";
import { entriesPath } from "../../notes/note-path.ts";
import type { ConfidenceLevel } from "../../search/confidence.ts";
import type { SearchAnswer, SearchOptions } from "../../search/search.ts";
import { dropInserted } from "../../sessions/transcripts/inserted-text.ts";
import { compact } from "../../text/compact.ts";
import { override } from "../../text/override.ts";
import { settleWithin } from "../../timing.ts";
import { memoryTools } from "../../tools/memory-tools.ts";
import { recallForPrompt } from "../../tools/recall-section.ts";
import { isFailure } from "../../tools/tool.ts";
import { contextFor, type HookAnswer, type HookRequest } from "./answers.ts";
import { coversPrompt } from "./covers-prompt.ts";

export const answerUserPrompt: HookAnswer = async (request) => {
  // Gemini CLI adds the output of other hooks, ours included, to the prompt.
  const prompt = dropInserted(request.input.prompt ?? "").trim();
  // A command of the host is not a question.
  if (prompt === "" || /^[/!#]/.test(prompt)) return "";
  const { isTrusted } = request.memory.workspace;
  if (!isTrusted) request.warn(request.untrusted);
  const text = isTrusted ? await remindOf(prompt, request) : "";
  if (text !== "") request.print(contextFor("UserPromptSubmit", text));
  await captureFrom(prompt, request);
  return "";
};

const maxQueryChars = 2000;

/** Hits and facts together must fit into the limit for injected text. */
async function remindOf(prompt: string, request: HookRequest): Promise<string> {
  const { maxInjectedChars } = request.memory.limits;
  const [found, facts] = await Promise.all([
    searchFor(prompt, request),
    recallFor(prompt, request, Math.floor(maxInjectedChars / 2)),
  ]);
  const hits = found(maxInjectedChars - (facts === "" ? 0 : facts.length + 2));
  return compact([hits, facts]).join("\n\n");
}

/** The results, as far as they fit. */
type Found = (maxChars: number) => string;

/** The user did not ask for these hits, and the agent can search for more. */
const maxHits = 3;

interface FoundForPrompt {
  readonly results: readonly { path: string }[];
  readonly degraded: readonly string[];
  readonly confidenceLevel: ConfidenceLevel;
}

async function searchFor(prompt: string, { memory, input, signal, warn }: HookRequest): Promise<Found> {
  const search = memoryTools(byKeywords(memory), { access: "read" })[0]!;
  const query = prompt.slice(0, maxQueryChars);
  // The agent already has this conversation, and gets entries separately.
  const isNeeded = ({ path }: { path: string }): boolean =>
    !isTranscriptOf(path, input.sessionId) && !(memory.entries?.automatic.recall && path === entriesPath);
  const ask = (maxResults: number) => search.execute({ query, maxResults }, { signal });
  let answer = await ask(Math.min(maxHits, memory.limits.maxResults));
  if (!isFailure(answer) && !(answer as FoundForPrompt).results.every(isNeeded)) {
    answer = await ask(memory.limits.maxResults);
  }
  if (isFailure(answer)) {
    warn(`${answer.error.message} ${answer.error.hint}`);
    return () => "";
  }
  const found = answer as FoundForPrompt;
  // Weak hits would cost tokens and mislead.
  if (found.confidenceLevel === "low") return () => "";
  const results = found.results.filter(isNeeded).slice(0, maxHits);
  // The user can act on it, the model cannot.
  for (const reason of found.degraded) warn(reason);
  return (maxChars) => {
    for (let kept = results.length; kept > 0; kept--) {
      const shown = search.render({ ...found, results: results.slice(0, kept), degraded: [] });
      const text = `Memory holds this about the prompt. ${shown}`;
      if (text.length <= maxChars) return text;
    }
    return "";
  };
}

/**
 * Loading the model takes longer than everything else. Injected hits must be certain anyway, and the agent has a tool
 * for semantic search. Hits that share little with the prompt are dropped, and so are the explanations that this check
 * needs.
 */
function byKeywords(memory: Memory): Memory {
  return override(memory, {
    async search(query: string, request?: SearchOptions): Promise<SearchAnswer> {
      const options = { ...request, keywordOnly: true, explain: true };
      const { explain: _, ...answer } = await memory.search(query, options);
      const covering = answer.results.filter(coversPrompt);
      return { ...answer, results: covering.map(({ explain: __, ...hit }) => hit) };
    },
  });
}

/** A failure of automatic recall must not affect the rest of the answer. */
async function recallFor(
  prompt: string,
  { memory, signal, warn }: HookRequest,
  maxChars: number,
): Promise<string> {
  if (!memory.entries?.automatic.recall) return "";
  try {
    // Loading native code cannot be cancelled, and the search results must not wait for it.
    const recalling = recallForPrompt(memory, prompt, { signal, maxChars, onDegraded: warn });
    const recalled = await settleWithin(null, recalling, { signal });
    if (recalled === undefined) warn("there was no time to recall facts");
    return recalled ?? "";
  } catch (error) {
    warn(adviceOf(error));
    return "";
  }
}

async function captureFrom(prompt: string, { memory, signal, warn }: HookRequest): Promise<void> {
  if (!memory.entries?.automatic.capture) return;
  try {
    const { stored } = await memory.entries.capture([{ role: "user", text: prompt }], { signal });
    for (const reason of new Set(stored.flatMap(({ degraded }) => degraded))) warn(reason);
  } catch (error) {
    warn(adviceOf(error));
  }
}

/** Hosts name a transcript after its session id, some with a date in front. */
function isTranscriptOf(path: string, sessionId = ""): boolean {
  return sessionId.length >= 8 && path.startsWith("sessions/") && path.includes(sessionId);
}
