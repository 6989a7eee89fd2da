import { LonghandError } from "../errors.ts";
import { type Check, type CheckGroup, unwell, well } from "./check.ts";

/** Search by meaning: which embedder, whether it is the one that was asked for, and what would be better. */
export const checkEmbedder: CheckGroup = ({ status }) => {
  if (status === undefined || status instanceof LonghandError) return [];
  const { provider, model, embedding, vector } = status;
  // That of the engine is told elsewhere.
  const fallback = status.fallback?.from === status.qmd?.name ? undefined : status.fallback;
  const named = `${provider}${model === undefined ? "" : `, ${model}`} (${embedding.why})`;
  const chosen: Check =
    fallback === undefined
      ? well("embedder", named)
      : unwell(
          "embedder",
          `${named}; ${fallback.from} cannot be used: ${fallback.reason}`,
          `See whether ${fallback.from} answers with \`longhand status --deep\`; give it what it lacks, or set memorySearch.provider to another.`,
        );
  const [problem] = embedding.problems;
  return [
    chosen,
    ...(problem === undefined
      ? []
      : [unwell("embedding", problem, "See whether it answers with `longhand status --deep`.")]),
    ...(vector.loadError === undefined || fallback !== undefined
      ? []
      : [
          unwell(
            "vector path",
            `the builtin one is used: ${vector.loadError}`,
            status.dbPath.includes("://")
              ? "Add pgvector to the database (docs/scaling.md), or leave it so while there are few notes."
              : "Correct store.vector.extensionPath, or remove it.",
          ),
        ]),
    ...(embedding.better === undefined
      ? []
      : [
          well("better vectors", embedding.better, "Optional: `longhand models list`, or docs/providers.md."),
        ]),
    ...(embedding.unused === undefined
      ? []
      : [
          well(
            "unused services",
            `${embedding.unused.found.join(", ")}: set but not used, nothing is sent`,
            `Optional. ${embedding.unused.advice}`,
          ),
        ]),
  ];
};
