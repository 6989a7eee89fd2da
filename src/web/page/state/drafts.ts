import { signal } from "@preact/signals";
import { showLineEnds } from "../text/line-ends.ts";

/** What is being typed as a new entry; kept when its dialog is closed. */
export const entryDraft = signal<{
  readonly text: string;
  readonly target: "daily" | "long-term" | "path";
  readonly path: string;
  readonly heading: string;
}>({ text: "", target: "daily", path: "", heading: "" });

/** Text that was typed and not saved. It lives as long as the page, whatever is looked at meanwhile. */
export interface Draft {
  readonly path: string;
  /** The note as it was when editing began, or as it was last seen: what a save compares with. */
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

/** Begins with the note as it is. */
export function startDraft(path: string, base: Draft["base"]): void {
  keepDraft({ path, base, text: showLineEnds(base.text) });
}

export function isUnsaved({ base, text }: Draft): boolean {
  return text !== showLineEnds(base.text);
}

/** Leaving the page for good would lose what was typed: the browser then asks. */
export function guardDrafts(): void {
  addEventListener("beforeunload", (event) => {
    const isEntryTyped = entryDraft.value.text.trim() !== "";
    if (isEntryTyped || [...drafts.value.values()].some(isUnsaved)) event.preventDefault();
  });
}
