import { formatBar, formatFigure, formatValue } from "./format.ts";
import type { Verdict } from "./judge.ts";
import type { CurvePoint } from "./parts.ts";
import { describeUnrest } from "./rest.ts";
import type { BenchResult, ResultRow } from "./result.ts";
import { type Series, scalingPlot } from "./scaling-plot.ts";

const begin = "<!-- measured: written by `npm run bench -- --write-docs` -->";
const end = "<!-- /measured -->";

/** The page with its measured part replaced; the text around it is written by hand and stays. */
export function updateBenchmarksPage(page: string, result: BenchResult): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md lacks ${begin} and ${end}.`);
  return `${page.slice(0, from + begin.length)}\n\n${measuredPart(result)}\n\n${page.slice(to)}`;
}

/** docs/images/scaling.svg */
export function curvePicture(points: readonly CurvePoint[]): string {
  const ours = (name: string, pick: (point: CurvePoint) => number): Series => ({
    name,
    points: points.map((point) => [point.chunks, pick(point)] as const),
  });
  const classic = (pick: (classic: NonNullable<CurvePoint["classic"]>) => number): Series => ({
    name: "the classic design",
    isDashed: true,
    points: points.flatMap((point) => (point.classic ? [[point.chunks, pick(point.classic)] as const] : [])),
  });
  return scalingPlot(
    [
      {
        title: "A question, ms (p50)",
        series: [
          ours("words", ({ wordsMs }) => wordsMs),
          ours("words and vectors", ({ hybridMs }) => hybridMs),
          classic(({ hybridMs }) => hybridMs),
        ],
      },
      {
        title: "First index, s",
        series: [ours("longhand", ({ indexMs }) => indexMs / 1000), classic(({ indexMs }) => indexMs / 1000)],
      },
      {
        title: "Size of the index, MB",
        series: [
          ours("longhand", ({ sizeBytes }) => sizeBytes / 1e6),
          classic(({ sizeBytes }) => sizeBytes / 1e6),
        ],
      },
    ],
    "What a question, a first index and the index itself cost, from a thousand chunks to a million",
  );
}

function measuredPart({ machine, loadBefore, rest, rows, curve, version }: BenchResult): string {
  const unrest = rest && describeUnrest(rest);
  const dates = [...new Set(rows.map(({ date }) => date))].sort();
  const memoryGb = (machine.memoryBytes / 2 ** 30).toFixed(0);
  return [
    `longhand ${version} on ${machine.processor}, ${machine.cores} cores, ${memoryGb} GiB, ` +
      `${machine.platform}, Node ${machine.node}, SQLite ${machine.sqlite}; load ${loadBefore.toFixed(1)} ` +
      `before the run${unrest ? `, and ${unrest}` : ""}; ${dates.join(", ")}. Command: \`npm run bench\`.`,
    table(
      ["", "what", "measured", "bar", "ours", "reference", "sizes"],
      rows.map((row) => rowCells(row)),
    ),
    ...(curve ? [curvePart(curve)] : []),
  ].join("\n\n");
}

const marks: Readonly<Record<Verdict, string>> = {
  met: "✓",
  missed: "✗",
  tolerated: "✗",
  told: "",
  unmeasured: "not measured",
};

function rowCells(row: ResultRow): string[] {
  const { figure, unit, reference } = row;
  const theirs =
    figure?.reference === undefined ? "" : `${formatFigure(figure.reference, unit)}: ${reference}`;
  return [
    marks[row.verdict],
    row.what,
    `**${formatValue(row)}**`,
    formatBar(row),
    figure && row.judged !== "ours" ? formatFigure(figure.ours, unit) : "",
    theirs,
    figure?.detail ?? "",
  ];
}

function curvePart({ date, points }: NonNullable<BenchResult["curve"]>): string {
  const rows = points.map(({ chunks, wordsMs, hybridMs, indexMs, sizeBytes, classic }) => [
    chunks.toLocaleString("en"),
    formatFigure(wordsMs, "ms"),
    formatFigure(hybridMs, "ms"),
    classic ? formatFigure(classic.hybridMs, "ms") : "",
    formatFigure(indexMs, "ms"),
    formatFigure(sizeBytes, "bytes"),
    classic ? formatFigure(classic.sizeBytes, "bytes") : "",
  ]);
  const head = ["chunks", "words", "words and vectors", "classic", "first index", "size", "size, classic"];
  return [
    "## From a thousand chunks to a million",
    "![Times and sizes over the number of chunks](images/scaling.svg)",
    table(head, rows),
    "Chunks of 70 words with one vector of 256 numbers, natural questions, p50; the classic design searches words and " +
      "vectors, and was indexed in one transaction without a log. " +
      `\`npm run bench -- --curve\`, ${date}.`,
  ].join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
