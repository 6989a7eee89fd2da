import { compareResults, type Differences } from "./compare.ts";
import { invalidSet } from "./eval-error.ts";
import type { SetResult } from "./result.ts";
import { type Grouping, macroOf, type Row, rowOf } from "./rows.ts";

export interface Comparison {
  /** The second configuration. */
  readonly config: string;
  /** Its figures. */
  readonly rows: Readonly<Record<string, Row>>;
  /** Second minus first, by set and as `macro`. */
  readonly differences: Readonly<Record<string, Differences>>;
}

/** What `longhand eval` reports; as JSON, the rows stand beside the rest, keyed by the names of the sets. */
export interface Report {
  /** By set, and `macro`. */
  readonly rows: Readonly<Record<string, Row>>;
  readonly compare?: Comparison;
  readonly warnings: readonly string[];
  /** How many questions were made from how many notes, when nobody wrote them. */
  readonly generated?: { readonly questions: number; readonly notes: number };
}

export interface ReportRequest {
  readonly results: readonly SetResult[];
  readonly by?: Grouping | undefined;
  readonly second?: { readonly config: string; readonly results: readonly SetResult[] } | undefined;
  readonly generated?: Report["generated"] | undefined;
}

export function createReport({ results, by, second, generated }: ReportRequest): Report {
  const warnings = new Set([...results, ...(second?.results ?? [])].flatMap((result) => result.warnings));
  return {
    rows: rowsOf(results, by),
    ...(second === undefined
      ? {}
      : {
          compare: {
            config: second.config,
            rows: rowsOf(second.results, by),
            differences: compareResults(results, second.results),
          },
        }),
    warnings: [...warnings],
    ...(generated === undefined ? {} : { generated }),
  };
}

export function reportToJson({ rows, compare, warnings, generated }: Report): Record<string, unknown> {
  return {
    ...rows,
    ...(compare === undefined ? {} : { compare }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(generated === undefined ? {} : { generated }),
  };
}

/** A set of such a name would hide, or be hidden by, something else in the JSON. */
export function checkNames(names: readonly string[]): void {
  const taken = names.find((name) => ["macro", "compare", "warnings", "generated"].includes(name));
  if (taken === undefined) return;
  throw invalidSet(
    `A set cannot be called ${JSON.stringify(taken)}: the report uses that name itself.`,
    "Rename its folder.",
  );
}

function rowsOf(results: readonly SetResult[], by: Grouping | undefined): Record<string, Row> {
  const rows = results.map((result) => [result.name, rowOf(result, by)] as const);
  return Object.fromEntries([...rows, ["macro", macroOf(rows.map(([, row]) => row))]]);
}
