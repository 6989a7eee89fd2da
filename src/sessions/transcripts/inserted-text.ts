/**
 * Tags of text that hosts insert into the user's messages: commands and their output, reminders, the state of the
 * project, and the output of hooks, ours included.
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
  // Codex
  "environment_context",
  "user_instructions",
  "INSTRUCTIONS",
  "permissions instructions",
  "turn_aborted",
  "subagent_notification",
  "skill",
  // Gemini CLI
  "session_context",
  "hook_context",
];

/** The title that Codex puts before the project's instructions. */
const insertedTitle = /^# AGENTS\.md instructions[^\n]*\n+(?=<INSTRUCTIONS>)/gm;
/** Tags around text that the user wrote. */
const wrappers = /<\/?(?:command-args|bash-input)>/g;

/** The part of a user's message that the user wrote; empty when the host wrote all of it. */
export function dropInserted(text: string): string {
  if (!text.includes("<")) return text;
  let kept = text.replace(insertedTitle, "");
  for (const tag of insertedTags) kept = dropElements(kept, tag);
  return kept === text && !wrappers.test(text) ? text : kept.replace(wrappers, "").trim();
}

/** A tag that is never closed is the user's own text. */
function dropElements(text: string, tag: string): string {
  const [opening, closing] = [`<${tag}>`, `</${tag}>`];
  let kept = "";
  let from = 0;
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, from)) {
    const end = text.indexOf(closing, start);
    if (end === -1) break;
    kept += text.slice(from, start);
    from = end + closing.length;
  }
  return from === 0 ? text : kept + text.slice(from);
}
