import { signal } from "@preact/signals";
import { showLineEnds } from "../text/line-ends.ts";

/** The new entry being typed; kept when its dialog is closed. */
export const entryDraft = signal<{
  readonly text: string;
  readonly target: "daily" | "long-term" | "path";
  readonly path: string;
  readonly heading: string;
}>({ text: "", target: "daily", path: "", heading: "" });

/** Unsaved text. It survives switching views, but not leaving the page. */
export interface Draft {
  readonly path: string;
  /** The version of the note that editing started from, or that was last seen: saves compare with it. */
  readonly base: { readonly text: string; readonly hash: string };
  /** As a text area holds it: every line ends with `\n`. */
  readonly text: string;
}

export const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

export function keepDraft(draft: Draft): void {
  drafts.value = new Map(drafts.value).set(draft.path, draft);
}

export function dropDraft(path: string): void {
  const next = new Map(drafts.value);
  next.delete(path);
  drafts.value = next;
}

/** Starts a draft from the note's current text. */
export function startDraft(path: string, base: Draft["base"]): void {
  keepDraft({ path, base, text: showLineEnds(base.text) });
}

export function isUnsaved({ base, text }: Draft): boolean {
  return text !== showLineEnds(base.text);
}

/** Leaving the page would lose unsaved text, so the browser asks for confirmation. */
export function guardDrafts(): void {
  addEventListener("beforeunload", (event) => {
    const isEntryTyped = entryDraft.value.text.trim() !== "";
    if (isEntryTyped || [...drafts.value.values()].some(isUnsaved)) event.preventDefault();
  });
}
