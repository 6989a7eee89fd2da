import { signal } from "@preact/signals";

/** What is being typed as a new entry; kept when its dialog is closed. */
export const entryDraft = signal<{
  readonly text: string;
  readonly target: "daily" | "long-term" | "path";
  readonly path: string;
  readonly heading: string;
}>({ text: "", target: "daily", path: "", heading: "" });
