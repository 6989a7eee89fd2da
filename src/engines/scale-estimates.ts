import type { SyncOptions } from "../sync/sync.ts";

type Progress = NonNullable<SyncOptions["progress"]>;

/**
 * Texts are embedded while notes are still being read, so the number of missing texts is incomplete. The estimate is
 * scaled up by the share of notes not read yet.
 */
export function scaleEstimates(
  progress: Progress | undefined,
): { readonly words: Progress; readonly vectors: Progress } | undefined {
  if (progress === undefined) return undefined;
  let growth = 1;
  return {
    words(state) {
      growth = state.completed > 0 ? Math.max(1, state.total / state.completed) : 1;
      progress(state);
    },
    vectors({ estimate, ...state }) {
      if (estimate === undefined) return progress(state);
      const { texts, tokens, costUsd } = estimate;
      progress({
        ...state,
        estimate: {
          ...estimate,
          texts: Math.round(texts * growth),
          tokens: Math.round(tokens * growth),
          costUsd: costUsd === null ? null : costUsd * growth,
        },
      });
    },
  };
}
