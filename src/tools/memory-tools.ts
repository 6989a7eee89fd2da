import type { Memory } from "../memory.ts";
import { createAddTool } from "./add-tool.ts";

import { createGetTool } from "./get-tool.ts";
import { createSearchTool } from "./search-tool.ts";
import type { MemoryTool } from "./tool.ts";

export interface MemoryToolsOptions {
  /** Whose conversation it is. The host says so; a model never does. */
  readonly sessionKey?: string;
  /** `read` leaves out what writes, `append` what removes. By default what the configuration allows. */
  readonly access?: "read" | "append";
}

/** What an agent may do with a memory, for any framework. */
export function memoryTools(memory: Memory, options: MemoryToolsOptions = {}): MemoryTool[] {
  const { sessionKey, access } = options;
  const { maxInjectedChars, maxResults } = memory.limits;
  const tools: MemoryTool[] = [
    createSearchTool(memory, { sessionKey, maxInjectedChars, defaultResults: maxResults }),
    createGetTool(memory, { sessionKey }),
  ];
  if (access !== "read") tools.push(createAddTool(memory));

  return tools;
}
