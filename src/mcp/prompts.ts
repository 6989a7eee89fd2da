import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { proposalInstructions } from "../consolidate/propose.ts";

/** A prompt that a user can start from the menu of an MCP client. */
interface MemoryPrompt extends Prompt {
  /** The prompt needs this tool, so it is not offered without it. */
  readonly needs: string;
  write(values: Readonly<Record<string, string>>, place: PromptContext): string;
}

/** The date and the session that a prompt is for. */
interface PromptContext {
  /** The user's local date, `YYYY-MM-DD`. */
  readonly today: string;
  readonly isCited: boolean;
  /** Names of the available tools. */
  readonly tools: readonly string[];
}

const prompts: readonly MemoryPrompt[] = [
  {
    name: "recall",
    title: "Recall from memory",
    description: "Look up what memory knows about a topic.",
    arguments: [{ name: "topic", description: "What to recall.", required: true }],
    needs: "memory_search",
    write: ({ topic }, { isCited }) =>
      `Search memory for: ${topic}\n` +
      "Call memory_search, with other words too when the first ones find little, and memory_get for the lines around " +
      "good hits. Then tell me what is known, newest first where dates matter" +
      `${isCited ? ", each point with its citation" : ""}. Say plainly what memory does not hold.`,
  },
  {
    name: "remember",
    title: "Write to memory",
    description: "Write something down for later conversations.",
    arguments: [{ name: "fact", description: "What to remember.", required: true }],
    needs: "memory_add",
    write: ({ fact }) =>
      `Write this to memory: ${fact}\n` +
      "First call memory_search to see whether memory says it already, or says something else; if it says something " +
      "else, tell me. Then call memory_add once for each fact, in sentences that make sense on their own, with " +
      "absolute dates. What stays true for months goes to long-term. Never write passwords or keys.",
  },
  {
    name: "forget",
    title: "Remove from memory",
    description: "Find something in memory and remove it.",
    arguments: [{ name: "topic", description: "What to remove.", required: true }],
    needs: "memory_search",
    write: ({ topic }) =>
      `Remove this from memory: ${topic}\n` +
      "Call memory_search, show me the passages that say it, and ask which of them to remove. Remove them with " +
      "memory_forget if you have that tool; otherwise give me the command, `longhand forget PATH:FROM-TO` for each passage, " +
      "and do not edit the notes yourself.",
  },
  {
    name: "review",
    title: "Review memory",
    description: "Find what is repeated, outdated or contradictory in recent notes, and keep what lasts.",
    arguments: [],
    needs: "memory_add",
    write: () =>
      "Review memory with me. Read MEMORY.md and the daily notes of the last two weeks with memory_get. List what is " +
      "said more than once, what a later note contradicts, what is outdated, and which facts of the daily notes will " +
      "stay true for months. Propose the sentences for MEMORY.md and wait for my answer. Then write those that I agree " +
      "to with memory_add and to set to long-term, and name what I should remove.",
  },
  {
    name: "consolidate",
    title: "Put memory in order",
    description: "Propose how to put the notes in order; nothing is changed until the user applies it.",
    arguments: [],
    needs: "memory_get",
    write: (_, { today, tools }) =>
      `Propose a consolidation${today === "" ? "" : ` (it is ${today})`}, and change no note yourself. Read MEMORY.md and the ` +
      `daily notes of the last four weeks with memory_get. ${proposalInstructions} A step is {"kind", "sources": ` +
      '[{"path", "line", "text"}], "text", "to", "reason"}. ' +
      (tools.includes("memory_plan")
        ? "Submit them with memory_plan. "
        : 'Write {"steps": […]} to a temporary file and run: longhand consolidate --submit FILE. ') +
      "Then tell me which were accepted and why others were refused. I review the plan with `longhand consolidate`, or " +
      "on the page of `longhand serve`.",
  },
  {
    name: "save-before-compaction",
    title: "Save before compaction",
    description: "Write down what later conversations need before this one is compacted.",
    arguments: [],
    needs: "memory_add",
    write: (_, { today }) =>
      `This conversation is about to be compacted. It is ${today}. Go through it and call memory_add for what later ` +
      "conversations will need: decisions and their reasons, preferences, people and names, dates and deadlines, " +
      "identifiers, open tasks. One call for each fact, in a sentence that makes sense on its own, with absolute " +
      "dates. Leave out small talk, what memory already holds, and passwords or keys. Reply with one line that says " +
      "how many facts were saved.",
  },
];

export function listPrompts(tools: readonly string[]): Prompt[] {
  return offered(tools).map(({ write: _, needs: __, ...shown }) => shown);
}

/** Null for an unknown prompt. The error for a missing argument names it. */
export function getPrompt(
  name: string,
  values: Readonly<Record<string, string>>,
  place: PromptContext,
): GetPromptResult | { missing: string } | null {
  const prompt = offered(place.tools).find((candidate) => candidate.name === name);
  if (prompt === undefined) return null;
  const missing = prompt.arguments?.find((argument) => argument.required && !values[argument.name]?.trim());
  if (missing) return { missing: missing.name };
  const text = prompt.write(values, place);
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}

function offered(tools: readonly string[]): MemoryPrompt[] {
  return prompts.filter(({ needs }) => tools.includes(needs));
}
