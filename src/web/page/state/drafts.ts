import { signal } from "@preact/signals";

/** Text that was typed and not saved. It lives as long as the page, whatever is looked at meanwhile. */
export interface Draft {
  readonly path: string;
  /** The note as it was when editing began, or as it was last seen: what a save compares with. */
  readonly base: { readonly text: string; readonly hash: string };
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

export function isUnsaved({ base, text }: Draft): boolean {
  return text !== base.text;
}

/** Leaving the page for good would lose drafts: the browser then asks. */
export function guardDrafts(): void {
  addEventListener("beforeunload", (event) => {
    if ([...drafts.value.values()].some(isUnsaved)) event.preventDefault();
  });
}
