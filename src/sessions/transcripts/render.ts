import { redactSecrets } from "../../text/redact.ts";
import type { Role } from "./format.ts";

const speakers: Readonly<Record<Role, string>> = { user: "User", assistant: "Assistant", summary: "Summary" };

/** Longer turns are cut: what follows is mostly pasted, and no answer needs it. */
const maxTurnChars = 65_536;

/**
 * One line for a turn: `User: …`, with every secret masked and white space collapsed. Null when nothing was said.
 * Masking comes first of all, so that no later step sees a secret.
 */
export function renderTurn(role: Role, text: string, literals: readonly string[]): string | null {
  const { text: masked } = redactSecrets(text, { literals });
  const said = masked.replaceAll(/[\s\u0000-\u001f\u007f]+/g, " ").trim();
  if (said === "") return null;
  return cutText(`${speakers[role]}: ${said}`.toWellFormed(), maxTurnChars);
}

function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = maxChars - 1;
  const isInsidePair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return `${text.slice(0, isInsidePair ? end - 1 : end)}…`;
}
