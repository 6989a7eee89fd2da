/** `longhand/tools`: the tools of a memory for agents, and the section for their prompts. See docs/agents.md. */

export { type MemoryToolsOptions, memoryTools } from "../tools/memory-tools.ts";
export { memoryPromptSection, type PromptSectionOptions } from "../tools/prompt-section.ts";
export { type RecallForPromptOptions, recallForPrompt } from "../tools/recall-section.ts";
export { type StartSectionOptions, startPromptSection } from "../tools/start-section.ts";
export type {
  MemoryTool,
  ObjectSchema,
  PropertySchema,
  ToolAnnotations,
  ToolCall,
  ToolFailure,
} from "../tools/tool.ts";
export { answerToolCall, type RequestedCall } from "../tools/tool.ts";
