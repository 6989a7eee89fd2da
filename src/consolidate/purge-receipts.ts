import { normaliseEntryLine } from "../text/entry-line.ts";
import type { FullReceipt, ReceiptFiles } from "./receipt-files.ts";
import { readSubmitted } from "./submitted.ts";
import { withoutBytes } from "./undo-receipt.ts";

/**
 * Takes text that was forgotten out of receipts and of steps that a model has proposed. A receipt keeps whole notes, so
 * one that concerns such a note, or has one of the lines, loses all its text; that it was there stays.
 */
export function purgeReceipts(
  files: ReceiptFiles,
  forgotten: { readonly texts: readonly string[]; readonly paths: readonly string[] } | null,
): void {
  const lines = forgotten?.texts.flatMap((text) => text.split("\n").map(normaliseEntryLine)) ?? [];
  const wanted = lines.filter((line) => line !== "");
  const holds = (texts: readonly string[], paths: readonly string[]): boolean =>
    forgotten === null ||
    paths.some((path) => forgotten.paths.includes(path)) ||
    texts.some((text) => wanted.some((line) => normaliseEntryLine(text).includes(line)));
  for (const receipt of [...files.list(), ...files.pending()]) {
    if (receipt.state === "purged") continue;
    if (
      holds(
        textsOf(receipt),
        receipt.notes.map(({ path }) => path),
      )
    )
      files.rewrite(purged(receipt));
  }
  const submitted = readSubmitted(files.readSubmitted());
  const kept = submitted.filter(
    ({ sources, text = "", reason }) =>
      !holds(
        [...sources.map((source) => source.text), text, reason],
        sources.map(({ path }) => path),
      ),
  );
  if (kept.length < submitted.length) files.writeSubmitted(kept);
}

/** Everything in a receipt that a line may stand in; the notes line by line, as whole texts would differ in line ends. */
function textsOf({ steps, notes }: FullReceipt): string[] {
  const held = notes.flatMap(({ bytes = "" }) => Buffer.from(bytes, "base64").toString().split("\n"));
  const shown = steps.flatMap(({ sources, changes, reason }) => [
    ...sources.flatMap(({ text }) => text.split("\n")),
    ...changes.flatMap(({ before, after }) => [...before, ...after]),
    reason,
  ]);
  return [...held, ...shown];
}

function purged({ doing: _, ...receipt }: FullReceipt): FullReceipt {
  return {
    ...receipt,
    state: "purged",
    steps: receipt.steps.map(({ id, kind }) => ({ id, kind, reason: "forgotten", sources: [], changes: [] })),
    notes: receipt.notes.map(withoutBytes),
  };
}
