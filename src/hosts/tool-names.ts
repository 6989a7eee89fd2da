/** The tools that remove nothing; `--allow-tools` lets a host run these without asking. */
export const harmlessTools: readonly string[] = [
  "memory_search",
  "memory_get",
  "memory_recall",
  "memory_add",
  "memory_store",
];
