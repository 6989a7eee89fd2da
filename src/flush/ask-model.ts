import { throwIfAborted } from "../errors.ts";
import type { Memory } from "../memory/memory.ts";
import type { AddResult } from "../memory/note-requests.ts";
import { runWithin, settleWithin } from "../timing.ts";
import { createAddTool } from "../tools/add-tool.ts";
import { memoryTools } from "../tools/memory-tools.ts";
import type { MemoryTool } from "../tools/tool.ts";
import { type FlushPrompts, flushTurn } from "./flush-turn.ts";
import type { FlushOptions } from "./run-flush.ts";
import { addItems } from "./write-memories.ts";

/** How long a call that is being written when the turn ends may take to finish. */
const writingMs = 5000;

/**
 * One turn of the host's model. It ends at the timeout, whether the host honours the signal or not; a tool that is
 * called later does nothing.
 */
export async function askModel(
  options: FlushOptions,
  { timeoutMs, written }: { readonly timeoutMs: number; readonly written: AddResult[] },
): Promise<string> {
  const { session, memory, prompts, now = () => new Date(), signal } = options;
  const configured = memory.compaction?.memoryFlush;
  const turn = flushTurn({
    now: now(),
    timezone: memory.timezone,
    dailyNoteOf: (day) => memory.workspace.dailyNoteOf(day),
    prompts: {
      systemPrompt: configured?.systemPrompt,
      prompt: configured?.prompt,
      ...dropUndefined(prompts),
    },
  });
  const given = options.tools ?? appendOnlyTools(memory, { sessionKey: session.key, written });
  const { tools, end } = untilEnded(given);
  const runTurn = async (limited: AbortSignal) =>
    (await options.runTurn!({ ...turn, tools, signal: limited })) ?? "";
  try {
    const reply = await runWithin(timeoutMs, runTurn, { signal });
    if (reply === undefined) throw new Error(`it took longer than ${timeoutMs} ms`);
    return typeof reply === "string" ? reply : String(reply.text ?? "");
  } finally {
    await end();
  }
}

/** The tools of the memory; the one that writes can only append to today's note. */
function appendOnlyTools(
  memory: Memory,
  { sessionKey, written }: { sessionKey: string; written: AddResult[] },
): MemoryTool[] {
  const addToToday: Memory["add"] = async (text, { origin, signal } = {}) => {
    const added = await addItems(memory, text, { origin, signal });
    if (!added.duplicate) written.push(added);
    return added;
  };
  return [
    ...memoryTools(memory, { sessionKey, access: "read" }),
    createAddTool(memory, { origin: `flush ${sessionKey}`, sessionKey, addToToday }),
  ];
}

/** The same tools until `end`, which waits for the calls that are running: what they wrote belongs to the result. */
function untilEnded(tools: readonly MemoryTool[]) {
  const ended = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    tools: tools.map(
      (tool): MemoryTool => ({
        ...tool,
        async execute(input, call = {}) {
          throwIfAborted(ended.signal);
          const signal = call.signal ? AbortSignal.any([call.signal, ended.signal]) : ended.signal;
          const answering = tool.execute(input, { ...call, signal });
          running.add(answering);
          try {
            return await answering;
          } finally {
            running.delete(answering);
          }
        },
      }),
    ),
    async end() {
      ended.abort();
      await settleWithin(writingMs, Promise.allSettled(running));
    },
  };
}

function dropUndefined(prompts: FlushPrompts = {}): FlushPrompts {
  return Object.fromEntries(Object.entries(prompts).filter(([, text]) => text !== undefined));
}
