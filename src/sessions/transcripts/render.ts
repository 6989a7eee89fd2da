import { redactInSlices } from "../../text/redact.ts";
import type { Role } from "./format.ts";

const speakers: Readonly<Record<Role, string>> = { user: "User", assistant: "Assistant", summary: "Summary" };

/** Longer turns are cut: what follows is mostly pasted, and no answer needs it. */
const maxTurnChars = 65_536;

/**
 * One line for a turn: `User: …`, with every secret masked and white space collapsed. Null when nothing was said.
 * Masking comes first of all, so that no later step sees a secret.
 */
export async function renderTurn(
  role: Role,
  text: string,
  literals: readonly string[],
): Promise<string | null> {
  const { text: masked } = await redactInSlices(cutBeforeMasking(text), { literals });
  const said = masked.replaceAll(/[\s\u0000-\u001f\u007f]+/g, " ").trim();
  if (said === "") return null;
  return cutText(`${speakers[role]}: ${said}`.toWellFormed(), maxTurnChars);
}

/**
 * Pasted megabytes are dropped before they are masked. The cut stands behind a line or word, so that no half of a secret
 * is left, and leaves room for the white space that collapses.
 */
function cutBeforeMasking(text: string): string {
  const maxChars = 8 * maxTurnChars;
  if (text.length <= maxChars) return text;
  const end = text.slice(maxTurnChars, maxChars).search(/\s\S*$/);
  return text.slice(0, end === -1 ? maxTurnChars : maxTurnChars + end);
}

function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = maxChars - 1;
  const isInsidePair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  // As a copy: a slice would keep all of what it was cut from in memory.
  return Buffer.from(`${text.slice(0, isInsidePair ? end - 1 : end)}…`).toString();
}
