/**
 * Tags of text that hosts insert into the user's messages: commands and their output, reminders, the state of the
 * project, and the output of hooks, including ours.
 */
const insertedTags = [
  // Claude Code
  "command-name",
  "command-message",
  "local-command-stdout",
  "local-command-stderr",
  "local-command-caveat",
  "bash-stdout",
  "bash-stderr",
  "system-reminder",
  "user-prompt-submit-hook",
  "task-notification",
  "teammate-message",
  "cross-session-message",
  "new-diagnostics",
  "ide_opened_file",
  "ide_selection",
  // Codex
  "environment_context",
  "user_instructions",
  "INSTRUCTIONS",
  "permissions instructions",
  "turn_aborted",
  "subagent_notification",
  "skill",
  "user_shell_command",
  "recommended_plugins",
  "realtime_delegation",
  "codex_internal_context",
  "goal_context",
  // Gemini CLI
  "session_context",
  "hook_context",
];

/** The title that Codex puts before the project's instructions. */
const insertedTitle = /^# AGENTS\.md instructions[^\n]*\n+(?=<INSTRUCTIONS>)/gm;
/** The editor context that Codex puts before the user's own words. */
const editorContext = /^# Context from my IDE setup:\n.*?^## My request for Codex:\s*/ms;
/** Claude Code's placeholder for the user's message if a turn is interrupted. */
const interruption = /^\[Request interrupted by user(?: for tool use)?\]$/;
/** Codex puts these before and after an image, each as a separate text block. */
const mediaMark = /^<\/?(?:image|audio)(?: name=[^\n]*)?>$/;
/** Tags around text that the user wrote. */
const wrappers = /<\/?(?:command-args|bash-input)>/g;

/** The part of a user's message that the user wrote; empty when the host wrote all of it. */
export function dropInserted(text: string): string {
  if (interruption.test(text) || mediaMark.test(text)) return "";
  const own = text.startsWith("# Context from my IDE") ? text.replace(editorContext, "") : text;
  if (!own.includes("<")) return own;
  let kept = own.replace(insertedTitle, "");
  for (const tag of insertedTags) kept = dropElements(kept, tag);
  return kept === own && !wrappers.test(own) ? own : kept.replace(wrappers, "").trim();
}

/** A tag that is never closed is the user's own text. */
function dropElements(text: string, tag: string): string {
  // Some have attributes.
  const opening = new RegExp(`<${tag}(?:\\s[^<>]*)?>`, "g");
  const closing = `</${tag}>`;
  let kept = "";
  let from = 0;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const end = text.indexOf(closing, found.index);
    if (end === -1) break;
    kept += text.slice(from, found.index);
    from = end + closing.length;
    opening.lastIndex = from;
  }
  return from === 0 ? text : kept + text.slice(from);
}
