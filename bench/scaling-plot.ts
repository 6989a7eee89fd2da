/** Log-log curves as an SVG that is readable on light and dark pages. */
export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

export interface Series {
  readonly name: string;
  /** Ascending in x; both coordinates above 0. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** For the reference. */
  readonly isDashed?: boolean;
}

const panelWidth = 300;
const panelHeight = 300;
const inner = { left: 52, right: 16, top: 84, bottom: 40 };

// Neighbours also differ in lightness, and each has a contrast of 3:1 on white and on near-black.
const colours = ["#2f7fd6", "#c2571a"];
const colourOfOthers = "#7f7f88";

const style = `
  text { font: 12px system-ui, sans-serif; fill: #24292f; }
  .title { font-weight: 600; font-size: 13px; }
  .grid { stroke: #8886; stroke-width: 1; }
  .line { fill: none; stroke-width: 2; }
  @media (prefers-color-scheme: dark) { text { fill: #d6dbe1; } }
`;

export function scalingPlot(panels: readonly Panel[], label: string): string {
  const width = panelWidth * panels.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${panelHeight}" width="${width}"`,
    `  height="${panelHeight}" role="img" aria-label="${escapeXml(label)}">`,
    `<style>${style}</style>`,
    ...panels.map(
      (panel, at) => `<g transform="translate(${at * panelWidth} 0)">\n${drawPanel(panel)}\n</g>`,
    ),
    "</svg>\n",
  ].join("\n");
}

/** Powers of ten, of which the first and the last enclose these numbers. */
export function decades(numbers: readonly number[]): number[] {
  const from = Math.floor(Math.log10(Math.min(...numbers)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...numbers))));
  return Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at));
}

function drawPanel({ title, series }: Panel): string {
  const points = series.flatMap((one) => one.points);
  if (points.length === 0) return "";
  const xTicks = decades(points.map(([x]) => x));
  const yTicks = decades(points.map(([, y]) => y));
  const [bottom, right] = [panelHeight - inner.bottom, panelWidth - inner.right];
  const atX = scale(xTicks, inner.left, right);
  const atY = scale(yTicks, bottom, inner.top);
  return [
    `<text class="title" x="${inner.left}" y="18">${escapeXml(title)}</text>`,
    ...xTicks.map(
      (tick) =>
        `<line class="grid" x1="${atX(tick)}" x2="${atX(tick)}" y1="${inner.top}" y2="${bottom}"/>` +
        `<text x="${atX(tick)}" y="${bottom + 16}" text-anchor="middle">${shortNumber(tick)}</text>`,
    ),
    `<text x="${(inner.left + right) / 2}" y="${bottom + 33}" text-anchor="middle">chunks</text>`,
    ...yTicks.map(
      (tick) =>
        `<line class="grid" x1="${inner.left}" x2="${right}" y1="${atY(tick)}" y2="${atY(tick)}"/>` +
        `<text x="${inner.left - 6}" y="${atY(tick) + 4}" text-anchor="end">${shortNumber(tick)}</text>`,
    ),
    ...series.map((one, at) => drawSeries(one, at, atX, atY)),
  ].join("\n");
}

function drawSeries(
  { name, points, isDashed }: Series,
  at: number,
  atX: (x: number) => number,
  atY: (y: number) => number,
): string {
  const colour = isDashed ? colourOfOthers : colours[at % colours.length];
  const dashes = isDashed ? ' stroke-dasharray="5 4"' : "";
  const stroke = `stroke="${colour}"${dashes}`;
  const path = points.map(([x, y]) => `${atX(x)},${atY(y)}`).join(" ");
  const legendY = 36 + at * 16;
  return [
    `<polyline class="line" ${stroke} points="${path}"/>`,
    ...points.map(
      ([x, y]) =>
        `<circle cx="${atX(x)}" cy="${atY(y)}" r="3" fill="${colour}">` +
        `<title>${escapeXml(name)}: ${shortNumber(x)} chunks, ${Number(y.toPrecision(3))}</title></circle>`,
    ),
    `<line class="line" ${stroke} x1="${inner.left}" x2="${inner.left + 22}" y1="${legendY - 4}" y2="${legendY - 4}"/>`,
    `<text x="${inner.left + 28}" y="${legendY}">${escapeXml(name)}</text>`,
  ].join("\n");
}

/** Maps the first tick to one end and the last tick to the other. */
function scale(ticks: readonly number[], start: number, end: number): (value: number) => number {
  const [from, to] = [Math.log10(ticks[0]!), Math.log10(ticks.at(-1)!)];
  return (value) => round(start + ((Math.log10(value) - from) / (to - from)) * (end - start));
}

function shortNumber(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 1000 ? `${value / 1000}k` : String(Number(value.toPrecision(3)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
