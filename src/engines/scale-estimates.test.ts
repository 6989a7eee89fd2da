import assert from "node:assert/strict";
import { test } from "node:test";
import type { SyncProgress } from "../sync/sync.ts";
import { scaleEstimates } from "./scale-estimates.ts";

test("An estimate grows with the notes that are not read yet; everything else is passed on", () => {
  const told: SyncProgress[] = [];
  const { words, vectors } = scaleEstimates((state) => told.push(state))!;
  const estimate = { provider: "p", model: "m", texts: 10, tokens: 1000, costUsd: 0.5 };
  words({ completed: 25, total: 100, label: "a.md" });
  vectors({ completed: 0, total: 10, label: "embedding", estimate });
  words({ completed: 100, total: 100, label: "z.md" });
  vectors({ completed: 0, total: 10, label: "embedding", estimate: { ...estimate, costUsd: null } });
  vectors({ completed: 1, total: 10, label: "embedding" });
  assert.deepEqual(
    told.map((state) => state.estimate ?? state.label),
    [
      "a.md",
      { ...estimate, texts: 40, tokens: 4000, costUsd: 2 },
      "z.md",
      { ...estimate, costUsd: null },
      "embedding",
    ],
  );
  assert.equal(scaleEstimates(undefined), undefined);
});
