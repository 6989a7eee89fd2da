import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { api, type Timeline } from "../api.ts";
import { attempt, changed, failure, loadStatus, status } from "../state/memory-state.ts";
import { countOf } from "../text/human.ts";
import { accumulate } from "./accumulate.ts";
import { Chart } from "./chart.tsx";
import { IndexFacts } from "./index-facts.tsx";
import { SkippedFiles } from "./skipped-files.tsx";
import { SyncHistory } from "./sync-history.tsx";
import { SyncPanel } from "./sync-panel.tsx";

/** How the memory grew, and how its index is. */
export function HealthView() {
  const timeline = useSignal<Timeline | null>(null);
  useEffect(() => {
    void attempt(async () => {
      timeline.value = await api.timeline();
    });
  }, [changed.value]);
  useEffect(() => void loadStatus(), []);
  const known = status.value;
  const points = timeline.value?.points;
  const grown = useMemo(() => (points === undefined ? null : accumulate(points)), [points]);
  return (
    <div class="column health">
      <h1>Timeline and health</h1>
      <SyncPanel />
      <div class="charts">
        {grown === null || grown.days.length === 0 ? null : (
          <>
            <Chart
              title="Dated notes and sessions"
              days={grown.days}
              values={grown.documents}
              ink="ink-blue"
            />
            <Chart title="Passages in them" days={grown.days} values={grown.chunks} ink="ink-red" />
          </>
        )}
      </div>
      {timeline.value === null || timeline.value.points.length === 0 ? null : (
        <p class="faint">
          Cumulative, by note date.{" "}
          {timeline.value.undated.notes === 0
            ? ""
            : `${countOf(timeline.value.undated.notes, "note")} about no day ${timeline.value.undated.notes === 1 ? "is" : "are"} not drawn.`}
        </p>
      )}
      {known === null ? (
        <p class="waiting">{failure.value === null ? "Loading …" : "It cannot be shown."}</p>
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
