import { fuzzConfig } from "./config.ts";
import { fuzzMarkdown } from "./markdown.ts";
import { fuzzMegabytes } from "./megabytes.ts";
import { fuzzPaths } from "./paths.ts";
import { fuzzQueries } from "./queries.ts";
import { fuzzRacingReads } from "./racing-reads.ts";
import { fuzzRegexes } from "./regexes.ts";
import type { FuzzSuite } from "./suite.ts";

interface SuiteEntry {
  readonly run: FuzzSuite;
  /** Number of cases in a full run, and in the short run of the tests. */
  readonly full: number;
  readonly short: number;
  /** The name for a failure. */
  readonly counts: string;
}

export const suites: Readonly<Record<string, SuiteEntry>> = {
  paths: { run: fuzzPaths, full: 1_000_000, short: 20_000, counts: "escapes" },
  "racing-reads": { run: fuzzRacingReads, full: 100_000, short: 3000, counts: "escapes" },
  queries: { run: fuzzQueries, full: 100_000, short: 300, counts: "errors" },
  markdown: { run: fuzzMarkdown, full: 100_000, short: 500, counts: "errors" },
  megabytes: { run: fuzzMegabytes, full: 200, short: 3, counts: "errors" },
  config: { run: fuzzConfig, full: 20_000, short: 500, counts: "crashes" },
  regexes: { run: fuzzRegexes, full: 1_000_000, short: 200, counts: "slow expressions" },
};
