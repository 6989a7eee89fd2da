interface BarProps {
  readonly name: string;
  /** Null if this kind of search did not contribute. */
  readonly value: number | null;
  readonly kind: "keyword" | "vector" | "decay" | "score" | "term";
  /** The filled part of the bar, if it differs from the value. */
  readonly share?: number;
  /** A value marked on the bar. */
  readonly floor?: number;
  readonly remark?: string;
}

export function Bar({ name, value, kind, share, floor, remark }: BarProps) {
  return (
    <div class="bar-row" data-kind={kind}>
      <dt>{name}</dt>
      <dd>
        {value === null ? (
          <span class="faint">not used</span>
        ) : (
          <>
            <span class="bar" aria-hidden="true">
              <i style={{ width: toPercent(share ?? value) }} />
              {floor === undefined ? null : <b style={{ left: toPercent(floor) }} />}
            </span>
            <span class="bar-value">{value.toFixed(3)}</span>
            {remark === undefined ? null : <span class="faint">{remark}</span>}
          </>
        )}
      </dd>
    </div>
  );
}

function toPercent(value: number): string {
  return `${Math.round(Math.min(Math.max(value, 0), 1) * 1000) / 10}%`;
}
