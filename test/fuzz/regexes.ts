import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import path from "node:path";
import vm from "node:vm";
import { createTally, type FuzzSuite } from "./suite.ts";

const source = path.join(import.meta.dirname, "..", "..", "src");
const sizeChars = 200_000;
/** CPU time: a linear expression needs some milliseconds for such a text, a quadratic one at least half a minute. */
const limitMs = 3000;

/** Expressions that are not linear but only see short text, each with its bound. */
const shortOnly: readonly { readonly place: string; readonly begins: string; readonly bound: string }[] = [
  {
    place: "eval/generate/generate-questions.ts",
    begins: "/[A-Za-z]{2}",
    bound: "a token of at most 60 characters",
  },
  { place: "text/words/stems/stem-scripts.ts", begins: "/([аеиоу", bound: "a word, cut at maxWordLength" },
  ...["decisions", "preferences", "identities", "deadlines", "identifiers"].map((name) => ({
    place: `extract/cues/${name}.ts`,
    begins: "/",
    bound: "a sentence, cut at maxSentenceChars",
  })),
  ...[
    "command-lines",
    "headers",
    "long-values",
    "named-values",
    "private-keys",
    "prose-values",
    "secret-names",
    "secret-value",
    "values",
  ].map((name) => ({
    place: `text/secrets/${name}.ts`,
    begins: "/",
    bound:
      "a value or the text near a word, at most 4,096 characters; redact.test.ts tries the whole on long texts",
  })),
  { place: "extract/rate-sentence.ts", begins: "/", bound: "a sentence, cut at maxSentenceChars" },
];

/** Runs every regular expression of the sources on texts that provoke backtracking. */
export const fuzzRegexes: FuzzSuite = async ({ count }) => {
  const tally = createTally();
  const found = await findExpressions();
  let cases = 0;
  for (const { place, literal } of found) {
    if (shortOnly.some((each) => each.place === place && literal.startsWith(each.begins))) continue;
    for (const text of hostileTexts(literal)) {
      if (cases++ >= count) return tally.report(count, `${found.length} expressions`);
      const problem = tryExpression(literal, text);
      if (problem === null) continue;
      tally.fail(`${place}: ${literal} ${problem} on ${JSON.stringify(text.slice(0, 12))}`);
      break;
    }
  }
  return tally.report(cases, `${found.length} expressions`);
};

/**
 * Null if it finished. CPU time counts, not wall-clock time: on a busy machine, an expression that got too little of it is
 * tried again for longer.
 */
function tryExpression(literal: string, text: string): string | null {
  const visit = `new RegExp(re, re.flags.includes("g") ? re.flags : re.flags + "g")`;
  const script = `const re = ${literal}; for (const each of text.matchAll(${visit})) void each;`;
  for (let timeout = limitMs; ; ) {
    const before = process.threadCpuUsage();
    try {
      vm.runInNewContext(script, { text }, { timeout });
      return null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") return String(error);
      const usedMs = process.threadCpuUsage(before).user / 1000;
      if (usedMs >= limitMs) return "does not end";
      timeout = Math.ceil((1.5 * timeout * limitMs) / Math.max(usedMs, limitMs / 50));
    }
  }
}

async function findExpressions(): Promise<{ place: string; literal: string }[]> {
  const literal =
    /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};\n]\s*|\breturn\s+)(\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*)/g;
  const found: { place: string; literal: string }[] = [];
  for await (const file of glob("**/*.ts", { cwd: source })) {
    if (file.endsWith(".test.ts")) continue;
    for (const [, expression] of readFileSync(path.join(source, file), "utf8").matchAll(literal)) {
      if (expression !== undefined) found.push({ place: file.replaceAll("\\", "/"), literal: expression });
    }
  }
  return found.sort((a, b) => (a.place + a.literal < b.place + b.literal ? -1 : 1));
}

/** Long repetitions of parts of the expression, each without the end that would let it match. */
function hostileTexts(literal: string): string[] {
  const own = literal
    .replace(/\\[a-zA-Z](?:\{[^}]*\})?|[\\[\](){}|*+?^$/]/g, " ")
    .split(/\s+/)
    .filter(Boolean);
  const units = [
    ...new Set([
      " ",
      "a",
      "0",
      "-",
      "\n",
      "\t",
      "a ",
      "a.",
      "-a",
      "# ",
      "<!-- ",
      "`",
      "=",
      '"',
      "\\",
      ...own.slice(0, 12),
      ...own.map((word) => word[0]!),
    ]),
  ];
  const fill = (unit: string): string => unit.repeat(Math.ceil(sizeChars / unit.length));
  return [...units.map((unit) => `${fill(unit)}\u0001`), ...units.map((unit) => `x${fill(unit)}`)];
}
