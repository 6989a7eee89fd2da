import { checkMemory, checkOptions, oneOf, type Shape } from "../memory/check-options.ts";
import type { Memory } from "../memory/memory.ts";
import { isSharedSession } from "../text/session-key.ts";
import { createAddTool } from "./add-tool.ts";
import { createRecallTool, createStoreTool } from "./entry-tools.ts";
import { createForgetEntryTool } from "./forget-entry-tool.ts";
import { createForgetTool } from "./forget-tool.ts";
import { createGetTool } from "./get-tool.ts";
import { createPlanTool } from "./plan-tool.ts";
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

const shape: Shape<MemoryToolsOptions> = {
  sessionKey: "a string",
  access: oneOf("read", "append"),
  origin: "a string",
};

/** What an agent may do with a memory, for any framework. */
export function memoryTools(memory: Memory, options: MemoryToolsOptions = {}): MemoryTool[] {
  checkMemory("memoryTools", memory);
  checkOptions("memoryTools", shape, options);
  const { sessionKey, access, origin = sessionKey ?? "agent" } = options;
  const { maxInjectedChars, maxResults, offersForget } = memory.limits;
  // Asked at each call: a workspace may be trusted while a server runs.
  const isTrusted = () => memory.workspace.isTrusted;
  const shared = { sessionKey, maxInjectedChars, isTrusted };
  const tools: MemoryTool[] = [
    createSearchTool(memory, { ...shared, defaultResults: maxResults }),
    createGetTool(memory, shared),
  ];
  // Where others listen there are no entries, so their tools are not offered.
  const entries = isSharedSession(sessionKey) ? null : memory.entries;
  if (entries) tools.push(createRecallTool(entries, shared));
  if (access !== "read") {
    tools.push(createAddTool(memory, { origin, sessionKey }));
    if (entries) tools.push(createStoreTool(entries, { ...shared, origin }));
  }
  // A plan rests on private notes, so it is not for sessions that others can read.
  if (access !== "read" && memory.limits.offersPlan && !isSharedSession(sessionKey)) {
    tools.push(createPlanTool(memory, shared));
  }
  if (access !== undefined) return tools;
  const forget = offersForget ? createForgetTool(memory, shared) : null;
  if (entries) tools.push(createForgetEntryTool(entries, { ...shared, forget }));
  else if (forget) tools.push(forget);
  return tools;
}
