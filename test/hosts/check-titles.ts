/** The checks for each host, in the order of the table in docs/hosts.md. */
export const checkTitles = {
  doctor: "settings accepted",
  tools: "tools listed",
  fence: "results fenced",
  writes: "writes a note",
  start: "notes at the start",
  prompt: "hits with a prompt",
  compaction: "decision kept at compaction",
  transcript: "transcript read",
  package: "as a package",
  once: "both, answered once",
} as const;
