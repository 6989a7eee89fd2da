import { readFileSync } from "node:fs";

/**
 * Sentences that someone would want to know weeks later, by kind. The cues were written with these in view, so they only
 * detect regressions; of unseen sentences, fewer are found.
 */
export const keySentences = readSections("key-sentences.txt");

const [user = [], assistant = []] = readSections("other-sentences.txt").map(([, sentences]) => sentences);

/** Sentences that are useless later, by speaker. */
export const otherSentences = { user, assistant } as const;

/** Conversations in which ⟦…⟧ marks what is worth keeping, and ⏎ is a line break. */
export const labelledConversations = readSections("conversations.txt").map(([language, lines]) => ({
  language,
  turns: lines.map((line) => ({
    role: line.startsWith("U:") ? ("user" as const) : ("assistant" as const),
    text: line.slice(3).replace(/[⟦⟧]/g, "").replaceAll("⏎", "\n"),
  })),
  /** The sentences that a reader would want to know weeks later. */
  expected: [...lines.join("\n").matchAll(/⟦([^⟧]+)⟧/g)].map(([, text]) => text!.replaceAll("⏎", "\n")),
}));

/** A heading `# name`, then an item per line. */
function readSections(file: string): [name: string, lines: string[]][] {
  const text = readFileSync(new URL(`key-sentences/${file}`, import.meta.url), "utf8");
  return text
    .split(/^# /m)
    .slice(1)
    .map((section) => {
      const [name = "", ...lines] = section.split("\n").filter((line) => line !== "");
      return [name, lines];
    });
}
