/** `{date}` is today in the user's time zone, as `YYYY-MM-DD`; `{note}` is the path of today's note. */
export const defaultFlushSystemPrompt = [
  "This conversation is about to be compacted: a summary will replace its older part, details are lost.",
  "This is a silent turn that the user does not see. Use it only to write durable memories into the notes of",
  "the workspace. Append; never edit, move or delete what is already written there.",
].join(" ");

export const defaultFlushPrompt = [
  "Before the conversation is compacted, write down what later sessions will need: decisions and their",
  "reasons, preferences, people and names, dates and deadlines, identifiers and open tasks.",
  "Append it to {note} as short list items that each make sense on their own.",
  "Leave out what the notes already say, small talk, and passwords or keys.",
  "If there is nothing to write down, reply NO_REPLY and nothing else.",
].join(" ");
