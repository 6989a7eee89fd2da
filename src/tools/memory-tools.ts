import type { Memory } from "../memory.ts";
import { createAddTool } from "./add-tool.ts";
import { createForgetTool } from "./forget-tool.ts";
import { createGetTool } from "./get-tool.ts";
import { createSearchTool } from "./search-tool.ts";
import type { MemoryTool } from "./tool.ts";

export interface MemoryToolsOptions {
  /** Whose conversation it is. The host says so; a model never does. */
  readonly sessionKey?: string;
  /** `read` leaves out what writes, `append` what removes. By default what the configuration allows. */
  readonly access?: "read" | "append";
  /** Recorded beside what the agent writes, so that a reader sees where it came from. */
  readonly origin?: string;
}

/** What an agent may do with a memory, for any framework. */
export function memoryTools(memory: Memory, options: MemoryToolsOptions = {}): MemoryTool[] {
  const { sessionKey, access, origin = sessionKey ?? "agent" } = options;
  const { maxInjectedChars, maxResults, offersForget } = memory.limits;
  const tools: MemoryTool[] = [
    createSearchTool(memory, { sessionKey, maxInjectedChars, defaultResults: maxResults }),
    createGetTool(memory, { sessionKey }),
  ];
  if (access !== "read") tools.push(createAddTool(memory, { origin, sessionKey }));
  if (access === undefined && offersForget) tools.push(createForgetTool(memory, { sessionKey }));
  return tools;
}
