import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { isDark } from "../state/theme.ts";
import { formatCount, formatDay } from "../text/human.ts";

interface ChartProps {
  readonly title: string;
  /** Seconds since 1970. */
  readonly days: readonly number[];
  readonly values: readonly number[];
  /** The custom property that holds the colour. */
  readonly ink: "ink-blue" | "ink-red";
}

const heightPx = 170;

/** A line over time. Its last figure stands beside the title, for those who do not see the drawing. */
export function Chart({ title, days, values, ink }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const dark = isDark();
  useEffect(() => {
    const element = box.current!;
    const colour = (name: string): string => readColour(element, name);
    const axis = {
      stroke: colour("ink-soft"),
      grid: { stroke: colour("rule"), width: 1 },
      ticks: { stroke: colour("rule"), width: 1 },
      font: `11px ${getComputedStyle(element).fontFamily}`,
    };
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: heightPx,
        legend: { show: false },
        // Half of the last day's name stands right of the last point.
        padding: [12, 36, 0, 0],
        cursor: { y: false, points: { size: 7 } },
        // A single day would have no width.
        scales: {
          x: {
            time: true,
            range: (_, from, to) => (from === to ? [from - 86_400, to + 86_400] : [from, to]),
          },
          y: { range: (_, __, to) => [0, Math.max(1, to * 1.1)] },
        },
        tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), "UTC"),
        axes: [
          { ...axis, space: 110, values: (_, ticks) => ticks.map(nameTick) },
          {
            ...axis,
            size: 46,
            values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? formatCount(tick) : "")),
          },
        ],
        series: [
          {},
          {
            stroke: colour(ink),
            width: 2,
            fill: colour(`${ink}-wash`),
            points: { show: days.length < 40, size: 5 },
          },
        ],
      },
      [[...days], [...values]],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, values, ink, dark]);
  const last = days.at(-1);
  return (
    <figure class="chart">
      <figcaption>
        {title}: <strong>{formatCount(values.at(-1) ?? 0)}</strong>
        {last === undefined ? null : <span class="faint"> by {nameTick(last)}</span>}
      </figcaption>
      <div ref={box} aria-hidden="true" />
    </figure>
  );
}

function nameTick(seconds: number): string {
  return formatDay(new Date(seconds * 1000).toISOString().slice(0, 10));
}

/** A custom property as the canvas understands it: it may say one colour for light and one for dark. */
function readColour(element: HTMLElement, name: string): string {
  const before = element.style.color;
  element.style.color = `var(--${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = before;
  return color;
}
