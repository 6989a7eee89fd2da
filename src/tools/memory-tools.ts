import { checkMemory, checkOptions, oneOf, type Shape } from "../memory/check-options.ts";
import type { Memory } from "../memory/memory.ts";
import { isSharedSession } from "../text/session-key.ts";
import { createAddTool } from "./add-tool.ts";
import { createRecallTool, createStoreTool } from "./entry-tools.ts";
import { createForgetEntryTool, createForgetTool } from "./forget-tool.ts";
import { createGetTool } from "./get-tool.ts";
import { createPlanTool } from "./plan-tool.ts";
import { createSearchTool } from "./search-tool.ts";
import type { MemoryTool } from "./tool.ts";

export interface MemoryToolsOptions {
  /** The session of the caller. It comes from the host, never from a model. */
  readonly sessionKey?: string | undefined;
  /** `read` excludes tools that write, `append` those that remove. By default, the configuration decides. */
  readonly access?: "read" | "append" | undefined;
  /** Recorded with what the agent writes, so that a reader sees where it came from. */
  readonly origin?: string | undefined;
}

const shape: Shape<MemoryToolsOptions> = {
  sessionKey: "a string",
  access: oneOf("read", "append"),
  origin: "a string",
};

/** The tools of a memory, for any framework. */
export function memoryTools(memory: Memory, options: MemoryToolsOptions = {}): MemoryTool[] {
  checkMemory("memoryTools", memory);
  checkOptions("memoryTools", shape, options);
  const { sessionKey, access, origin = sessionKey ?? "agent" } = options;
  const { maxInjectedChars, maxResults, offersForget } = memory.limits;
  // Evaluated at each call: a workspace may be trusted while a server runs.
  const isTrusted = () => memory.workspace.isTrusted;
  const shared = { sessionKey, maxInjectedChars, isTrusted };
  const tools: MemoryTool[] = [
    createSearchTool(memory, { ...shared, defaultResults: maxResults }),
    createGetTool(memory, shared),
  ];
  // Sessions that others can read have no entries, so these tools are not offered.
  const entries = isSharedSession(sessionKey) ? null : memory.entries;
  if (entries) tools.push(createRecallTool(entries, shared));
  if (access !== "read") {
    tools.push(createAddTool(memory, { origin, sessionKey }));
    if (entries) tools.push(createStoreTool(entries, { ...shared, origin }));
  }
  // A plan is based on private notes, so it is not for sessions that others can read.
  if (access !== "read" && memory.limits.offersPlan && !isSharedSession(sessionKey)) {
    tools.push(createPlanTool(memory, shared));
  }
  if (access !== undefined) return tools;
  const forget = offersForget ? createForgetTool(memory, shared) : null;
  if (entries) tools.push(createForgetEntryTool(entries, { ...shared, forget }));
  else if (forget) tools.push(forget);
  return tools;
}
