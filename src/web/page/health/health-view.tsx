import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, type Timeline } from "../api.ts";
import { attempt, changed, failure, loadStatus, status } from "../state/memory-state.ts";
import { countOf } from "../text/human.ts";
import { Heatmap } from "./heatmap.tsx";
import { IndexFacts } from "./index-facts.tsx";
import { SkippedFiles } from "./skipped-files.tsx";
import { SyncHistory } from "./sync-history.tsx";
import { SyncPanel } from "./sync-panel.tsx";

/** On which days something was written, and how the index is. */
export function HealthView() {
  const timeline = useSignal<Timeline | null>(null);
  useEffect(() => {
    void attempt(async () => {
      timeline.value = await api.timeline();
    });
  }, [changed.value]);
  useEffect(() => void loadStatus(), []);
  const known = status.value;
  const undated = timeline.value?.undated.notes ?? 0;
  return (
    <div class="column health">
      <h1>Activity</h1>
      {timeline.value === null || timeline.value.points.length === 0 ? null : (
        <Heatmap points={timeline.value.points} />
      )}
      {undated === 0 ? null : (
        <p class="faint">By note date. {countOf(undated, "note has", "notes have")} no date.</p>
      )}
      <h2>Index</h2>
      <SyncPanel />
      {known === null ? (
        <p class="waiting">
          {failure.value === null ? "Loading …" : "The state of the index cannot be shown."}
        </p>
      ) : (
        <>
          <IndexFacts known={known} />
          <SkippedFiles skipped={known.onDisk.skipped} />
          <SyncHistory known={known} />
        </>
      )}
    </div>
  );
}
