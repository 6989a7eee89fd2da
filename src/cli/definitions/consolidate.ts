import type { CommandDefinition } from "../command.ts";

/** Putting the notes in order. */
export const consolidateCommand: CommandDefinition = {
  name: "consolidate",
  summary: "Propose how to put the notes in order; apply what you choose",
  details: [
    "Shows a plan and changes nothing: facts that are said twice, lines that a newer one contradicts, lasting facts in " +
      "daily notes, relative dates, a MEMORY.md that outgrew its budget, and old notes that are never recalled. Each " +
      "step says what it rests on, what would change and why. Notes of today and yesterday are left alone.",
    "--apply applies the steps that you name, or all. A note that was changed since the plan saw it is left alone. What " +
      "was applied is kept as a receipt, and --undo restores every byte of it.",
    "--reject remembers steps that should not be proposed again.",
    "A model can propose steps, too: --submit reads them from a JSON file, checks every line that they rest on, and " +
      "adds them to the plan. They wait for your review like all others.",
  ],
  arguments: [
    {
      name: "ID",
      required: false,
      many: true,
      suggests: ["all"],
      description: "steps, by their ids, or all; with --undo, the receipt",
    },
  ],
  options: [
    { flags: "--apply", type: { kind: "flag" }, description: "apply these steps; without ids, all of them" },
    { flags: "--reject", type: { kind: "flag" }, description: "do not propose these steps again" },
    {
      flags: "--undo",
      type: { kind: "flag" },
      description: "take back what was applied last, or the receipt that is named",
    },
    { flags: "--receipts", type: { kind: "flag" }, description: "list what was applied" },
    {
      flags: "--submit <FILE>",
      type: { kind: "file" },
      description: "add the steps of a JSON file to the plan; - reads them from standard input",
    },
    {
      flags: "--since <DAY>",
      type: { kind: "text" },
      description:
        "leave daily notes before this day alone: YYYY-MM-DD, yesterday, or an age such as 7d or 2w",
    },
  ],
  examples: [
    { command: "longhand consolidate", does: "see what could be put in order" },
    { command: "longhand consolidate --since 30d", does: "only the notes of the last 30 days" },
    { command: "longhand consolidate --apply 9304f37ccc b1f69a4f59", does: "apply two steps" },
    { command: "longhand consolidate --apply", does: "apply the whole plan" },
    { command: "longhand consolidate --undo", does: "take the last apply back" },
    { command: "longhand consolidate --reject 9304f37ccc", does: "never propose this step again" },
  ],
  json:
    "the plan: `{steps: [{id, kind, reason, sources: [{path, startLine, endLine, text}], changes: [{path, startLine, " +
    "before, after, title?, movesTo?}], by?}], notes, skipped: [{path, reason}], rejected, budget: {path, chars, " +
    "maxChars} | null}`; with --apply `{receipt, applied: [step], refused: [{id, reason}]}`, with --reject `{rejected}`, " +
    "with --undo `{receipt, restored}`, with --receipts `{receipts: [{id, at, state, steps, notes: [{path, before, " +
    "after}]}]}`, with --submit `{accepted, refused: [{index, reason}]}`",
  load: async () => (await import("../commands/consolidate.ts")).runConsolidate,
};
